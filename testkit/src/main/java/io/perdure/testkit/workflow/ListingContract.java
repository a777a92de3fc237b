package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.BulkAction;
import io.perdure.sdk.run.BulkProgress;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunCount;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.RunInfo;
import io.perdure.sdk.run.RunList;
import io.perdure.sdk.run.StartOptions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Runs are found by what they are, page by page, counted without counting, and cancelled many at a time. */
abstract class ListingContract extends WorkflowFixture {
    private static final RunFilter ALL = RunFilter.all();

    ListingContract(Opening opening) {
        super(opening);
    }

    /** A run that nobody works on. */
    private RunId waiting(String workflow, int user, String customer) {
        Json input = Json.of("{\"user\":{\"id\":%d},\"items\":[\"lamp\",\"desk\"]}".formatted(user));
        return perdure.start(workflow, input, StartOptions.defaults().tag("customer", customer))
                .id();
    }

    private List<RunId> found(RunFilter filter) {
        return ids(perdure.runs(filter, 100));
    }

    private static List<RunId> ids(RunList list) {
        return list.runs().stream().map(RunInfo::id).toList();
    }

    @Test
    void eachFilterFindsItsOwnAndTogetherTheyNarrow() {
        RunId lamp = waiting("order", 1, "ann");
        RunId desk = waiting("order", 2, "bob");
        RunId bill = waiting("bill", 1, "ann");
        perdure.cancel(desk, "ordered twice");
        Instant then = perdure.run(bill).info().startedAt();

        assertThat(found(ALL)).containsExactly(bill, desk, lamp);
        assertThat(found(ALL.workflow("order"))).containsExactly(desk, lamp);
        assertThat(found(ALL.status(RunStatus.CANCELLED))).containsExactly(desk);
        assertThat(found(ALL.status(RunStatus.RUNNING))).containsExactly(bill, lamp);
        assertThat(found(ALL.tag("customer", "ann"))).containsExactly(bill, lamp);
        assertThat(found(ALL.tag("customer", "ann").workflow("order"))).containsExactly(lamp);
        assertThat(found(ALL.inputField("user.id", Json.number(1)))).containsExactly(bill, lamp);
        assertThat(found(ALL.input(Json.of("{\"items\":[\"desk\"]}")).inputField("user", Json.of("{\"id\":2.0}"))))
                .containsExactly(desk);
        assertThat(found(ALL.inputField("user.id", Json.string("1")))).isEmpty();
        assertThat(found(ALL.since(then))).containsExactly(bill);
        assertThat(found(ALL.until(then))).containsExactly(desk, lamp);
    }

    @Test
    void pagesGoOnWhereTheyEndedWhileRunsComeAndGo() {
        List<RunId> started = new ArrayList<>();
        for (int number = 0; number < 25; number++) {
            started.add(waiting("order", number % 2, "ann"));
        }
        List<RunId> seen = new ArrayList<>();
        RunFilter odd = ALL.workflow("order").inputField("user.id", Json.number(1));
        RunList page = perdure.runs(odd, 5);
        while (true) {
            seen.addAll(ids(page));
            if (page.next() == null) {
                break;
            }
            waiting("order", 1, "late");
            perdure.cancel(started.getFirst(), "meanwhile");
            page = perdure.runs(odd, 5, page.next());
        }
        assertThat(seen).hasSize(12).doesNotHaveDuplicates().isSubsetOf(started);
        assertThat(seen.reversed())
                .isSortedAccordingTo((left, right) -> started.indexOf(left) - started.indexOf(right));
    }

    @Test
    void countsAreKept() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        Run<String> run = started(
                String.class,
                (ctx, _) -> ctx.step("s", String.class, () -> {
                    await(go);
                    return "done";
                }));
        RunId order = waiting("order", 1, "ann");
        assertThat(perdure.runCounts())
                .containsExactlyInAnyOrder(
                        new RunCount(new WorkflowName("sample"), RunStatus.RUNNING, 1),
                        new RunCount(new WorkflowName("order"), RunStatus.RUNNING, 1));
        perdure.cancel(order, "why not");
        go.countDown();
        run.result(PATIENCE);

        assertThat(perdure.runCounts())
                .containsExactlyInAnyOrder(
                        new RunCount(new WorkflowName("sample"), RunStatus.COMPLETED, 1),
                        new RunCount(new WorkflowName("order"), RunStatus.CANCELLED, 1));
        assertThat(perdure.count(ALL)).isEqualTo(2);
        assertThat(perdure.count(ALL.tag("customer", "ann"))).isEqualTo(1);
        assertThat(perdure.count(ALL.workflow("order").status(RunStatus.RUNNING)))
                .isZero();
    }

    @Test
    void manyAreCancelledWithACountFirstAndProgress() {
        for (int number = 0; number < 1_200; number++) {
            waiting("order", number, number % 3 == 0 ? "bob" : "ann");
        }
        RunId bill = waiting("bill", 1, "ann");
        RunFilter filter = ALL.workflow("order").tag("customer", "ann");
        List<BulkProgress> told = new ArrayList<>();

        assertThat(perdure.operations().count(BulkAction.CANCEL, filter)).isEqualTo(800);
        BulkProgress done = perdure.operations().inBulk(BulkAction.CANCEL, filter, "shop closed", told::add);

        assertThat(done).isEqualTo(new BulkProgress(800, 800, 0));
        assertThat(told).startsWith(new BulkProgress(800, 0, 0)).endsWith(done);
        assertThat(told).extracting(BulkProgress::done).isSorted().contains(500L);
        assertThat(perdure.operations().count(BulkAction.CANCEL, filter)).isZero();
        assertThat(perdure.count(ALL.workflow("order").status(RunStatus.RUNNING)))
                .isEqualTo(400);
        assertThat(perdure.run(bill).status()).isEqualTo(RunStatus.RUNNING);
        assertFails(
                ErrorCode.OUT_OF_BOUNDS,
                () -> perdure.operations().inBulk(BulkAction.CANCEL, filter.status(RunStatus.FAILED), "why", _ -> {}),
                "failed");
    }

    @Test
    void cancellingManyInterruptsTheirStepsToo() throws InterruptedException {
        CountDownLatch inside = new CountDownLatch(3);
        CountDownLatch interrupted = new CountDownLatch(3);
        var workflow = serve(
                String.class,
                (ctx, _) -> ctx.step("long", String.class, () -> {
                    inside.countDown();
                    try {
                        new CountDownLatch(1).await();
                        return "never";
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                }));
        List<Run<String>> runs = new ArrayList<>();
        for (int number = 0; number < 3; number++) {
            runs.add(perdure.start(workflow, "input"));
        }
        await(inside);

        perdure.operations().inBulk(BulkAction.CANCEL, ALL.workflow("sample"), "shop closed", _ -> {});

        await(interrupted);
        runs.forEach(run -> assertFails(ErrorCode.RUN_CANCELLED, () -> run.result(PATIENCE), "shop closed"));
    }

    @Test
    void whatIsNoPlaceAndNoLimitIsRefused() {
        assertFails(ErrorCode.INVALID_ID, () -> perdure.runs(ALL, 10, "nowhere"), "nowhere");
        assertFails(ErrorCode.INVALID_ID, () -> perdure.runs(ALL, 10, "started_2026-01-01T00:00:00Z_x"), "no place");
        assertFails(ErrorCode.OUT_OF_BOUNDS, () -> perdure.runs(ALL, 0), "between 1 and");
        assertFails(ErrorCode.OUT_OF_BOUNDS, () -> perdure.runs(ALL, 10_001), "between 1 and");
        assertFails(ErrorCode.INVALID_KEY, () -> ALL.inputField("a..b", Json.NULL), "a..b");
        assertThat(perdure.runs(ALL, 10)).isEqualTo(new RunList(List.of(), null));
    }
}
