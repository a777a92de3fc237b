package io.perdure.server.worker;

import static io.perdure.server.worker.Waiting.PATIENCE;
import static io.perdure.server.worker.Waiting.await;
import static io.perdure.server.worker.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.client.Elsewhere;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.Document;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What real workers and servers send each other is as the OpenAPI document describes it. */
class WorkerTrafficTest {
    @TempDir
    Path folder;

    private TestServer server;
    private CheckingProxy proxy;

    @SuppressWarnings("NullAway.Init") // Given by JUnit, and opened before each test.
    WorkerTrafficTest() {}

    @BeforeEach
    void open() throws IOException {
        server = new TestServer("jdbc:sqlite:" + folder.resolve("app.db"));
        proxy = new CheckingProxy(server.port());
    }

    @AfterEach
    void close() {
        proxy.close();
        server.close();
    }

    private void requireAsDocumented() {
        assertThat(proxy.faults()).isEmpty();
    }

    @Test
    void runsThatSucceedFailSleepAndWait_travelAsDocumented() throws InterruptedException {
        CountDownLatch signalled = new CountDownLatch(1);
        Workflow<String, String> all = Workflow.named("all").run(String.class, String.class, (context, input) -> {
            String one = context.step("one", String.class, () -> input + " \u0000 \"1.50\"");
            context.step(
                    "again",
                    () -> {
                        if (context.attempt().number() == 1) {
                            throw new IllegalStateException("as it should", new IOException("and its cause"));
                        }
                    },
                    Retry.fixed(2, Duration.ofMillis(1)));
            context.sleep("nap", Duration.ofSeconds(2));
            context.step("hold", () -> await(signalled));
            context.waitForEvent("never", String.class, Duration.ofSeconds(2));
            return one + context.waitForEvent("paid", String.class) + context.waitForEvent("sent", String.class);
        });
        Workflow<String, String> failing = Workflow.named("failing").run(String.class, String.class, (_, _) -> {
            throw new IllegalStateException("as it should");
        });
        Workflow<String, String> parking = Workflow.named("parking").run(String.class, String.class, (context, _) -> {
            context.step("twice", () -> {});
            context.step("twice", () -> {});
            return "never";
        });
        StepFlow flow = StepFlow.named("flow")
                .step("start", context -> {
                    context.put("total", 7);
                    return Next.step("end");
                })
                .step("end", context -> Next.done(context.get("total", Integer.class)));
        try (Elsewhere worker = Elsewhere.working(proxy.port(), 10, all, failing, parking, flow)) {
            Run<String> run =
                    server.perdure().start(all, "in", StartOptions.defaults().tag("city", "ulm"));
            Run<String> failed = server.perdure().start(failing, "in");
            Run<String> parked = server.perdure().start(parking, "in");
            Run<Json> flowed = server.perdure().start(flow, "in");
            server.perdure().signal(run.id(), "paid", "early");
            signalled.countDown();
            until(() -> run.history().stream().anyMatch(recorded -> recorded.event() instanceof Event.EventReceived)
                    && worker.runs() == 0);
            server.perdure().signal(run.id(), "sent", "late");

            assertThat(run.result(PATIENCE)).endsWith("earlylate");
            assertThat(flowed.result(PATIENCE)).isEqualTo(Json.of("7"));
            until(() -> failed.status() == RunStatus.FAILED && parked.status() == RunStatus.PARKED);
        }
        assertThat(proxy.seen())
                .contains(
                        "GET /v1/worker",
                        "POST /v1/worker/claim",
                        "POST /v1/worker/commits",
                        "POST /v1/worker/watch",
                        "POST /v1/worker/announce",
                        "POST /v1/worker/withdraw");
        requireAsDocumented();
    }

    @Test
    void aStepLongerThanALeaseAndASignalBeforeItsWait_travelAsDocumented() throws InterruptedException {
        CountDownLatch extended = new CountDownLatch(1);
        Workflow<String, String> waiting = Workflow.named("waiting").run(String.class, String.class, (context, _) -> {
            context.step("hold", () -> await(extended));
            return context.waitForEvent("paid", String.class);
        });
        try (Elsewhere worker = Elsewhere.working(proxy.port(), 10, waiting)) {
            Run<String> run = server.perdure().start(waiting, "");
            until(() -> worker.runs() == 1);
            server.perdure().signal(run.id(), "paid", "early");
            until(() -> proxy.seen().contains("POST /v1/worker/extend"));
            extended.countDown();

            assertThat(run.result(PATIENCE)).isEqualTo("early");
            assertThat(proxy.seen()).contains("POST /v1/worker/mailbox");
        }
        assertThat(proxy.seen())
                .as("all routes of workers but that of hints, which may still wait")
                .hasSizeGreaterThanOrEqualTo(Document.workerOperations().size() - 1);
        requireAsDocumented();
    }

    @Test
    void aCancelledRun_travelsAsDocumented() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Workflow<String, String> endless = Workflow.named("endless").run(String.class, String.class, (context, _) -> {
            context.step("long", () -> {
                begun.countDown();
                try {
                    await(new CountDownLatch(1));
                } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw e;
                }
            });
            return "never";
        });
        try (Elsewhere worker = Elsewhere.hinted(proxy.port(), 10, endless)) {
            Run<String> run = server.perdure().start(endless, "");
            await(begun);
            server.perdure().cancel(run.id(), "enough");
            await(interrupted);
            until(() -> worker.runs() == 0);
        }
        requireAsDocumented();
    }
}
