package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.wire.ProblemJson;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** What came of one try to ask the server. */
sealed interface Reply {
    /** Largest answer that is read: one run's history can be as long as this. */
    long MOST_BYTES = 256L * 1024 * 1024;

    /** No server tells anybody to wait for longer than this. */
    Duration LONGEST_WAIT = Duration.ofSeconds(30);

    record Answered(Json json) implements Reply {}

    /** The server does not do it, and asking again would not help. */
    record Refused(PerdureException why) implements Reply {}

    /** The server could not be asked, or could not do it now. */
    record NotNow(PerdureException why, Duration retryAfter) implements Reply {}

    static Reply notNow(PerdureException why) {
        return new NotNow(why, Duration.ZERO);
    }

    static Reply of(HttpResponse<byte[]> response) {
        int status = response.statusCode();
        String text = new String(response.body(), StandardCharsets.UTF_8);
        if (status / 100 == 2) {
            return new Answered(text.isEmpty() ? Json.NULL : Json.ofStored(text));
        }
        PerdureException why = problem(status, text);
        return status == 429 || status == 503 ? new NotNow(why, retryAfter(response)) : new Refused(why);
    }

    private static PerdureException problem(int status, String text) {
        try {
            return ProblemJson.read(Json.ofStored(text), status);
        } catch (InvalidValueException e) {
            // A proxy on the way, or no server of ours.
            return new StoreException(
                    status == 503 || status == 502 ? ErrorCode.SERVER_UNREACHABLE : ErrorCode.FAULT,
                    "The server answered " + status + ", and not in words that a Perdure server uses.",
                    e);
        }
    }

    private static Duration retryAfter(HttpResponse<byte[]> response) {
        try {
            Duration asked = response.headers().firstValueAsLong("Retry-After").stream()
                    .mapToObj(Duration::ofSeconds)
                    .findFirst()
                    .orElse(Duration.ZERO);
            return asked.isNegative() || asked.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : asked;
        } catch (NumberFormatException e) {
            // A date, which is for browsers.
            return Duration.ZERO;
        }
    }
}
