package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.json.Json;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One answer that comes line by line. The lines are taken on the caller's thread. */
final class LineStream implements AutoCloseable {
    /** A server that is at work says so more often than this. */
    private static final Duration SILENCE = Duration.ofMinutes(2);

    private static final int OK = 200;

    private final Transport transport;
    private final HttpRequest request;
    private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();
    private final CompletableFuture<HttpResponse<byte[]>> answer;

    /** Asks for it. */
    LineStream(Transport transport, HttpRequest request) {
        this.transport = transport;
        this.request = request;
        this.answer = transport.begin(
                request,
                info -> info.statusCode() == OK
                        ? BodySubscribers.fromLineSubscriber(
                                new Lines(), _ -> new byte[0], StandardCharsets.UTF_8, null)
                        : BodySubscribers.ofByteArray());
        var _ = answer.whenComplete((_, _) -> lines.add(Optional.empty()));
    }

    /** Tells of each line but the last, and answers that one; where there is none, what the server says instead of lines. */
    Reply each(Consumer<Json> progress) {
        Json last = null;
        try {
            for (String line = next(); line != null; line = next()) {
                if (last != null) {
                    progress.accept(last);
                }
                last = Json.ofStored(line);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Reply.Refused(unknown("was not waited for: the waiter was interrupted", e));
        }
        Reply end = answer.isDone()
                ? transport.reply(request, answer, SILENCE)
                : Reply.notNow(unknown("said nothing for " + SILENCE, null));
        return last != null && end instanceof Reply.Answered ? new Reply.Answered(last) : end;
    }

    /** The next line that is not empty; null at the end, or where the server has gone silent. */
    private @Nullable String next() throws InterruptedException {
        while (true) {
            Optional<String> line = lines.poll(SILENCE.toSeconds(), TimeUnit.SECONDS);
            if (line == null || line.isEmpty()) {
                return null;
            }
            if (!line.get().isBlank()) {
                return line.get();
            }
        }
    }

    private StoreException unknown(String why, @Nullable Throwable cause) {
        return new StoreException(
                ErrorCode.OUTCOME_UNKNOWN, "%s %s %s.".formatted(request.method(), request.uri(), why), cause);
    }

    /** Takes no more lines. */
    @Override
    public void close() {
        answer.cancel(true);
    }

    private final class Lines implements Flow.Subscriber<String> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(String line) {
            lines.add(Optional.of(line));
        }

        @Override
        public void onError(Throwable failure) {
            // The answer as a whole fails with it.
        }

        @Override
        public void onComplete() {
            // The answer as a whole is complete then.
        }
    }
}
