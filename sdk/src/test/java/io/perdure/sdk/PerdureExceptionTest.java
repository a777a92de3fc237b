package io.perdure.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PerdureExceptionTest {
    @Test
    void theMessageHasCodeEventAndRemedy() {
        RefusedException e = new RefusedException(ErrorCode.NO_SUCH_QUEUE, "Tenant default has no queue \"orders\".");

        assertThat(e).hasMessage("PD-401 Tenant default has no queue \"orders\". Create the queue first.");
        assertThat(e.code()).isEqualTo(ErrorCode.NO_SUCH_QUEUE);
    }

    @Test
    void codesAreUniqueAndSentencesEnd() {
        assertThat(ErrorCode.values()).extracting(ErrorCode::code).doesNotHaveDuplicates();
        assertThat(Arrays.stream(ErrorCode.values())).allSatisfy(code -> {
            assertThat(code.code()).matches("PD-[0-9]{3}");
            assertThat(code.title()).doesNotEndWith(".");
            assertThat(code.remedy()).endsWith(".");
        });
    }
}
