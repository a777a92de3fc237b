package io.perdure.server.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.Opened;
import io.perdure.core.Perdure;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Claimed;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.core.workflow.WorkerDesk;
import io.perdure.sdk.Limits;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.wire.ClaimJson;
import io.perdure.sdk.wire.Hints;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Claim;
import io.perdure.server.http.ControlledConnection;
import io.perdure.testkit.ForwardingStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a worker's request that waits when the worker hangs up. */
class WorkerHangUpTest {
    private static final Duration LONG = Duration.ofDays(1);
    private static final TenantId OTHER = new TenantId("other");
    private static final Claim CLAIM =
            new Claim(List.of(new Claim.Served(new WorkflowName("sample"), Set.of(1))), 1, false);

    @TempDir
    Path folder;

    private final SystemEnvironment environment = new SystemEnvironment();
    private final ControlledConnection connection = new ControlledConnection();
    private final WaitingWorkers waiters = new WaitingWorkers(environment);
    private final Claims claims = new Claims(waiters);
    private Perdure perdure;
    private WorkerDesk desk;
    private Visit visit;

    @SuppressWarnings("NullAway.Init") // Given by JUnit, and opened before each test.
    WorkerHangUpTest() {}

    @BeforeEach
    void open() {
        Store store = Stores.open("jdbc:sqlite:" + folder.resolve("app.db"), environment, Limits.defaults());
        perdure = Opened.over(new HangingUp(store));
        desk = perdure.desk();
        visit = new Visit(new HintBoxes.Owner(TenantId.DEFAULT, new ProcessId(UUID.randomUUID())), desk);
    }

    @AfterEach
    void close() {
        waiters.close();
        perdure.close();
    }

    /** A store whose first claimer hangs up before it hears of the runs that it got. */
    private final class HangingUp extends ForwardingStore {
        HangingUp(Store store) {
            super(store);
        }

        @Override
        public Claimed claim(ClaimRuns request) {
            Claimed claimed = super.claim(request);
            if (!claimed.runs().isEmpty()) {
                connection.hangUp();
            }
            return claimed;
        }
    }

    private <T> CompletableFuture<T> later(Callable<T> request) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        environment.start(
                "worker",
                () -> connection.bound(() -> {
                    try {
                        answer.complete(request.call());
                    } catch (Exception e) {
                        answer.completeExceptionally(e);
                    }
                }));
        return answer;
    }

    private Json claim() throws InterruptedException {
        return claims.claim(visit, CLAIM, LONG, Optional.empty(), ClaimJson.NONE_RECEIVED);
    }

    private static void assertBringsNothing(CompletableFuture<Json> answer) {
        assertThat(answer).succeedsWithin(Waiting.PATIENCE);
        assertThat(JsonObject.parse(answer.join()).value("runs").text()).isEqualTo("[]");
    }

    @Test
    void claim_whenTheWorkerHangsUpAsARunComes_givesItBack() throws Exception {
        CompletableFuture<Json> answer = later(this::claim);
        Waiting.until(() -> connection.watchers() == 1);

        perdure.start("sample", Json.NULL, StartOptions.defaults());

        assertBringsNothing(answer);
        assertThat(waiters.count()).isZero();
        List<Assignment> again = desk.claim(CLAIM, _ -> true).runs();
        assertThat(again).hasSize(1);
        assertThat(again.getFirst().lapses()).isZero();
    }

    @Test
    void claim_whenTheWorkerHangsUp_endsAtOnce() throws Exception {
        CompletableFuture<Json> answer = later(this::claim);
        Waiting.until(() -> connection.watchers() == 1);

        connection.hangUp();

        assertBringsNothing(answer);
        assertThat(connection.watchers()).isZero();
    }

    @Test
    void poll_whenTheWorkerHangsUp_keepsTheHintsForTheNextPoll() throws Exception {
        HintBox box = new HintBox(waiters, TenantId.DEFAULT);
        assertThat(box.poll(Duration.ZERO)).isEqualTo(new Hints(true, List.of()));
        CompletableFuture<Hints> answer = later(() -> box.poll(LONG));
        Waiting.until(() -> connection.watchers() == 1);

        connection.hangUp();

        assertThat(answer).succeedsWithin(Waiting.PATIENCE).isEqualTo(new Hints(false, List.of()));
        assertThat(waiters.count()).isZero();
        box.due();
        assertThat(later(() -> box.poll(LONG))).succeedsWithin(Waiting.PATIENCE).isEqualTo(new Hints(false, List.of()));
        assertThat(box.poll(Duration.ZERO)).isEqualTo(new Hints(true, List.of()));
    }

    @Test
    void enter_byOneTenant_leavesPlacesToOthers() {
        int most = 2 * Limits.defaults().remote().workers();
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> {
                    for (int i = 0; i < most; i++) {
                        waiters.enter(TenantId.DEFAULT);
                    }
                })
                .withMessageContaining("PD-605")
                .withMessageContaining("tenant default has %d of %d".formatted(most / 10 * 9, most));

        waiters.enter(OTHER).close();
        assertThat(waiters.count()).isEqualTo(most / 10 * 9);
    }
}
