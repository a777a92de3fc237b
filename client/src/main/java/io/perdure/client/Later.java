package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a thread of its own will have found out. Safe for many threads. */
final class Later<T> {
    private final CompletableFuture<T> future = new CompletableFuture<>();

    /** Finds it out, on this thread. */
    void complete(Supplier<T> what) {
        try {
            future.complete(what.get());
        } catch (RuntimeException | Error e) {
            future.completeExceptionally(e);
        }
    }

    /** It cannot be found out. */
    void fail(PerdureException why) {
        future.completeExceptionally(why);
    }

    /** The same; where those who wait were answered meanwhile, it goes there. */
    void complete(Supplier<T> what, Consumer<T> tooLate) {
        try {
            T found = what.get();
            if (!future.complete(found)) {
                tooLate.accept(found);
            }
        } catch (RuntimeException | Error e) {
            future.completeExceptionally(e);
        }
    }

    /** Answers those who wait with this, unless it is found out already. */
    void giveUp(T instead) {
        future.complete(instead);
    }

    boolean isDone() {
        return future.isDone();
    }

    /** Waits for it; {@code PD-201} for who is interrupted, whose flag stays set. Throws what finding it out threw. */
    T await() {
        try {
            return awaitInterruptibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(
                    ErrorCode.OUTCOME_UNKNOWN, "The answer was not waited for: the waiter was interrupted.", e);
        }
    }

    T awaitInterruptibly() throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw thrown(e.getCause());
        }
    }

    /** Waits for it, whether or not somebody interrupts. */
    T awaitAnyway() {
        try {
            return future.join();
        } catch (CompletionException e) {
            throw thrown(e.getCause());
        }
    }

    /** Has something done with it once it is there, by this executor; nothing where finding it out failed. */
    void then(Executor executor, Consumer<T> use) {
        var _ = future.thenAcceptAsync(use, executor);
    }

    private static RuntimeException thrown(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        // Nothing else is caught above.
        return (RuntimeException) Objects.requireNonNull(cause, "a failure has a cause");
    }
}
