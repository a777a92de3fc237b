package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Due;
import io.perdure.core.store.Hint;
import io.perdure.core.store.QueueCommit.Purge;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueSettings;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.RunCommit.Release;
import io.perdure.core.store.Store.Watch;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
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
    final void aSendHintsThatAMessageIsReady() {
        createQueue();
        heardOf(() -> {
            sent();
            return new Hint.Ready(TENANT, QUEUE);
        });
    }

    @Test
    final void aSettledHeadHintsThatTheNextOfItsGroupIsReady() {
        heardOfSettling(StoreFixture::done);
    }

    @Test
    final void aRetryWithoutDelayHintsThatTheMessageIsReady() {
        heardOfSettling(delivery -> retry(delivery, Duration.ZERO));
    }

    /** Settles heads of groups until a hint was heard that is not the one of their send. */
    private void heardOfSettling(Function<Delivery, Settle> verdict) {
        createQueue();
        Hint ready = new Hint.Ready(TENANT, QUEUE);
        BlockingQueue<Hint> heard = new LinkedBlockingQueue<>();
        try (Watch watch = store.watch(heard::add)) {
            assertThat(watch).isNotNull();
            for (int attempt = 0; attempt < DEEDS; attempt++) {
                String group = "g" + attempt;
                commit(sendAll(newMail().group(group), newMail().group(group)));
                Delivery head = receive(1).getFirst();
                hears(heard, ready);
                heard.clear();
                commit(verdict.apply(head));
                if (hears(heard, ready)) {
                    return;
                }
                commit(new Purge(TENANT, QUEUE, 10));
            }
        }
        throw new AssertionError("%d messages settled and not one hint".formatted(DEEDS));
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
