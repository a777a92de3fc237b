package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Batch;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.BulkAction;
import io.perdure.sdk.run.BulkProgress;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BulkFailureTest extends PerdureFixture {
    private static final int RUNS = 40;

    private final CountDownLatch begun = new CountDownLatch(RUNS);
    private final Set<Integer> interrupted = ConcurrentHashMap.newKeySet();
    private final Workflow<Integer, String> waiting = Workflow.named("waiting")
            .run(Integer.class, String.class, (ctx, number) -> {
                ctx.step("wait", () -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.add(number);
                        throw e;
                    }
                });
                return "done";
            });

    /** What the worker does last waits for a moment, of which there is none while time stands still. */
    @AfterEach
    void close() throws InterruptedException {
        Thread closing = time.start("closing", perdure::close);
        while (!closing.join(Duration.ofMillis(5))) {
            time.pass(SECOND);
        }
    }

    private static boolean changes(Batch batch, RunId run) {
        return batch.commits().stream()
                .anyMatch(commit ->
                        commit instanceof RunCommit.Intervene one && one.run().equals(run));
    }

    /** Time stands still: no worker hears of it by extending its leases. */
    @Test
    void thoseThatWereCancelledAreCountedAndLetGoOfThoughAnotherCouldNotBe() throws InterruptedException {
        perdure.register(waiting).start();
        List<Run<String>> runs = IntStream.range(0, RUNS)
                .mapToObj(number -> perdure.start(waiting, number))
                .toList();
        assertThat(begun.await(VirtualTime.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        // The newest comes first.
        RunId first = perdure.runs(RunFilter.all(), 1).runs().getFirst().id();
        bent.failWhen(
                "commit",
                arguments -> arguments.getFirst() instanceof Batch batch && changes(batch, first),
                new StoreException(ErrorCode.STORE_FULL, "There is no room."));
        List<BulkProgress> told = new ArrayList<>();

        assertCode(
                ErrorCode.STORE_FULL,
                () -> perdure.operations().inBulk(BulkAction.CANCEL, RunFilter.all(), "enough", told::add));

        List<Integer> cancelled = IntStream.range(0, RUNS)
                .filter(number -> runs.get(number).status() == RunStatus.CANCELLED)
                .boxed()
                .toList();
        assertThat(cancelled).isNotEmpty().hasSizeLessThan(RUNS);
        assertThat(told.getLast()).isEqualTo(new BulkProgress(RUNS, cancelled.size(), 0));
        bent.heal("commit");
        perdure.operations().inBulk(BulkAction.CANCEL, RunFilter.all(), "enough");
        while (perdure.working() > 0) {
            Thread.onSpinWait();
        }
        assertThat(interrupted).hasSize(RUNS);
    }
}
