package io.perdure.sdk.wire;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.RunFailedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.workflow.AlreadyActiveException;
import io.perdure.sdk.workflow.UniqueConflictException;
import io.perdure.sdk.workflow.WorkflowIdMismatchException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Errors as they travel: problem documents (RFC 9457) whose {@code code} is the error's. What is read back is an exception of the
 * class that the engine would have thrown.
 */
public final class ProblemJson {
    private static final Map<String, ErrorCode> CODES = Arrays.stream(ErrorCode.values())
            .collect(Collectors.toUnmodifiableMap(ErrorCode::code, Function.identity()));

    /** Where the digit of a code is that tells its family. */
    private static final int FAMILY = "PD-".length();

    private ProblemJson() {}

    /** Writes an error down, as the answer of this HTTP status. */
    public static Json write(PerdureException error, int status) {
        ErrorCode code = error.code();
        JsonObject.Builder problem = JsonObject.builder()
                .put("type", "urn:perdure:error:" + code.code())
                .put("title", code.title())
                .put("status", status)
                .put("detail", error.what())
                .put("code", code.code())
                .put("remedy", code.remedy());
        if (error instanceof InvalidValueException invalid) {
            problem.put("field", invalid.field().orElse(null));
        }
        run(error).ifPresent(run -> problem.put("run", run.toString()));
        if (code == ErrorCode.OUTCOME_UNKNOWN) {
            problem.put("unknown", true);
        }
        return problem.build();
    }

    private static Optional<RunId> run(PerdureException error) {
        return switch (error) {
            case AlreadyActiveException active -> Optional.of(active.activeRun());
            case UniqueConflictException conflict -> Optional.of(conflict.run());
            case WorkflowIdMismatchException mismatch -> Optional.of(mismatch.run());
            case PerdureException _ -> Optional.empty();
        };
    }

    /**
     * Reads an error back. One whose code this release does not know is {@code PD-304} where the status says that the caller is at fault, else
     * {@code PD-213}; what is no problem document is {@code PD-004}.
     */
    public static PerdureException read(Json json, int status) {
        JsonObject problem = JsonObject.parse(json);
        String word = problem.string("code");
        String detail = problem.get("detail").isPresent() ? problem.string("detail") : "The server gave no detail.";
        ErrorCode code = CODES.get(word);
        if (code == null) {
            String what = "The server answered " + word + ": " + detail;
            return status >= 400 && status < 500
                    ? new RefusedException(ErrorCode.NOT_ALLOWED, what)
                    : new StoreException(ErrorCode.STORE_FAILED, what);
        }
        RunId run = problem.get("run").isPresent() ? RunId.parse(problem.string("run")) : null;
        return exception(code, detail, run);
    }

    private static PerdureException exception(ErrorCode code, String what, @Nullable RunId run) {
        return switch (code) {
            case WORKFLOW_ID_HELD ->
                run == null ? new RefusedException(code, what) : new AlreadyActiveException(run, what);
            case UNIQUE_CONFLICT ->
                run == null ? new RefusedException(code, what) : new UniqueConflictException(run, what);
            case WORKFLOW_ID_MISMATCH ->
                run == null ? new RefusedException(code, what) : new WorkflowIdMismatchException(run, what);
            default -> exception(code, what);
        };
    }

    /** An exception of the class that belongs to a code, which for most is that of its family. */
    public static PerdureException exception(ErrorCode code, String what) {
        return switch (code) {
            case UNKNOWN_EVENT, DAMAGED_EVENT -> new UnreadableHistoryException(code, what);
            case RUN_FAILED, RUN_CANCELLED -> new RunFailedException(code, what);
            case SERVER_UNREACHABLE -> new StoreException(code, what);
            case WRONG_MEDIA_TYPE, BODY_TOO_LARGE, INVALID_FIELD, SERVER_SETTINGS ->
                new InvalidValueException(code, what);
            default ->
                switch (code.code().charAt(FAMILY)) {
                    case '0' -> new InvalidValueException(code, what);
                    case '1', '5' -> new WorkflowCodeException(code, what);
                    case '3', '4', '6' -> new RefusedException(code, what);
                    default -> new StoreException(code, what);
                };
        };
    }
}
