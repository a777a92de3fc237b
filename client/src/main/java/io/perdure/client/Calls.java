package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.ProblemJson;
import io.perdure.sdk.wire.RestHeaders;
import java.io.InterruptedIOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server, again where that is right and as long as there is patience; {@code PD-203} once it is closed. Safe for many threads.
 */
final class Calls implements AutoCloseable {
    /** The status of a problem that came after the answer had begun. */
    private static final int FAULT = 500;

    /** For what has to look at all there is. */
    static final Duration LONG = Duration.ofMinutes(10);

    private final Transport transport;
    private final Environment environment;
    private final RequestThreads threads;
    private final Yielding yielding;
    private final Duration patience;
    private final Set<Bell> resting = ConcurrentHashMap.newKeySet();
    private final Set<Runnable> endings = ConcurrentHashMap.newKeySet();
    private volatile boolean waitsEnded;
    private volatile boolean closed;

    Calls(Transport transport, Duration patience) {
        this.transport = transport;
        this.environment = transport.environment();
        this.threads = new RequestThreads(environment);
        this.yielding = new Yielding(environment);
        this.patience = patience;
    }

    Environment environment() {
        return environment;
    }

    /** The threads of requests that callers share. */
    RequestThreads threads() {
        return threads;
    }

    Yielding yielding() {
        return yielding;
    }

    Duration patience() {
        return patience;
    }

    /** A fresh id for a change. */
    UUID requestId() {
        return environment.ids().token();
    }

    /** A change that can be sent twice, and is done once. */
    Call repeatable(String method, String path, @Nullable Json body) {
        return Call.change(method, path, body, requestId(), Call.Again.ALWAYS);
    }

    /** A change that can be sent twice because of what it says, such as the ids of what it makes. */
    Call natural(String method, String path, Json body) {
        return Call.natural(method, path, body, Call.Again.ALWAYS);
    }

    /** A change that is not sent again once the server may have done it. */
    Call once(String method, String path, @Nullable Json body) {
        return Call.change(method, path, body, requestId(), Call.Again.IF_UNDONE);
    }

    /** Asks, and reads the answer; {@code PD-604} where that cannot be read. */
    <T> T ask(Call call, Function<Json, T> read) {
        return read(call, ask(call), read);
    }

    /** Asks; an answer without a body is JSON's {@code null}. Who is interrupted hears that nobody knows, and the flag stays set. */
    Json ask(Call call) {
        return untilAnswered(call, (sent, _) -> once(sent, request(sent)));
    }

    private HttpRequest request(Call call) {
        return transport.request(call.method(), call.path(), call.body(), call.headers());
    }

    private Reply once(Call call, HttpRequest request) {
        CompletableFuture<HttpResponse<byte[]>> answer = transport.begin(request);
        Runnable ending = () -> answer.completeExceptionally(new InterruptedIOException("nobody waits any more"));
        if (call.waits()) {
            endings.add(ending);
            if (waitsEnded) {
                // By who did not see this one.
                ending.run();
            }
        }
        try {
            return transport.reply(request, answer, call.oneTry().plus(call.length()));
        } finally {
            endings.remove(ending);
        }
    }

    /**
     * Asks for an answer of many lines; tells of each but the last as it comes, and answers that one. An {@code error} in the last is thrown. Where the answer
     * breaks off, it is asked for again: the server then has only its end to tell. Patience begins anew with each line.
     */
    <T> T lines(Call call, Function<Json, T> read, Consumer<T> progress) {
        Call asked = call.header("Accept", RestHeaders.LINES);
        Json last = untilAnswered(asked, (sent, left) -> {
            try (LineStream lines = new LineStream(transport, request(sent))) {
                return lines.each(line -> {
                    left.renew();
                    progress.accept(read(asked, line, read));
                });
            }
        });
        if (read(asked, last, line -> FieldReader.of(line).has("error"))) {
            throw read(
                    asked, last, line -> ProblemJson.read(FieldReader.of(line).valueOrNull("error"), FAULT));
        }
        return read(asked, last, read);
    }

    /** One try. */
    private interface Try {
        Reply make(Call call, Patience left);
    }

    private Json untilAnswered(Call call, Try ask) {
        Call sent = call;
        Bell bell = environment.bell();
        Patience left = new Patience(environment, bell, call.patience() == null ? patience : call.patience());
        resting.add(bell);
        try {
            while (true) {
                if (isOver(call)) {
                    throw closed();
                }
                switch (ask.make(sent, left)) {
                    case Reply.Answered(Json answer) -> {
                        return answer;
                    }
                    case Reply.Refused(PerdureException why) -> throw isOver(call) ? closed() : why;
                    case Reply.NotNow(PerdureException why, Duration retryAfter) -> {
                        if (!isSentAgain(call, why) || !left.pause(retryAfter)) {
                            throw isOver(call) ? closed() : why;
                        }
                        sent = mayHaveArrived(why) ? call.sentAgain() : sent;
                    }
                }
            }
        } finally {
            resting.remove(bell);
        }
    }

    private static boolean isSentAgain(Call call, PerdureException why) {
        return switch (why.code()) {
            // Full until its run takes some: nothing that passes by itself.
            case MAILBOX_FULL -> false;
            default -> !mayHaveArrived(why) || call.again() == Call.Again.ALWAYS;
        };
    }

    private static boolean mayHaveArrived(PerdureException why) {
        return why.code() == ErrorCode.OUTCOME_UNKNOWN || why.code() == ErrorCode.LANE_REWOUND;
    }

    private static <T> T read(Call call, Json answer, Function<Json, T> read) {
        return read(call.method() + " " + call.path(), answer, read);
    }

    /** Reads an answer; {@code PD-604} where that cannot be read. */
    static <T> T read(String what, Json answer, Function<Json, T> read) {
        try {
            return read.apply(answer);
        } catch (InvalidValueException e) {
            throw new RefusedException(
                    ErrorCode.PROTOCOL_MISMATCH, "The answer to %s cannot be read: %s".formatted(what, e.what()), e);
        }
    }

    /** Rests a moment between two waits, unless they are ended meanwhile. */
    void rest(Duration length) throws InterruptedException {
        Bell bell = environment.bell();
        resting.add(bell);
        try {
            if (!waitsEnded) {
                bell.await(length);
            }
        } finally {
            resting.remove(bell);
        }
    }

    /** Does something on a thread of its own, see {@link #startAlike}. */
    <T> Later<T> later(String name, Supplier<T> what) {
        Later<T> later = new Later<>();
        startAlike(name, () -> later.complete(what));
        return later;
    }

    /**
     * Starts a thread like the caller's. Where that is one of the operating system, steps that compute and keep every carrier of virtual threads busy hold up
     * neither. Thousands of virtual threads may call, and would not hear of an answer any sooner.
     */
    void startAlike(String name, Runnable task) {
        if (Thread.currentThread().isVirtual()) {
            environment.start(name, task);
        } else {
            environment.startApart(name, task);
        }
    }

    /** Throws {@code PD-203} once this was closed. */
    void requireOpen() {
        if (closed) {
            throw closed();
        }
    }

    private boolean isOver(Call call) {
        return closed || (waitsEnded && call.waits());
    }

    private static StoreException closed() {
        return new StoreException(ErrorCode.STORE_CLOSED, "This client was closed.");
    }

    /** Ends every wait with {@code PD-203}, those to come as well; all else goes on. */
    void endWaits() {
        waitsEnded = true;
        endings.forEach(Runnable::run);
        resting.forEach(Bell::ring);
    }

    /** Ends all that is under way. */
    @Override
    public void close() {
        closed = true;
        waitsEnded = true;
        resting.forEach(Bell::ring);
        threads.close();
        transport.close();
    }
}
