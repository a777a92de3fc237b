package io.perdure.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.queue.Fate;
import io.perdure.testkit.Seeds;
import io.perdure.testkit.invariant.Fact;
import io.perdure.testkit.invariant.Violation;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Runs the simulation on the memory store. {@code -Dperdure.seed=N} runs that seed alone; anything but a number fails. */
class SimulationTest {
    private static final long SEEDS = 300;

    private final Simulation simulation = new Simulation(MemoryStore::new);

    private static LongStream seeds() {
        return Seeds.asked().findFirst().isPresent() ? Seeds.asked() : LongStream.rangeClosed(1, SEEDS);
    }

    @Test
    void memoryStoreHoldsAllInvariantsUnderEverySeed() {
        seeds().forEach(seed -> {
            SimulationReport report = simulation.run(seed);
            List<Violation> violations = report.violations();
            assertThat(violations).as(() -> report.describe(violations)).isEmpty();
        });
    }

    @Test
    void sameSeedGivesTheSameTrace() {
        for (long seed = 1; seed <= 20; seed++) {
            assertThat(simulation.run(seed).trace().hash())
                    .isEqualTo(simulation.run(seed).trace().hash());
        }
    }

    @Test
    void differentSeedsGiveDifferentTraces() {
        assertThat(simulation.run(1).trace().hash())
                .isNotEqualTo(simulation.run(2).trace().hash());
    }

    @Test
    void everyFactEveryFaultAndEveryEventOccurs() {
        Set<Class<?>> facts = new HashSet<>();
        Set<Class<?>> events = new HashSet<>();
        Set<Class<?>> outcomes = new HashSet<>();
        Set<Fate> fates = EnumSet.noneOf(Fate.class);
        Set<Fault> faults = EnumSet.noneOf(Fault.class);
        for (long seed = 1; seed <= 60; seed++) {
            SimulationReport report = simulation.run(seed);
            faults.addAll(report.occurred());
            report.trace().all().forEach(noted -> {
                facts.add(noted.fact().getClass());
                if (noted.fact() instanceof Fact.Answered answered) {
                    outcomes.add(answered.outcome().getClass());
                    if (answered.outcome() instanceof Outcome.Settled settled) {
                        fates.add(settled.fate());
                    }
                } else if (noted.fact() instanceof Fact.RunRead read) {
                    read.snapshot()
                            .history()
                            .forEach(recorded -> events.add(recorded.event().getClass()));
                }
            });
        }
        assertThat(faults).containsExactlyInAnyOrder(Fault.values());
        assertThat(fates).containsExactlyInAnyOrder(Fate.values());
        assertThat(facts).containsExactlyInAnyOrderElementsOf(Arrays.asList(Fact.class.getPermittedSubclasses()));
        assertThat(events)
                .containsAll(Arrays.stream(Event.class.getPermittedSubclasses())
                        // Only a StepFlow, or a step that must run at most once, writes this one.
                        .filter(kind -> kind != Event.StepStarted.class)
                        .toList());
        assertThat(outcomes)
                .contains(
                        Outcome.Started.class,
                        Outcome.Appended.class,
                        Outcome.Signalled.class,
                        Outcome.Sent.class,
                        Outcome.Settled.class,
                        Outcome.Changed.class,
                        Outcome.Conflict.class,
                        Outcome.LeaseLost.class,
                        Outcome.Duplicate.class,
                        Outcome.Woken.class,
                        Outcome.Refused.class);
    }

    @Test
    void brokenRuleIsReportedWithSeedAndCommandAndFacts() {
        SimulationReport report = simulation.run(7);
        String text = report.describe(List.of(new Violation("FifoOrder", 13, "group g1", "out of order", 30)));

        assertThat(text)
                .contains("Seed 7 broke 1 rules")
                .contains("FifoOrder (13) at 30, group g1: out of order")
                .contains("-Dperdure.seed=7")
                .contains(report.trace().all().get(30).toString());
    }
}
