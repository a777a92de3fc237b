package io.perdure.store.sqlite;

import io.perdure.sdk.PerdureException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
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

    /** Tells the caller that the writer ended before it took this job. */
    void abandon() {
        answer.completeExceptionally(new Abandoned());
    }

    /**
     * Waits for the answer, whatever interrupts: what was handed over may happen.
     *
     * @param gone the error of a caller that comes after the writer has ended. A caller that is still waiting then gets the same
     *     error, with the same cause: which of the two it is depends on the threads.
     */
    T await(Supplier<? extends RuntimeException> gone) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw switch (e.getCause()) {
                case Abandoned _ -> gone.get();
                // Others may have failed by the same one.
                case PerdureException failed -> failed.retold(failed.what());
                case RuntimeException failed -> failed;
                case null, default -> e;
            };
        }
    }

    /** Marks a job that the writer never took. It carries no stack: it is never thrown. */
    private static final class Abandoned extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Abandoned() {
            super(null, null, false, false);
        }
    }
}
