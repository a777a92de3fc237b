package io.perdure.server.rest;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.perdure.core.store.RequestAnswer;
import io.perdure.sdk.Limits;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.wire.ProblemJson;
import io.perdure.sdk.wire.RestHeaders;
import io.perdure.server.http.HttpStatus;
import io.perdure.server.http.Problems;
import io.perdure.server.http.TransferDeadline;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Answers what takes long with a line for each step of its way: one JSON value to a line, of which the last is the end, or an
 * {@code error} that broke it off.
 */
final class Progress {
    private static final System.Logger LOG = Logs.of(Progress.class);
    private static final int OK = 200;
    /** How long a line may take to go: whoever reads none of them must not keep it from its end. */
    private static final Duration LONGEST = Limits.defaults().rest().bodyWithin();

    /** Of all weights the one that says: not this. */
    private static final Pattern NOT_WANTED = Pattern.compile("[qQ] *= *0([.]0*)?");

    private Progress() {}

    /** Whether lines are among what a caller takes, by the values of its {@code Accept}. */
    static boolean isAccepted(List<String> accept) {
        return accept.stream().flatMap(value -> Stream.of(value.split(",", -1))).anyMatch(Progress::isWanted);
    }

    private static boolean isWanted(String range) {
        String[] parts = range.split(";", -1);
        return parts[0].strip().equalsIgnoreCase(RestHeaders.LINES)
                && Stream.of(parts)
                        .skip(1)
                        .noneMatch(parameter ->
                                NOT_WANTED.matcher(parameter.strip()).matches());
    }

    /**
     * Does something, and answers with what it results in.
     *
     * @param work is told whom to tell how far it has come
     */
    static void answer(Exchange exchange, Function<Consumer<Json>, Json> work) {
        if (!exchange.wantsLines()) {
            exchange.answer(work.apply(_ -> {}));
            return;
        }
        Lines lines = new Lines(exchange);
        try {
            Json last = work.apply(lines::write);
            exchange.witness().answers(asLine(last));
            lines.write(last);
        } catch (RuntimeException e) {
            if (!lines.begun) {
                throw e;
            }
            var error = Problems.error(null, e);
            Json last = JsonObject.builder()
                    .put("error", ProblemJson.write(error, HttpStatus.of(error.code())))
                    .build();
            exchange.witness().fails(error, asLine(last));
            lines.write(last);
        }
        lines.close();
    }

    /** Who asks again gets the last line alone. */
    private static RequestAnswer asLine(Json last) {
        return new RequestAnswer(OK, RestHeaders.LINES, last.text() + "\n");
    }

    /** The answer, which begins with its first line: until then it can still be an error of its own. */
    private static final class Lines {
        private final Exchange exchange;
        private boolean begun;
        private OutputStream out = OutputStream.nullOutputStream();

        Lines(Exchange exchange) {
            this.exchange = exchange;
        }

        void write(Json line) {
            try {
                if (!begun) {
                    begun = true;
                    exchange.header(HeaderNames.CONTENT_TYPE, RestHeaders.LINES);
                    exchange.header(HeaderNames.CACHE_CONTROL, "no-store");
                    out = exchange.response().outputStream();
                }
                try (TransferDeadline _ = new TransferDeadline(LONGEST)) {
                    out.write((line.text() + "\n").getBytes(StandardCharsets.UTF_8));
                    out.flush();
                }
            } catch (IOException | UncheckedIOException | CloseConnectionException e) {
                gone(e);
            }
        }

        /** What was begun is done to its end, whether or not anybody hears of it. */
        private void gone(Exception e) {
            LOG.log(System.Logger.Level.DEBUG, "A caller is gone that wanted to hear how far it has come.", e);
            out = OutputStream.nullOutputStream();
        }

        void close() {
            try (TransferDeadline _ = new TransferDeadline(LONGEST)) {
                out.close();
            } catch (IOException | UncheckedIOException | CloseConnectionException e) {
                gone(e);
            }
        }
    }
}
