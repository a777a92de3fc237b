package io.perdure.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HttpStatusTest {
    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyErrorHasAStatusOfAnError(ErrorCode code) {
        assertThat(HttpStatus.of(code)).isBetween(400, 503);
    }

    @ParameterizedTest
    @CsvSource({
        "NOT_JSON,400", "INVALID_ID,400", "PROTOCOL_MISMATCH,400", "NO_VALID_KEY,401", "KEY_NOT_ALLOWED,403",
        "NO_SUCH_RUN,404", "NO_SUCH_QUEUE,404", "NO_SUCH_MESSAGE,404", "NO_SUCH_ROUTE,404", "KEY_REUSED,409",
        "RUN_ENDED,409", "QUEUE_NOT_EMPTY,409", "LEASE_LOST,409", "DOES_NOT_FIT,409", "VALUE_TOO_LARGE,413",
        "BODY_TOO_LARGE,413", "WRONG_MEDIA_TYPE,415", "INVALID_NAME,422", "INVALID_FIELD,422", "JSON_TOO_DEEP,422",
        "TOO_MANY_REQUESTS,429", "MAILBOX_FULL,429", "OUTCOME_UNKNOWN,503", "STORE_BUSY,503", "FAULT,500"
    })
    void whatCallersRelyOnStays(ErrorCode code, int status) {
        assertThat(HttpStatus.of(code)).isEqualTo(status);
    }

    @Test
    void theStoresTroublesPass() {
        for (ErrorCode code : ErrorCode.values()) {
            if (code.code().startsWith("PD-2")) {
                assertThat(HttpStatus.of(code)).as(code.code()).isEqualTo(503);
            }
        }
    }
}
