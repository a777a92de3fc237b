package io.perdure.store.sqlite;

import io.perdure.sdk.PerdureException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A piece of work on its way through the writer, and the caller that waits for it. */
final class Job<T> {
    /** What is to be done within a transaction. */
    @FunctionalInterface
    interface Work<T> {
        T in(Transaction transaction);
    }

    private final Work<T> work;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private @Nullable T result;
    private @Nullable Throwable failure;

    Job(Work<T> work) {
        this.work = work;
    }

    void run(Transaction transaction) {
        result = work.in(transaction);
        failure = null;
    }

    /** Notes that the work refused, which is told once the transaction that it was part of is over. */
    void failLater(Throwable why) {
        failure = why;
    }

    /** Tells the caller what came out, now that it is durable. */
    void succeed() {
        if (failure != null) {
            answer.completeExceptionally(failure);
        } else {
            answer.complete(result);
        }
    }

    void fail(Throwable why) {
        answer.completeExceptionally(why);
    }

    /** Waits for the answer, whatever interrupts: what was handed over may happen. */
    T await() {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw switch (e.getCause()) {
                // Others may have failed by the same one.
                case PerdureException failed -> failed.retold(failed.what());
                case RuntimeException failed -> failed;
                case null, default -> e;
            };
        }
    }
}
