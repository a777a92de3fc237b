package io.perdure.sdk.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.workflow.AlreadyActiveException;
import io.perdure.sdk.workflow.UniqueConflictException;
import io.perdure.sdk.workflow.WorkflowIdMismatchException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ProblemJsonTest {
    private static final RunId RUN = RunId.parse("0199a0b4-5a6e-7000-8000-000000000001");

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void everyErrorComesBackAsItself(ErrorCode code) {
        PerdureException error = ProblemJson.exception(code, "What \"happened\".");
        PerdureException back =
                ProblemJson.read(Json.of(ProblemJson.write(error, 418).text()), 418);

        assertThat(back).hasSameClassAs(error).hasMessage(error.getMessage());
        assertThat(back.code()).isEqualTo(code);
    }

    @Test
    void aProblemSaysAllThatIsKnown() {
        JsonObject problem =
                JsonObject.parse(ProblemJson.write(InvalidValueException.ofField("served", "is missing."), 422));

        assertThat(problem.names()).containsExactly("type", "title", "status", "detail", "code", "remedy", "field");
        assertThat(problem.string("type")).isEqualTo("urn:perdure:error:PD-609");
        assertThat(problem.string("field")).isEqualTo("served");
        assertThat(problem.integer("status")).isEqualTo(422);
    }

    @Test
    void anUnknownOutcomeSaysSo() {
        assertThat(JsonObject.parse(ProblemJson.write(new StoreException(ErrorCode.OUTCOME_UNKNOWN, "?"), 503))
                        .bool("unknown"))
                .isTrue();
    }

    @Test
    void theRunThatIsConcernedComesBack() {
        for (RefusedException error : List.of(
                new AlreadyActiveException(RUN, "held"),
                new UniqueConflictException(RUN, "first"),
                new WorkflowIdMismatchException(RUN, "other"))) {
            Json written = ProblemJson.write(error, 409);
            PerdureException back = ProblemJson.read(written, 409);

            assertThat(JsonObject.parse(written).string("run")).isEqualTo(RUN.toString());
            assertThat(back).hasSameClassAs(error);
            assertThat(ProblemJson.write(back, 409)).isEqualTo(written);
        }
    }

    @Test
    void aCodeOfANewerServerIsToldInItsOwnWords() {
        Json newer = Json.of("{\"code\": \"PD-999\", \"detail\": \"The moon is full.\"}");

        assertThat(ProblemJson.read(newer, 409))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("PD-999: The moon is full.");
        assertThat(ProblemJson.read(newer, 503)).isInstanceOf(StoreException.class);
    }
}
