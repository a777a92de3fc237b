package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApprovalExampleTest {
    @Test
    void theRightApprovalIsTakenHoweverEarlyAndOthersStay(@TempDir Path folder) {
        assertThat(ApprovalExample.tellAll("jdbc:sqlite:" + folder.resolve("app.db")))
                .containsExactly(
                        "sent true, again false",
                        "please approve i-1",
                        "pay i-1",
                        "i-1 is paid, says ann",
                        "please approve i-2",
                        "i-2 is not paid",
                        "i-2, i-1");
    }
}
