package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Hint;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Discard;
import io.perdure.core.store.QueueCommit.Purge;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.Store.Watch;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.worker.Release;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Hints may be lost, doubled or wrong, so none of these tests counts on one: each does its deed again and again until a
 * hint of it was heard. A store that never hints fails them, one that hints badly does not.
 */
abstract class WakeContract extends StoreFixture {
    private static final int DEEDS = 100;
    private static final long PATIENCE_MILLIS = 300;
    private static final QueueName RUNS = QueueName.ofRuns(WORKFLOW, 1);

    WakeContract(StoreFactory factory) {
        super(factory);
    }

    /** Does the deed, which answers the hint that may follow, until that hint was heard. */
    private void heardOf(Supplier<Hint> deed) {
        BlockingQueue<Hint> heard = new LinkedBlockingQueue<>();
        try (Watch watch = store.watch(heard::add)) {
            assertThat(watch).isNotNull();
            for (int attempt = 0; attempt < DEEDS; attempt++) {
                heard.clear();
                if (hears(heard, deed.get())) {
                    return;
                }
            }
        }
        throw new AssertionError("%d deeds and not one hint of them".formatted(DEEDS));
    }

    private static boolean hears(BlockingQueue<Hint> heard, Hint expected) {
        try {
            Hint hint = heard.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            while (hint != null && !hint.equals(expected)) {
                hint = heard.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
            }
            return hint != null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for a hint", e);
        }
    }

    @Test
    final void aStartHintsThatARunIsReady() {
        heardOf(() -> {
            started();
            return new Hint.Ready(TENANT, RUNS);
        });
    }

    @Test
    final void aDelayedStartHintsThatThereIsATimeToWaitFor() {
        heardOf(() -> {
            started(newRun().ready(Due.in(HOUR)));
            return new Hint.Ready(TENANT, RUNS);
        });
    }

    @Test
    final void aSignalHintsThatTheRunItWokeIsReady() {
        heardOf(() -> {
            commit(signal(suspendedOn(Events.VERIFY), Events.VERIFY));
            return new Hint.Ready(TENANT, RUNS);
        });
    }

    @Test
    final void aReleaseAtOnceHintsThatTheRunIsReady() {
        heardOf(() -> {
            appended(startedAndHeld().releases(1, Release.until(Due.atOnce())));
            return new Hint.Ready(TENANT, RUNS);
        });
    }

    @Test
    final void aResumeHintsThatTheRunIsReady() {
        heardOf(() -> {
            appended(intervene(ended(newRun(), Events.parked()), Events.resumed()));
            return new Hint.Ready(TENANT, RUNS);
        });
    }

    @Test
    final void anEndHintsThatTheRunEnded() {
        heardOf(() -> new Hint.Ended(TENANT, ended(newRun(), Events.completed("1"))));
    }

    @Test
    final void aCancelHintsThatTheRunEnded() {
        heardOf(() -> {
            RunId run = started();
            appended(intervene(run, Events.cancelled()));
            return new Hint.Ended(TENANT, run);
        });
    }

    @Test
    final void parking_hintsAsAnEndDoes() {
        heardOf(() -> new Hint.Ended(TENANT, ended(newRun(), Events.parked())));
    }

    @Test
    final void aSendHintsThatAMessageIsReady() {
        createQueue();
        heardOf(() -> {
            sent();
            return new Hint.Ready(TENANT, QUEUE);
        });
    }

    @Test
    final void aSettledHeadHintsThatTheNextOfItsGroupIsReady() {
        heardOfLast(QUEUE, () -> {
            commit(sendAll(newMail().group("g"), newMail().group("g")));
            return done(receive(1).getFirst());
        });
    }

    @Test
    final void aRetryWithoutDelayHintsThatTheMessageIsReady() {
        heardOfLast(QUEUE, () -> {
            sent();
            return retry(receiveOnly(), Duration.ZERO);
        });
    }

    @Test
    final void aRejectionHintsThatADeadLetterIsReady() {
        heardOfLast(QUEUE.deadLetters(), () -> {
            sent();
            return reject(receiveOnly());
        });
    }

    @Test
    final void aRedriveHintsThatTheMessageIsReady() {
        heardOfLast(QUEUE, () -> new Redrive(TENANT, QUEUE.deadLetters(), deadLetter(newMail())));
    }

    @Test
    final void aDiscardedHeadHintsThatTheNextOfItsGroupIsReady() {
        heardOfLast(QUEUE, () -> {
            NewMail head = newMail().group("g");
            commit(sendAll(head, newMail().group("g")));
            return new Discard(TENANT, QUEUE, head.message().id());
        });
    }

    /** Prepares a commit and sends it, until after it a hint was heard that is not one of the preparations. */
    private void heardOfLast(QueueName queue, Supplier<Commit> prepared) {
        createQueue();
        Hint ready = new Hint.Ready(TENANT, queue);
        BlockingQueue<Hint> heard = new LinkedBlockingQueue<>();
        try (Watch watch = store.watch(heard::add)) {
            assertThat(watch).isNotNull();
            for (int attempt = 0; attempt < DEEDS; attempt++) {
                Commit last = prepared.get();
                hears(heard, ready);
                heard.clear();
                expect(Outcome.Applied.class, last);
                if (hears(heard, ready)) {
                    return;
                }
                commit(new Purge(TENANT, QUEUE, 10));
            }
        }
        throw new AssertionError("%d commits and not one hint of them".formatted(DEEDS));
    }

    @Test
    final void everyListenerHears() {
        BlockingQueue<Hint> first = new LinkedBlockingQueue<>();
        BlockingQueue<Hint> second = new LinkedBlockingQueue<>();
        try (Watch one = store.watch(first::add);
                Watch two = store.watch(second::add)) {
            assertThat(one).isNotSameAs(two);
            Hint ready = new Hint.Ready(TENANT, RUNS);
            boolean firstHeard = false;
            boolean secondHeard = false;
            for (int attempt = 0; attempt < DEEDS && !(firstHeard && secondHeard); attempt++) {
                started();
                firstHeard = firstHeard || hears(first, ready);
                secondHeard = secondHeard || hears(second, ready);
            }
            assertThat(firstHeard && secondHeard).isTrue();
        }
    }

    @Test
    final void aClosedWatchHearsNothingOfWhatHappensLater() {
        BlockingQueue<Hint> closed = new LinkedBlockingQueue<>();
        store.watch(closed::add).close();
        QueueName later = new QueueName("later");
        createQueue(later, QueueSettings.defaults());
        heardOf(() -> {
            sent(newMail().queue(later));
            return new Hint.Ready(TENANT, later);
        });
        assertThat(List.copyOf(closed)).doesNotContain(new Hint.Ready(TENANT, later));
    }
}
