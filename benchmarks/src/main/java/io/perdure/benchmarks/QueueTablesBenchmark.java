package io.perdure.benchmarks;

import io.perdure.benchmarks.QueueTablesReport.Look;
import io.perdure.benchmarks.QueueTablesReport.Phase;
import io.perdure.benchmarks.QueueTablesReport.Slice;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What becomes of the tables of a queue while somebody holds a transaction open. Dead rows cannot be removed as long as it is,
 * and everything that looks for the first that lives has to step over them.
 */
final class QueueTablesBenchmark {
    /** So many more after it than before it and while it is held: the server's own vacuum comes once a minute. */
    private static final int MORE_SLICES_AFTER = 6;

    /** No more than these, even if nothing gets through any more: with those of 5 seconds two hours. */
    private static final int MOST_SLICES = 1_440;

    /** In seconds: long enough for the server's own vacuum to come by. */
    private static final int VACUUM_LOOKS = 90;

    private final Environment environment = new SystemEnvironment();
    private final PostgresTarget target;
    private final Duration slice;
    private final long messages;
    private final int slicesHeld;
    private final Consumer<String> progress;
    private final List<Slice> slices = new ArrayList<>();
    private final List<Look> looks = new ArrayList<>();

    QueueTablesBenchmark(
            PostgresTarget target, Duration slice, long messages, Duration held, Consumer<String> progress) {
        this.target = target;
        this.slice = slice;
        this.messages = messages;
        this.slicesHeld = Math.toIntExact(held.plus(slice).minusNanos(1).dividedBy(slice));
        this.progress = progress;
    }

    QueueTablesReport run() throws InterruptedException {
        progress.accept("a queue under load ...");
        long through = load(target.fresh());
        progress.accept("waiting for the server's own vacuum ...");
        target.effort();
        look("at the end");
        awaitVacuum();
        look("after the server's own vacuum had its chance");
        looks.getLast().tables().forEach(table -> target.execute("VACUUM " + target.schema() + "." + table.name()));
        look("after VACUUM by hand");
        return new QueueTablesReport(Machine.describe(target), through, slices, looks);
    }

    private long load(String store) {
        try (Engine engine = Engine.open(store)) {
            Trips trips = new Trips(engine.queue(), Trips.IN_FLIGHT);
            trips.measure(new Stopwatch(() -> {}, () -> slices(trips), trips::wake), engine::effort);
            trips.drain();
            return trips.acknowledged();
        }
    }

    private void slices(Trips trips) throws InterruptedException {
        while (slices.size() < slicesHeld) {
            slice(trips, Phase.BEFORE);
        }
        progress.accept("a transaction is held open ...");
        try (HeldTransaction _ = HeldTransaction.begin(target)) {
            while (slices.size() < 2 * slicesHeld) {
                slice(trips, Phase.HELD);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("No transaction could be held open.", e);
        }
        progress.accept("it was ended ...");
        int fewest = 3 * slicesHeld + MORE_SLICES_AFTER;
        while (slices.size() < fewest || (trips.acknowledged() < messages && slices.size() < MOST_SLICES)) {
            slice(trips, Phase.AFTER);
        }
    }

    private void slice(Trips trips, Phase phase) throws InterruptedException {
        long before = trips.acknowledged();
        long from = environment.nanoTime();
        environment.sleep(slice);
        long grown = trips.acknowledged() - before;
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
                .filter(table -> table.name().equals("message"))
                .mapToLong(TableState::vacuums)
                .sum();
    }
}
