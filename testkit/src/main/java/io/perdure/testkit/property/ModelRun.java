package io.perdure.testkit.property;

import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.Store;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.testkit.Seeds;
import io.perdure.testkit.StoreFactory;
import io.perdure.testkit.VirtualClock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Ten thousand random operations, each applied to a store and to the memory store, with every answer compared, and at
 * intervals everything that reads can show. The seed decides all of it: a failure names the seed and the operation, and
 * {@code -Dperdure.seed=<seed>} on the command line of the tests runs that one as well as the fixed ones.
 */
public final class ModelRun {
    private static final int OPERATIONS = 10_000;
    private static final int OPERATIONS_BETWEEN_DUMPS = 200;
    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private final long seed;
    private final VirtualClock clock = new VirtualClock(START);
    private final Store subject;
    private final Store model;
    private final World world = new World();
    private final Operations operations;
    private final Tally tally = new Tally();

    private ModelRun(long seed, StoreFactory factory) {
        this.seed = seed;
        subject = factory.open(clock, limits());
        model = new MemoryStore(clock, limits());
        operations = new Operations(new Dice(seed, clock), world, model);
    }

    /** The seeds that every store is tried with. */
    public static LongStream seeds() {
        return LongStream.of(2, 20_260_301, 4_242_424_242L);
    }

    /** Compares a store of this kind with the model. Throws an {@link AssertionError} where they differ. */
    public static void check(StoreFactory factory, long seed) {
        ModelRun run = compared(factory, seed, OPERATIONS);
        Set<String> missing = run.tally.missing();
        if (!missing.isEmpty()) {
            throw new AssertionError(
                    "Seed " + seed + " met no " + missing + ": the generator no longer reaches what it should.");
        }
    }

    /**
     * Compares the first operations only, for a store that passes the whole and is reached in another way: behind a pooler, on
     * another version of its server. So few need not meet everything there is.
     */
    public static void checkFirst(int operations, StoreFactory factory, long seed) {
        compared(factory, seed, operations);
    }

    private static ModelRun compared(StoreFactory factory, long seed, int operations) {
        System.out.println("model run: seed " + seed + ", " + operations + " operations");
        ModelRun run = new ModelRun(seed, factory);
        try (Store _ = run.subject;
                Store _ = run.model) {
            for (int number = 1; number <= operations; number++) {
                run.apply(number, run.operations.next());
                if (number % OPERATIONS_BETWEEN_DUMPS == 0) {
                    run.compareEverything(number);
                }
            }
        }
        return run;
    }

    /** So small that histories and mailboxes get full. */
    private static Limits limits() {
        Limits limits = Limits.defaults();
        return limits.with(limits.runs().holding(12, 3));
    }

    private void apply(int number, Operation operation) {
        if (operation instanceof Operation.MoveClock(var by)) {
            clock.move(by);
        }
        Object expected = operation.applyTo(model);
        Object answer = operation.applyTo(subject);
        if (!Answers.promised(expected).equals(Answers.promised(answer))) {
            throw mismatch(number, operation.toString(), expected, answer);
        }
        tally.note(expected);
        world.learn(operation, expected);
        if (operation instanceof Operation.Send && expected == ErrorCode.LANE_REWOUND) {
            operations.laneLost();
        }
    }

    private void compareEverything(int number) {
        Map<String, Object> expected = Dump.of(model, world);
        Map<String, Object> shown = Dump.of(subject, world);
        expected.forEach((piece, value) -> {
            if (!value.equals(shown.get(piece))) {
                throw mismatch(number, "a read of " + piece, value, shown.get(piece));
            }
        });
        World.TENANTS.forEach(this::forgetSwept);
    }

    private void forgetSwept(TenantId tenant) {
        List<RunId> started = world.everStarted(tenant);
        Set<RunId> there = model.snapshots(tenant, started).stream()
                .map(RunSnapshot::run)
                .map(row -> row.id())
                .collect(Collectors.toSet());
        started.stream().filter(run -> !there.contains(run)).forEach(run -> world.forget(tenant, run));
    }

    private AssertionError mismatch(int number, String operation, Object expected, @Nullable Object answer) {
        return new AssertionError("""
                Seed %s, operation %s: the store and the model differ.
                Operation: %s
                Model:     %s
                Store:     %s
                To reproduce, run the store's contract test with -D%s=%s.""".formatted(
                        Long.toString(seed),
                        Integer.toString(number),
                        operation,
                        expected,
                        Objects.toString(answer),
                        Seeds.PROPERTY,
                        Long.toString(seed)));
    }
}
