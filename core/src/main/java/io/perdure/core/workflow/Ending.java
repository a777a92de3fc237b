package io.perdure.core.workflow;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.RunFailedException;
import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.worker.Follower;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The end of a run that a worker of this process has in hand: who waits for it here need not ask the store. */
final class Ending implements Follower {
    private final Environment environment;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable End end;
    private boolean left;
    private @Nullable Bell bell;

    /** How a run ended. */
    record End(
            RunStatus status,
            @Nullable Json output,
            @Nullable Failure error) {
        /** The run's result; throws where it has none, saying why. */
        Json output(RunId id, Duration waited) {
            String why = why();
            return switch (status) {
                case COMPLETED -> output == null ? Json.NULL : output;
                case FAILED -> throw new RunFailedException(ErrorCode.RUN_FAILED, "Run " + id + " failed" + why + ".");
                case CANCELLED ->
                    throw new RunFailedException(ErrorCode.RUN_CANCELLED, "Run " + id + " was cancelled" + why + ".");
                case RUNNING, PARKED ->
                    throw new RefusedException(
                            ErrorCode.NO_RESULT_YET,
                            "Run " + id + " is " + status.word() + " after a wait of " + waited + why + ".");
            };
        }

        /** The reason as the rest of a sentence; one that begins with its own code, or is its own type, is not named twice. */
        private String why() {
            if (error == null) {
                return "";
            }
            String message = error.message().endsWith(".")
                    ? error.message().substring(0, error.message().length() - 1)
                    : error.message();
            return message.startsWith(error.type()) || error.type().startsWith("cancelled")
                    ? ": " + message
                    : ": " + error.type() + ": " + message;
        }
    }

    Ending(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void ended(RunStatus status, @Nullable Json output, @Nullable Failure error) {
        settle(new End(status, output, error));
    }

    @Override
    public void left() {
        lock.lock();
        try {
            if (end == null) {
                settle(null);
            }
        } finally {
            lock.unlock();
        }
    }

    private void settle(@Nullable End how) {
        lock.lock();
        try {
            end = how;
            left = how == null;
            if (bell != null) {
                bell.ring();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The end; empty where the worker has let go of the run, or the time is over. */
    Optional<End> await(Duration atMost) throws InterruptedException {
        long deadline = environment.nanoTime() + TimeUnit.NANOSECONDS.convert(atMost);
        Bell mine;
        lock.lock();
        try {
            if (end != null || left || bell != null) {
                // A second one who waits has the store tell it.
                return Optional.ofNullable(end);
            }
            mine = environment.bell();
            bell = mine;
        } finally {
            lock.unlock();
        }
        try {
            return await(mine, deadline);
        } finally {
            lock.lock();
            try {
                bell = null;
            } finally {
                lock.unlock();
            }
        }
    }

    private Optional<End> await(Bell mine, long deadline) throws InterruptedException {
        while (true) {
            lock.lock();
            try {
                if (end != null || left) {
                    return Optional.ofNullable(end);
                }
            } finally {
                lock.unlock();
            }
            long nanos = deadline - environment.nanoTime();
            if (nanos <= 0) {
                return Optional.empty();
            }
            mine.await(Duration.ofNanos(nanos));
        }
    }
}
