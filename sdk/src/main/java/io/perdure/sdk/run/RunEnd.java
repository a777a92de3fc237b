package io.perdure.sdk.run;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.RunFailedException;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RecordedException;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended; how it stands, where it has not.
 *
 * @param output its result, once completed
 * @param error why it failed, was cancelled or is parked
 */
public record RunEnd(
        RunStatus status, @Nullable Json output, @Nullable Failure error) {
    /**
     * The run's result; throws where it has none, saying why: {@code PD-310} where it failed, with the recorded error as its cause, {@code PD-311} where it was cancelled,
     * {@code PD-312} where it has not ended.
     */
    public Json output(RunId id, Duration waited) {
        String why = why(error);
        return switch (status) {
            case COMPLETED -> output == null ? Json.NULL : output;
            case FAILED ->
                throw new RunFailedException(
                        ErrorCode.RUN_FAILED,
                        "Run " + id + " failed" + why + ".",
                        error == null ? null : RecordedException.of(error));
            case CANCELLED ->
                throw new RunFailedException(ErrorCode.RUN_CANCELLED, "Run " + id + " was cancelled" + why + ".");
            case RUNNING, PARKED ->
                throw new RefusedException(
                        ErrorCode.NO_RESULT_YET,
                        "Run " + id + " is " + status.word() + " after a wait of " + waited + why + ".");
        };
    }

    /** Returns the reason as the rest of a sentence: its type and message, or one of the two if the other is empty or says the same. */
    static String why(@Nullable Failure error) {
        if (error == null) {
            return "";
        }
        if (error.message().isEmpty()) {
            return ": " + error.type();
        }
        String message = error.message().endsWith(".")
                ? error.message().substring(0, error.message().length() - 1)
                : error.message();
        return message.startsWith(error.type()) || error.type().startsWith("cancelled")
                ? ": " + message
                : ": " + error.type() + ": " + message;
    }
}
