package io.perdure.sdk.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParkedRunTest {
    private static final RunId RUN = RunId.parse("0199f0c2-7a31-7c54-9f0e-2b6d5a1c8e77");

    private static String message(String reason, String detail) {
        RunInfo run = new RunInfo(
                RUN,
                new WorkflowName("order"),
                2,
                null,
                RunStatus.PARKED,
                Json.NULL,
                null,
                new Failure(reason, detail, null),
                null,
                null,
                null,
                Map.of(),
                7,
                0,
                null,
                Instant.EPOCH,
                null);
        return ParkedRun.refusal(run, " --store app").what();
    }

    @ParameterizedTest
    @CsvSource({
        "PD-104, runs resume, runs move --store app ID --to VERSION",
        "PD-105, runs resume, runs move --store app ID --to VERSION",
        "PD-106, runs resume, --max-run-bytes",
        "PD-106, runs resume, OpenOptions.runBytesMax",
        "PD-308, runs cancel --store app ID, --max-run-events",
        "PD-308, runs cancel --store app ID, OpenOptions.runEventsMax",
        "PD-502, runs resume, catch Exception instead of Throwable or Error",
        "lapsed, runs resume, Find and fix the cause",
        "java.lang.NoClassDefFoundError, runs resume, Find and fix the cause"
    })
    void refusal_ofAParkedRun_advisesByTheReason(String reason, String command, String advice) {
        assertThat(message(reason, "what happened"))
                .startsWith("Run " + RUN + " of order@2 is parked: " + reason + ": what happened. ")
                .contains("`perdure runs resume --store app " + RUN + "`")
                .contains(command.replace("ID", RUN.toString()))
                .contains(advice.replace("ID", RUN.toString()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.lang.StackOverflowError", "PD-106", "lapsed"})
    void refusal_ofAReasonWithoutAMessage_namesTheReasonOnly(String reason) {
        assertThat(message(reason, "")).startsWith("Run " + RUN + " of order@2 is parked: " + reason + ". ");
    }

    @Test
    void refusal_whenTheReasonHasTheRemedyAlready_doesNotRepeatIt() {
        String remedy = ErrorCode.SUSPENSION_CAUGHT.remedy();

        String message = message("PD-502", "PD-502 The code caught it. " + remedy);

        assertThat(message.split(Pattern.quote(remedy), -1)).hasSize(2);
        assertThat(message).startsWith("Run " + RUN + " of order@2 is parked: PD-502 The code caught it. ");
    }
}
