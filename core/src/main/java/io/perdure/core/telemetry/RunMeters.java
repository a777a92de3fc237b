package io.perdure.core.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.perdure.sdk.TelemetryLimits;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.WorkflowName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What is counted and timed of runs, from their events. Each meter is looked up in the registry once. */
final class RunMeters {
    private final MeterRegistry registry;
    private final TelemetryLimits limits;
    private final Labels workflows;
    private final Map<WorkflowName, OfWorkflow> meters = new ConcurrentHashMap<>();
    private final Counter swept;

    RunMeters(Series series) {
        this.registry = series.registry();
        this.limits = series.limits();
        this.workflows = series.workflows();
        this.swept = Counter.builder("workflow.retention.swept")
                .description("Ended runs that were removed because their retention was over")
                .register(registry);
    }

    void started(WorkflowName workflow) {
        of(workflow).started.increment();
    }

    void signalled(WorkflowName workflow, EventName event) {
        of(workflow).signals(event).increment();
    }

    void refused(WorkflowName workflow) {
        of(workflow).refused.increment();
    }

    void swept(int runs) {
        swept.increment(runs);
    }

    /** What happened to a run, as recorded. */
    void recorded(RunCard run, Recorded recorded) {
        OfWorkflow of = of(run.workflow());
        switch (recorded.event()) {
            case Event.StepCompleted step -> of.step(step.step()).record(between(step.startedAt(), recorded.at()));
            case Event.StepFailed step -> {
                // The last attempt that there is may be of a kind that is tried again; it has no time for the next.
                if (step.retryable() && recorded.until() != null) {
                    of.retries(step.step()).increment();
                }
            }
            case Event.RunCompleted _ -> ended(of, RunStatus.COMPLETED, run, recorded);
            case Event.RunFailed _ -> ended(of, RunStatus.FAILED, run, recorded);
            case Event.RunCancelled _ -> ended(of, RunStatus.CANCELLED, run, recorded);
            case Event _ -> {
                // The others are no figures.
            }
        }
    }

    private static void ended(OfWorkflow of, RunStatus status, RunCard run, Recorded recorded) {
        of.completed(status).increment();
        of.duration.record(between(run.since(), recorded.at()));
    }

    /** Two clocks may disagree by a little, and a clock may be set: what took less than nothing took nothing. */
    private static Duration between(Instant from, Instant to) {
        return from.isBefore(to) ? Duration.between(from, to) : Duration.ZERO;
    }

    private OfWorkflow of(WorkflowName workflow) {
        OfWorkflow known = meters.get(workflow);
        if (known != null) {
            return known;
        }
        String label = workflows.of(workflow.value());
        return label.equals(Labels.OTHER) && !workflow.value().equals(label)
                ? of(new WorkflowName(Labels.OTHER))
                : meters.computeIfAbsent(workflow, _ -> new OfWorkflow(label));
    }

    /** The meters of one workflow, or of all that there was no room for. */
    private final class OfWorkflow {
        private final String workflow;
        private final Counter started;
        private final Counter refused;
        private final Timer duration;
        private final Labels steps = new Labels(limits.steps());
        private final Labels events = new Labels(limits.events());
        private final Map<RunStatus, Counter> completed = new ConcurrentHashMap<>();
        private final Map<String, Timer> stepDurations = new ConcurrentHashMap<>();
        private final Map<String, Counter> stepRetries = new ConcurrentHashMap<>();
        private final Map<String, Counter> signals = new ConcurrentHashMap<>();

        OfWorkflow(String workflow) {
            this.workflow = workflow;
            this.started = counter("workflow.runs.started", "Runs that began").register(registry);
            this.refused = counter("perdure.signals.refused", "Signals that a full mailbox had no room for")
                    .register(registry);
            // From the start: what counts from 1 on has no first time.
            List.of(RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.CANCELLED).forEach(this::completed);
            this.duration = Buckets.runs(
                    registry,
                    Timer.builder("workflow.run.duration")
                            .description("From a run's start or redrive to its end, its waits included")
                            .tag("workflow", workflow));
        }

        private Counter.Builder counter(String name, String description) {
            return Counter.builder(name).description(description).tag("workflow", workflow);
        }

        Counter completed(RunStatus status) {
            return completed.computeIfAbsent(
                    status,
                    _ -> counter("workflow.runs.completed", "Runs that ended")
                            .tag("status", status.word())
                            .register(registry));
        }

        Timer step(StepName step) {
            return stepDurations.computeIfAbsent(
                    steps.ofNumbered(step.value()),
                    label -> Buckets.steps(
                            registry,
                            Timer.builder("workflow.step.duration")
                                    .description("From the begin of the attempt that returned until it was recorded")
                                    .tag("workflow", workflow)
                                    .tag("step", label)));
        }

        Counter retries(StepName step) {
            return stepRetries.computeIfAbsent(
                    steps.ofNumbered(step.value()),
                    label -> counter("workflow.step.retries", "Attempts that failed and are tried again")
                            .tag("step", label)
                            .register(registry));
        }

        Counter signals(EventName event) {
            return signals.computeIfAbsent(
                    events.ofNumbered(event.value()),
                    label -> counter("workflow.signals", "Signals that were put into a run's mailbox")
                            .tag("event", label)
                            .register(registry));
        }
    }
}
