package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.wire.ProblemJson;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** What came of one try to ask the server. */
sealed interface Reply {
    /** No server tells anybody to wait for longer than this. */
    Duration LONGEST_WAIT = Duration.ofSeconds(30);

    /** How many characters of a foreign answer are quoted. */
    int MOST_QUOTED = 100;

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
        PerdureException why = problem(response.uri(), status, text);
        return isPassing(status) ? new NotNow(why, retryAfter(response)) : new Refused(why);
    }

    private static boolean isPassing(int status) {
        return status == 429 || isUnavailable(status);
    }

    private static boolean isUnavailable(int status) {
        return status >= 502 && status <= 504;
    }

    private static PerdureException problem(URI asked, int status, String text) {
        try {
            PerdureException why = ProblemJson.read(Json.ofStored(text), status);
            // Said of the server's engine: who hears it must not take this client for closed.
            return why.code() == ErrorCode.STORE_CLOSED
                    ? new StoreException(ErrorCode.SERVER_UNREACHABLE, "The server is about to stop.", why)
                    : why;
        } catch (InvalidValueException e) {
            return foreign(asked, status, text, e);
        }
    }

    /** What a proxy on the way means, or whatever is there instead of a server of ours. */
    private static PerdureException foreign(URI asked, int status, String text, InvalidValueException cause) {
        String what = "%s answered %s, not in words that a Perdure server uses: \"%s\"."
                .formatted(asked, status, beginning(text));
        return switch (status) {
            case 429 -> new RefusedException(ErrorCode.TOO_MANY_REQUESTS, what, cause);
            case 503 -> new StoreException(ErrorCode.SERVER_UNREACHABLE, what, cause);
            // Said of a request that was passed on.
            case 502, 504 -> new StoreException(ErrorCode.OUTCOME_UNKNOWN, what, cause);
            default ->
                new RefusedException(
                        ErrorCode.PROTOCOL_MISMATCH, what + " Is there a Perdure server at this URL?", cause);
        };
    }

    /** Enough of it to tell who said it, on one line. */
    private static String beginning(String text) {
        String start = text.substring(0, Math.min(text.length(), MOST_QUOTED)).strip();
        return start.replaceAll("[\\p{Cntrl}\\s]+", " ") + (text.length() > MOST_QUOTED ? "…" : "");
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
