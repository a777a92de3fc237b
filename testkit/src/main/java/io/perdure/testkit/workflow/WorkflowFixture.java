package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.OpenOptions;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowCode;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A store of its own for each test, and the engine over it. */
abstract class WorkflowFixture {
    /** Longer than anything here takes, on the slowest machine. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration SOON = Duration.ofMillis(200);

    private final Opening opening;
    private final SystemEnvironment environment = new SystemEnvironment();
    private String url = "";
    Engine perdure;

    @SuppressWarnings("NullAway.Init") // Opened before each test.
    WorkflowFixture(Opening opening) {
        this.opening = opening;
    }

    @BeforeEach
    final void open() {
        url = opening.freshUrl();
        perdure = another();
    }

    @AfterEach
    final void close() {
        perdure.close();
    }

    String url() {
        return url;
    }

    /** Closes the engine and opens another one over the same store. */
    void reopen(OpenOptions options) {
        perdure.close();
        perdure = opening.open(url, options);
    }

    /** Closes the engine while a step waits, lets the step go on when no further one begins, and opens another engine. */
    void reopenAround(CountDownLatch step) throws InterruptedException {
        Thread closing = Thread.ofVirtual().start(perdure::close);
        untilItLeaves();
        step.countDown();
        closing.join();
        reopen(OpenOptions.defaults());
    }

    /** Opens another engine over the same store; the caller closes it. */
    Engine another() {
        return opening.open(url, OpenOptions.defaults());
    }

    static <O> Workflow<String, O> workflow(Class<O> output, WorkflowCode<String, O> code) {
        return Workflow.named("sample").run(String.class, output, code);
    }

    /** Has the engine work on a workflow. */
    <O> Workflow<String, O> serve(Class<O> output, WorkflowCode<String, O> code) {
        Workflow<String, O> workflow = workflow(output, code);
        perdure.register(workflow).start();
        return workflow;
    }

    /** Starts a run of a workflow that is served from here on, and waits for its result. */
    <O> O resultOf(Class<O> output, WorkflowCode<String, O> code) {
        return perdure.start(serve(output, code), "input").result(PATIENCE);
    }

    /** Starts a run of a workflow that is served from here on. */
    <O> Run<O> started(Class<O> output, WorkflowCode<String, O> code) {
        return perdure.start(serve(output, code), "input");
    }

    /**
     * Starts a run with a deadline that comes soon, but after the run has come so far; a machine that stands still for a moment keeps some runs
     * from it.
     */
    <O> Run<O> dueSoon(Workflow<String, O> workflow, Predicate<Run<O>> soFar) throws InterruptedException {
        return dueSoon(options -> perdure.start(workflow, "", options), soFar);
    }

    <O> Run<O> dueSoon(Function<StartOptions, Run<O>> start, Predicate<Run<O>> soFar) throws InterruptedException {
        for (Duration deadline = SOON; ; deadline = deadline.multipliedBy(2)) {
            Run<O> run = start.apply(StartOptions.defaults().deadline(deadline));
            until(() -> soFar.test(run) || run.status().isTerminal());
            if (soFar.test(run)) {
                return run;
            }
        }
    }

    static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("nobody came");
        }
    }

    /** Looks again and again until it holds. */
    void until(BooleanSupplier holds) throws InterruptedException {
        long deadline = environment.nanoTime() + PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            if (environment.nanoTime() > deadline) {
                throw new AssertionError("it does not come to hold");
            }
            environment.sleep(Duration.ofMillis(5));
        }
    }

    /** Until a run of this engine has let go of its thread to wait for an event. */
    void untilItWaits(Run<?> run) throws InterruptedException {
        until(() -> !events(run, Event.WaitStarted.class).isEmpty() && perdure.working() == 0);
    }

    /** Until the engine has said that it leaves, as it does when it begins no more steps and waits for those under way. */
    void untilItLeaves() throws InterruptedException {
        try (Engine other = another()) {
            until(() -> other.operations().workers().isEmpty());
        }
    }

    /** Until a run is parked, for that reason. */
    void untilItIsParked(Run<?> run, ErrorCode why) throws InterruptedException {
        until(() -> run.status() == RunStatus.PARKED);
        assertThat(events(run, Event.RunParked.class))
                .last()
                .extracting(Event.RunParked::reason)
                .isEqualTo(why.code());
    }

    static void assertFails(ErrorCode code, ThrowingCallable call, String... words) {
        assertThatExceptionOfType(PerdureException.class).isThrownBy(call).satisfies(thrown -> {
            assertThat(thrown.code()).isEqualTo(code);
            for (String word : words) {
                assertThat(thrown.getMessage()).contains(word);
            }
        });
    }

    static <E extends Event> List<E> events(Run<?> run, Class<E> kind) {
        return run.history().stream()
                .map(Recorded::event)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }
}
