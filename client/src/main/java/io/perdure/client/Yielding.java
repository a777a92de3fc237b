package io.perdure.client;

import io.perdure.sdk.environment.Bell;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.logging.Logs;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets the callers run that a shared request has just answered, many of whom ask for the next thing at once. Without it the first of them make up a
 * small request and the others miss it, for ever in turns. Measured on 2 cores with 256 callers and requests of 0.3 ms: 252 to a request instead of 128 where
 * one is in progress at a time, 64 instead of 54 where four are.
 *
 * <p>Most callers are virtual threads, and requests go out on threads of the operating system. So such a thread starts a virtual one, which as a rule
 * comes after those that were woken before it, and waits until that has run: for at most 10 ms, and not at all while one that was started earlier has still not
 * run, because steps that compute keep it from running. Safe for many threads.
 */
final class Yielding {
    private static final System.Logger LOG = Logs.of(Yielding.class);
    private static final Duration AT_MOST = Duration.ofMillis(10);

    private final Environment environment;
    /** Those that did not run in time, and have not run since. */
    private final Set<Turn> overdue = ConcurrentHashMap.newKeySet();

    Yielding(Environment environment) {
        this.environment = environment;
    }

    /** Waits until the virtual threads that could run before this call have had their chance. */
    void toThoseAnswered(int answered) {
        if (answered <= 1 || !overdue.isEmpty()) {
            return;
        }
        Turn turn = new Turn();
        try {
            environment.start("perdure-yielding", turn);
            if (!turn.done.await(AT_MOST)) {
                overdue.add(turn);
                if (turn.ran) {
                    overdue.remove(turn);
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.DEBUG, "The next request may be smaller: no thread could be started.", e);
        }
    }

    private final class Turn implements Runnable {
        private final Bell done = environment.bell();
        private volatile boolean ran;

        @Override
        public void run() {
            ran = true;
            overdue.remove(this);
            done.ring();
        }
    }
}
