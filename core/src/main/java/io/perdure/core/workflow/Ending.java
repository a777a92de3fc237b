package io.perdure.core.workflow;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.RunEnd;
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
    private @Nullable RunEnd end;
    private boolean left;
    private @Nullable Bell bell;

    Ending(Environment environment) {
        this.environment = environment;
    }

    @Override
    public void ended(RunStatus status, @Nullable Json output, @Nullable Failure error) {
        settle(new RunEnd(status, output, error));
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

    private void settle(@Nullable RunEnd how) {
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
    Optional<RunEnd> await(Duration atMost) throws InterruptedException {
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

    private Optional<RunEnd> await(Bell mine, long deadline) throws InterruptedException {
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
