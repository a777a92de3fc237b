package io.perdure.server.rest;

import io.perdure.core.queue.Dismissal;
import io.perdure.core.request.Requests;
import io.perdure.core.store.NotedRequest;
import io.perdure.core.store.RequestAnswer;
import io.perdure.core.store.RequestNote;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.logging.SparingLog;
import io.perdure.server.http.HttpStatus;
import io.perdure.server.http.Problems;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/**
 * Does what a request asks for once, however often it is sent, and to whichever server of the store. It is noted before it is done, and its answer is kept
 * before it is sent; whoever finds it noted does nothing but answer the same.
 *
 * <p>What failed is judged by its error. A refusal stands, and is kept like any answer. Where nothing was done because the store could not do it now, the note goes, so
 * that the next try does it. Where nobody knows, the note stays without an answer: a second try must not do it again, and hears that nobody knows. The same
 * becomes of a request whose server dies before it has kept the answer.
 *
 * <p>An answer that cannot be kept is sent all the same. It is true, and should it be lost as well, the next try hears that nobody knows, which contradicts
 * nothing. For one request.
 */
final class Once implements Witness {
    /** How long to wait for another server that has the request. A try of the client's takes 10 seconds: it is to hear this end. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(8);

    private static final SparingLog LOG = new SparingLog(Once.class, new SystemEnvironment());
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Environment ENVIRONMENT = new SystemEnvironment();

    private final Exchange exchange;
    private final Requests requests;
    private final RequestNote note;

    private Once(Exchange exchange, UUID id) {
        this.exchange = exchange;
        this.requests = exchange.engine().requests();
        this.note = requests.draft(id, exchange.digest());
    }

    /**
     * Does what is asked, and answers: once, if the operation is of that kind and the request bears an id. Other requests that change something and bear an id
     * are noted under it as well, so that it cannot be used for something else; but they are simply done again, and no answer is kept.
     */
    static void perform(Operation operation, Exchange exchange) {
        Optional<UUID> id = operation.isRead() ? Optional.empty() : exchange.requestId();
        if (id.isPresent() && operation.isDoneOnce(exchange)) {
            new Once(exchange, id.get()).perform(operation.handler());
            return;
        }
        if (id.isPresent() && operation.isNoted(exchange)) {
            Once once = new Once(exchange, id.get());
            once.requireSame(once.requests.note(once.note));
        }
        operation.handler().handle(exchange);
    }

    private void perform(Operation.Handler handler) {
        NotedRequest kept = requests.note(note);
        if (isElsewhere(kept)) {
            NotedRequest elsewhere = kept;
            kept = exchange.await(exchange.site().outcomeWait(), atMost -> await(elsewhere, atMost));
        }
        RequestAnswer answer = kept.answer();
        requireSame(kept);
        if (answer != null) {
            exchange.answer(answer);
        } else if (kept.isOf(note)) {
            first(handler);
        } else {
            throw new StoreException(
                    ErrorCode.OUTCOME_UNKNOWN,
                    "Request %s came before, and nobody has said yet what became of it.".formatted(note.id()));
        }
    }

    private void requireSame(NotedRequest kept) {
        if (!kept.isSame(note)) {
            throw new RefusedException(
                    ErrorCode.REQUEST_REUSED,
                    "Request id %s was used before for another request: its method, path, query or body differs."
                            .formatted(note.id()));
        }
    }

    private boolean isElsewhere(NotedRequest kept) {
        return kept.isSame(note) && kept.answer() == null && !kept.isOf(note);
    }

    /** What is kept once it has an answer, or when the time is over or the server stops. One that was forgotten meanwhile is noted again. */
    private NotedRequest await(NotedRequest elsewhere, Duration atMost) {
        long deadline = ENVIRONMENT.nanoTime() + atMost.toNanos();
        NotedRequest kept = elsewhere;
        while (isElsewhere(kept) && mayWait(deadline) && pause()) {
            kept = requests.find(note.id()).orElseGet(() -> requests.note(note));
        }
        return kept;
    }

    private boolean mayWait(long deadline) {
        return deadline - ENVIRONMENT.nanoTime() > 0
                && !exchange.site().waiting().isClosed()
                && !Dismissal.current().isDismissed();
    }

    private static boolean pause() {
        try {
            ENVIRONMENT.sleep(LOOK);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void first(Operation.Handler handler) {
        exchange.witnessedBy(this);
        try {
            // It may have waited for another server.
            exchange.goOn();
            handler.handle(exchange);
        } catch (PerdureException e) {
            fails(e, Problems.answer(e));
            throw e;
        }
    }

    @Override
    public void answers(RequestAnswer answer) {
        try {
            requests.answered(note, answer);
        } catch (PerdureException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    () -> "The answer to request %s could not be kept: if it is sent again, nobody knows."
                            .formatted(note.id()),
                    e);
        }
    }

    @Override
    public void fails(PerdureException error, RequestAnswer answer) {
        switch (error.code()) {
            case OUTCOME_UNKNOWN, LANE_REWOUND, FAULT -> {
                // It may have been done, and must not be done again.
            }
            default -> {
                if (HttpStatus.isPassing(HttpStatus.of(error.code()))) {
                    forget();
                } else {
                    answers(answer);
                }
            }
        }
    }

    private void forget() {
        try {
            requests.forget(note);
        } catch (PerdureException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    () -> "Request %s was not done, and could not be forgotten: if it is sent again, nobody knows."
                            .formatted(note.id()),
                    e);
        }
    }
}
