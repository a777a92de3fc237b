package io.perdure.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.Store;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Event;
import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.ForwardingStore;
import io.perdure.testkit.crash.Ordeal.Place;
import io.perdure.testkit.crash.Ordeal.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Made-up workflows pass over a sound store, and show what an unsound one did to them. */
@Exhaustive
@Timeout(120)
final class RandomProgramsTest {
    private static final int SEEDS = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** Longer than a lease, and much shorter than an attempt may take. */
    private static final Duration LEASE_OVER = Duration.ofSeconds(15);

    /** A store in memory that outlives its processes; its clock is put forward where leases are to end. */
    private static final class Memory implements Place {
        private final SystemEnvironment environment = new SystemEnvironment();
        private final AtomicInteger deaths = new AtomicInteger();
        private final Store store;

        Memory(UnaryOperator<Store> bent) {
            store = bent.apply(new MemoryStore(
                    () -> environment.clock().instant().plus(LEASE_OVER.multipliedBy(deaths.get())),
                    Limits.defaults()));
        }

        @Override
        public Store open() {
            return new ForwardingStore(store) {
                @Override
                public void close() {
                    // Another process comes.
                }
            };
        }

        @Override
        public void endLeases() {
            deaths.incrementAndGet();
        }
    }

    private static Tally passed(UnaryOperator<Store> bent) {
        return LongStream.range(0, SEEDS)
                .mapToObj(seed -> new Ordeal(seed, new Memory(bent), PATIENCE).pass())
                .reduce(new Tally(0, 0, 0), Tally::plus);
    }

    private static void assertCaught(UnaryOperator<List<Draft>> fault, String how) {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> passed(store -> new Bent(store, fault)))
                .withMessageContaining("-Dperdure.seed=")
                .withMessageContaining("Program[name=")
                .withMessageContaining(how);
    }

    @Test
    void aSoundStorePasses() {
        Tally tally = passed(UnaryOperator.identity());
        assertThat(tally.deaths()).isGreaterThan(SEEDS);
        assertThat(tally.completed()).isPositive();
        assertThat(tally.failed()).isPositive();
    }

    @Test
    void aStoreThatForgetsWhatAStepWroteIsCaught() {
        assertCaught(
                drafts -> drafts.stream().map(RandomProgramsTest::forgetful).toList(), "what happened");
    }

    private static Draft forgetful(Draft draft) {
        return draft.event() instanceof Event.StepCompleted done
                ? new Draft(new Event.StepCompleted(
                        done.step(), done.attempt(), done.output(), Map.of(), done.next(), done.startedAt()))
                : draft;
    }

    @Test
    void aStoreThatRecordsTheLastCompletionTwiceIsCaught() {
        assertCaught(
                drafts -> {
                    List<Draft> more = new ArrayList<>(drafts);
                    if (drafts.getLast().event() instanceof Event.RunCompleted
                            && drafts.size() > 1
                            && drafts.get(drafts.size() - 2).event() instanceof Event.StepCompleted) {
                        more.add(drafts.size() - 2, drafts.get(drafts.size() - 2));
                    }
                    return more;
                },
                "what happened");
    }

    /** Bends what is appended. */
    private static final class Bent extends ForwardingStore {
        private final UnaryOperator<List<Draft>> fault;

        Bent(Store store, UnaryOperator<List<Draft>> fault) {
            super(store);
            this.fault = fault;
        }

        @Override
        public List<Outcome> commit(Batch batch) {
            List<Commit> commits = batch.commits().stream().map(this::bent).toList();
            return store.commit(new Batch(batch.lane(), batch.number(), commits));
        }

        private Commit bent(Commit commit) {
            return commit instanceof Advance advance && !advance.events().isEmpty()
                    ? new Advance(
                            advance.tenant(),
                            advance.run(),
                            advance.token(),
                            advance.seq(),
                            fault.apply(advance.events()),
                            advance.sends(),
                            advance.release())
                    : commit;
        }
    }
}
