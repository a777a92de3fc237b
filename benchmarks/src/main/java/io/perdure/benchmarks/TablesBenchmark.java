package io.perdure.benchmarks;

import io.perdure.benchmarks.TablesReport.Look;
import io.perdure.benchmarks.TablesReport.Phase;
import io.perdure.benchmarks.TablesReport.Slice;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What happens to the tables while a transaction is held open. Until it ends, Postgres cannot remove dead rows, and every search for the
 * first live row has to step over them.
 */
final class TablesBenchmark {
    /** The slices after the transaction beyond those before it: the server's own vacuum comes once a minute. */
    private static final int MORE_SLICES_AFTER = 6;

    /** A transaction that is held for longer is compared with a minute before it and a minute after it. */
    private static final Duration LONGEST_BEFORE = Duration.ofMinutes(1);

    /** No more than these, even if nothing gets through any more: with those of 5 seconds two hours. */
    private static final int MOST_SLICES = 1_440;

    /** In seconds: long enough for the server's own vacuum to come by. */
    private static final int VACUUM_LOOKS = 90;

    /** The tables whose rows die with every message or run. */
    private static final Set<String> BUSIEST = Set.of("message", "run_message");

    private final Environment environment = new SystemEnvironment();
    private final PostgresTarget target;
    private final Duration slice;
    private final Function<String, TablesLoad> opener;
    private final long atLeast;
    private final int slicesBefore;
    private final int slicesHeld;
    private final Consumer<String> progress;
    private final List<Slice> slices = new ArrayList<>();
    private final List<Look> looks = new ArrayList<>();

    /**
     * @param opener opens the load over the store with the given URL
     * @param atLeast the number of messages, or runs, below which the benchmark does not end
     */
    TablesBenchmark(
            PostgresTarget target,
            Duration slice,
            Function<String, TablesLoad> opener,
            long atLeast,
            Duration held,
            Consumer<String> progress) {
        this.target = target;
        this.slice = slice;
        this.opener = opener;
        this.atLeast = atLeast;
        this.slicesBefore = slices(held.compareTo(LONGEST_BEFORE) < 0 ? held : LONGEST_BEFORE, slice);
        this.slicesHeld = slices(held, slice);
        this.progress = progress;
    }

    private static int slices(Duration time, Duration slice) {
        return Math.toIntExact(time.plus(slice).minusNanos(1).dividedBy(slice));
    }

    TablesReport run() throws InterruptedException {
        progress.accept("under load ...");
        long done = load(target.fresh());
        progress.accept("waiting for the server's own vacuum ...");
        target.effort();
        look("at the end");
        awaitVacuum();
        look("after the server's own vacuum had its chance");
        looks.getLast().tables().forEach(table -> target.execute("VACUUM " + target.schema() + "." + table.name()));
        look("after VACUUM by hand");
        return new TablesReport(Machine.describe(target), done, slices, looks);
    }

    private long load(String store) {
        try (TablesLoad load = opener.apply(store)) {
            load.during(() -> slices(load));
            return load.done();
        }
    }

    private void slices(TablesLoad load) throws InterruptedException {
        while (slices.size() < slicesBefore) {
            slice(load, Phase.BEFORE);
        }
        progress.accept("a transaction is held open ...");
        try (HeldTransaction _ = HeldTransaction.begin(target)) {
            while (slices.size() < slicesBefore + slicesHeld) {
                slice(load, Phase.HELD);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("No transaction could be held open.", e);
        }
        progress.accept("it was ended ...");
        int fewest = 2 * slicesBefore + slicesHeld + MORE_SLICES_AFTER;
        while (slices.size() < fewest || (load.done() < atLeast && slices.size() < MOST_SLICES)) {
            slice(load, Phase.AFTER);
        }
    }

    private void slice(TablesLoad load, Phase phase) throws InterruptedException {
        long before = load.done();
        long from = environment.nanoTime();
        environment.sleep(slice);
        long grown = load.done() - before;
        double perSecond = grown / ((environment.nanoTime() - from) / 1e9);
        List<TableState> tables = TableState.all(target);
        slices.add(new Slice(
                slices.size() * slice.toMillis() / 1_000.0,
                phase,
                perSecond,
                tables.stream().mapToLong(TableState::deadRows).sum(),
                tables.stream().mapToLong(TableState::totalBytes).sum()));
    }

    private void look(String when) {
        looks.add(new Look(when, TableState.all(target)));
    }

    private void awaitVacuum() throws InterruptedException {
        long before = vacuums(looks.getLast().tables());
        for (int asked = 0; asked < VACUUM_LOOKS && vacuums(TableState.all(target)) == before; asked++) {
            environment.sleep(Duration.ofSeconds(1));
        }
        // All tables that need it have their turn within a moment.
        target.effort();
    }

    private static long vacuums(List<TableState> tables) {
        return tables.stream()
                .filter(table -> BUSIEST.contains(table.name()))
                .mapToLong(TableState::vacuums)
                .sum();
    }
}
