package io.perdure.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.Store;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.testkit.Seeds;
import io.perdure.testkit.crash.AttackedStore.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Runs that do nothing but wait, on two workers over one database, with somebody beside them who strikes whenever one suspends. At
 * the end nothing may be lost, nothing doubled, and nobody left waiting.
 */
final class SuspensionStress {
    private static final int NUMBERS = 1_000_000;
    private static final int PAGE = 500;

    private final Order order;
    private final Tally tally = new Tally();
    private final AtomicReference<@Nullable AssertionError> hanging = new AtomicReference<>();

    /**
     * What is to be done.
     *
     * @param suspensions how many there are to be
     * @param atOnce runs at once
     * @param patience how long one run may take
     */
    record Order(long seed, int suspensions, int atOnce, Duration patience) {}

    /** The database as three processes see it; the same one where one process owns all work. */
    record Views(Store left, Store right, Store outside) {}

    SuspensionStress(Order order) {
        this.order = order;
    }

    /** Throws what was lost or doubled, with the seed that found it. */
    Tally over(Views views) {
        try (Engine outsider = Engine.beside(views.outside());
                Thief thief = new Thief(views.outside())) {
            Attacker attacker = new Attacker(order.seed(), outsider, thief);
            attack(views, attacker);
            assertThat(attacker.rest()).as("blows that went wrong").isEmpty();
            judge(views.outside(), attacker);
            return tally;
        } catch (AssertionError e) {
            throw new AssertionError(
                    "-D%s=%d after %s: %s".formatted(Seeds.PROPERTY, order.seed(), tally, e.getMessage()), e);
        }
    }

    private void attack(Views views, Attacker attacker) {
        Workflow<Integer, String> waiter = Waiter.workflow();
        try (Engine left = Engine.over(new AttackedStore(views.left(), attacker, tally), waiter);
                Engine right = Engine.over(new AttackedStore(views.right(), attacker, tally), waiter)) {
            attacker.helpedBy(List.of(left, right));
            List<CompletableFuture<Void>> starters = new ArrayList<>();
            for (int place = 0; place < order.atOnce(); place++) {
                int first = place * NUMBERS;
                Engine engine = place % 2 == 0 ? left : right;
                starters.add(CompletableFuture.runAsync(
                        () -> runOneAfterAnother(engine, waiter, first, attacker), Thread::startVirtualThread));
            }
            starters.forEach(CompletableFuture::join);
            attacker.rest();
        }
        AssertionError first = hanging.get();
        if (first != null) {
            throw first;
        }
    }

    private void runOneAfterAnother(Engine engine, Workflow<Integer, String> waiter, int first, Attacker attacker) {
        for (int number = first; tally.all.sum() < order.suspensions() && hanging.get() == null; number++) {
            Run<String> run = engine.start(waiter, number, StartOptions.defaults());
            try {
                run.result(order.patience());
            } catch (PerdureException e) {
                if (e.code() != ErrorCode.RUN_CANCELLED) {
                    hanging.compareAndSet(
                            null,
                            new AssertionError("%s: %s, with %s"
                                    .formatted(e.getMessage(), attacker.target(run.id()), run.history())));
                }
            }
        }
    }

    private static void judge(Store store, Attacker attacker) {
        List<Target> targets = List.copyOf(attacker.targets());
        for (int from = 0; from < targets.size(); from += PAGE) {
            List<RunId> page = targets.subList(from, Math.min(targets.size(), from + PAGE)).stream()
                    .map(Target::id)
                    .toList();
            List<RunSnapshot> found = store.snapshots(TenantId.DEFAULT, page);
            assertThat(found).as("runs that are there").hasSameSizeAs(page);
            found.forEach(run -> new Judgement(attacker.target(run.run().id()), run).pass());
        }
    }
}
