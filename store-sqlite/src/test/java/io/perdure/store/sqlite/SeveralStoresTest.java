package io.perdure.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Hint;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Update;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Intervene;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.Store.Watch;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.worker.Claim.Served;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two stores on one file: what one process does, the other sees. */
final class SeveralStoresTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("app.db");
    }

    @Test
    void eachReceivesWhatTheOtherSent() {
        try (Mailroom here = Mailroom.at(file);
                Mailroom there = Mailroom.at(file)) {
            here.commit(Mailroom.sends(3, "from here"));
            there.commit(Mailroom.sends(4, "from there"));
            assertThat(there.receive(5)).hasSize(5);
            assertThat(here.receive(5)).hasSize(2);
        }
    }

    @Test
    void aMessageGoesToOneOfThem() {
        try (Mailroom here = Mailroom.at(file);
                Mailroom there = Mailroom.at(file)) {
            here.commit(Mailroom.sends(100, "hello"));
            Set<Object> seen = here.receive(50).stream()
                    .map(delivery -> delivery.message().id())
                    .collect(Collectors.toSet());
            there.receive(100).forEach(delivery -> seen.add(delivery.message().id()));
            assertThat(seen).hasSize(100);
        }
    }

    @Test
    void aSendElsewhereIsHeardOfHere() throws InterruptedException {
        try (Mailroom here = Mailroom.at(file);
                Mailroom there = Mailroom.at(file)) {
            BlockingQueue<Hint> heard = new LinkedBlockingQueue<>();
            try (Watch watch = here.store.watch(heard::add)) {
                assertThat(watch).isNotNull();
                there.commit(Mailroom.sends(1, "hello"));
                assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(new Hint.Anything());
            }
        }
    }

    @Test
    void lookingInVainTellsNobodyElse() throws InterruptedException {
        try (Mailroom here = Mailroom.at(file);
                Mailroom there = Mailroom.at(file)) {
            BlockingQueue<Hint> heard = new LinkedBlockingQueue<>();
            try (Watch watch = here.store.watch(heard::add)) {
                assertThat(watch).isNotNull();
                there.receive(1);
                there.commit(Mailroom.sends(1, "hello"));
                assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(new Hint.Anything());
                here.receive(1);
                // A hint follows the answer to its call: the next call is answered after it.
                here.receive(1);
                heard.clear();
                there.receive(1);
                there.receive(1);
                // Had those two been heard of, it would be before what comes now.
                here.commit(Mailroom.sends(1, "hello"));
                assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(new Hint.Ready(Mailroom.TENANT, Mailroom.QUEUE));
            }
        }
    }

    @Test
    void aLeaseTakenAwayElsewhereIsLostHere() {
        try (Mailroom here = Mailroom.at(file);
                Mailroom there = Mailroom.at(file)) {
            List<Advance> firsts = new ArrayList<>();
            for (int number = 0; number < 3; number++) {
                Lease lease = new Lease(Mailroom.IDS.token(), Duration.ofMinutes(1));
                Start start = start(lease);
                assertThat(here.commit(start)).isInstanceOf(Outcome.Started.class);
                firsts.add(step(start.run(), lease, 1));
            }
            Event cancelled = new Event.RunCancelled("operator", "no longer wanted");
            there.commit(new Intervene(Mailroom.TENANT, firsts.get(1).run(), cancelled));
            assertThat(here.commit(firsts))
                    .hasExactlyElementsOfTypes(Outcome.Appended.class, Outcome.LeaseLost.class, Outcome.Appended.class);
        }
    }

    @Test
    void advance_afterAnotherProcessTookTheLapsedRun_isRefusedAndTheOtherGoesOn() {
        try (Mailroom here = Mailroom.at(file);
                Mailroom there = Mailroom.at(file)) {
            Lease brief = new Lease(Mailroom.IDS.token(), Duration.ofMillis(1));
            Start start = start(brief);
            // After this commit the writer here knows the run, its lease and its last event.
            assertThat(here.commit(List.of(start, step(start.run(), brief, 1))))
                    .allMatch(outcome -> outcome instanceof Outcome.Applied);
            Lease taken = new Lease(Mailroom.IDS.token(), Duration.ofMinutes(1));
            awaitClaim(there, taken);

            assertThat(here.commit(step(start.run(), brief, 2))).isInstanceOf(Outcome.LeaseLost.class);
            assertThat(there.commit(step(start.run(), taken, 2))).isInstanceOf(Outcome.Appended.class);
            assertThat(here.store.history(Mailroom.TENANT, start.run(), 0, 10)).hasSize(3);
        }
    }

    @Test
    void advance_afterAnotherProcessAppended_isRefusedByItsNumber() {
        try (Mailroom here = Mailroom.at(file);
                Mailroom there = Mailroom.at(file)) {
            Lease lease = new Lease(Mailroom.IDS.token(), Duration.ofMinutes(1));
            Start start = start(lease);
            assertThat(here.commit(start)).isInstanceOf(Outcome.Started.class);
            assertThat(there.commit(step(start.run(), lease, 1))).isInstanceOf(Outcome.Appended.class);

            assertThat(here.commit(step(start.run(), lease, 1))).isEqualTo(new Outcome.Conflict(1));
            assertThat(here.commit(step(start.run(), lease, 2))).isInstanceOf(Outcome.Appended.class);
        }
    }

    /** Claims until the lease of the only run has run out. */
    private static void awaitClaim(Mailroom room, Lease lease) {
        Served served = new Served(new WorkflowName("order"), Set.of(1));
        long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (room.store
                .claim(new ClaimRuns(Mailroom.TENANT, List.of(served), 1, lease))
                .runs()
                .isEmpty()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Test
    void settle_afterAnotherProcessTookTheLapsedMessage_isRefusedAndTheOtherGoesOn() {
        try (Mailroom here = Mailroom.at(file);
                Mailroom there = Mailroom.at(file)) {
            here.commit(Mailroom.sends(1, "hello"));
            Lease brief = new Lease(Mailroom.IDS.token(), Duration.ofMillis(1));
            Delivery first = here.store
                    .receive(new Receive(Mailroom.TENANT, Mailroom.QUEUE, 1, brief))
                    .deliveries()
                    .getFirst();
            List<Delivery> second = there.receive(1);
            long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
            while (second.isEmpty()) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                second = there.receive(1);
            }

            assertThat(here.commit(Mailroom.done(first.receipt()))).isInstanceOf(Outcome.LeaseLost.class);
            assertThat(there.commit(Mailroom.done(second.getFirst().receipt()))).isInstanceOf(Outcome.Settled.class);
        }
    }

    @Test
    void runsStartedInTurnDoNotMeet() {
        try (Mailroom here = Mailroom.at(file);
                Mailroom there = Mailroom.at(file)) {
            for (int turn = 0; turn < 5; turn++) {
                for (Mailroom room : List.of(here, there)) {
                    Lease lease = new Lease(Mailroom.IDS.token(), Duration.ofMinutes(1));
                    Start start = start(lease);
                    List<Commit> both = List.of(start, step(start.run(), lease, 1));
                    assertThat(room.commit(both)).allMatch(outcome -> outcome instanceof Outcome.Applied);
                }
            }
            assertThat(here.store.runs(RunQuery.all(Mailroom.TENANT, 100)).runs())
                    .hasSize(10);
        }
    }

    private static Start start(Lease lease) {
        Definition definition = new Definition(new WorkflowName("order"), 1, RunKind.CODE, Json.NULL, Map.of());
        StartOptions options = new StartOptions(null, null, Due.never(), Map.of(), 1, null);
        return new Start(Mailroom.TENANT, Mailroom.IDS.runId(), definition, Due.atOnce(), lease, options);
    }

    private static Advance step(RunId run, Lease lease, long seq) {
        Event event = new Event.StepCompleted(new StepName("step"), Json.NULL, Instant.EPOCH);
        return new Advance(Mailroom.TENANT, run, lease.token(), seq, List.of(new Draft(event)), List.of(), null);
    }

    @Test
    void settingsChangedElsewhereHoldHereAtOnce() {
        try (Mailroom here = Mailroom.at(file);
                Mailroom there = Mailroom.at(file)) {
            here.commit(Mailroom.sends(1, "hello"));
            QueueSettings once = new QueueSettings(
                    Duration.ofSeconds(30), 0, false, Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1));
            there.commit(new Update(Mailroom.TENANT, Mailroom.QUEUE, once));
            here.commit(Mailroom.sends(1, "hello"));
            assertThat(here.receive(10))
                    .extracting(delivery -> Duration.between(
                            delivery.message().sentAt(), delivery.message().expiresAt()))
                    .containsExactly(Duration.ofDays(4), Duration.ofHours(1));
        }
    }
}
