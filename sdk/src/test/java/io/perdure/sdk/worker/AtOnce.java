package io.perdure.sdk.worker;

import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.trace.TraceContext;
import io.perdure.sdk.workflow.Attempt;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Does the steps that a replay asks for, in memory: a second passes with each, and what happened is written down. */
final class AtOnce implements Performer, FlowPerformer {
    private final RunId run;
    private final TraceContext trace;
    private final List<Recorded> events;
    private Instant now;
    private final Letters letters;
    private @Nullable Attempt attempt;
    private @Nullable Duration retryIn;

    AtOnce(Assignment assignment) {
        this.run = assignment.held().run();
        this.trace = TraceContext.ofRun(run, assignment.created().tags());
        this.events = new ArrayList<>(assignment.history());
        this.now = assignment.at();
        this.letters = new Letters(assignment.mailbox());
    }

    /** The history that went in and what came on top of it. */
    List<Recorded> events() {
        return List.copyOf(events);
    }

    Recorded record(Draft draft) {
        now = now.plusSeconds(1);
        Due until = draft.until();
        Recorded recorded = new Recorded(events.size(), now, until == null ? null : until.fixedAt(now), draft.event());
        events.add(recorded);
        return recorded;
    }

    @Override
    public @Nullable Json step(StepName step, int number, Retry retry, Work work) {
        Instant started = now;
        attempt = new Attempt(run, step, number, 1, trace.ofStep(step, number, started));
        Object value;
        try {
            value = work.code().run();
        } catch (Exception e) {
            Optional<Duration> delay =
                    retry.mayMend(e) ? retry.after(number, new SplittableRandom(1)) : Optional.empty();
            Event.StepFailed failed =
                    new Event.StepFailed(step, number, Failure.of(e).withoutStackTrace(), delay.isPresent());
            throw new Suspension(
                    delay.isPresent()
                            ? new Command.RetryLater(failed, delay.get())
                            : new Command.Fail(failed, failed.reason()));
        } finally {
            attempt = null;
        }
        Json output = work.writer().write(value);
        record(new Draft(new Event.StepCompleted(step, number, output, Map.of(), null, started)));
        return output;
    }

    @Override
    public Event attempt(Try made, Retry retry, FlowStep code) {
        StepName step = made.step();
        int number = made.number();
        retryIn = retry.after(number, new SplittableRandom(1)).orElse(null);
        Duration timeout = Objects.requireNonNull(retry.timeout(), "a flow has one");
        record(new Draft(new Event.StepStarted(step, number, retryIn), Due.in(timeout)));
        try {
            Attempt attempt = new Attempt(run, step, number, made.visit(), trace.ofStep(step, number, now));
            Event.StepCompleted done = code.run(attempt, now);
            if (done.next() != null) {
                record(new Draft(done));
            }
            return done;
        } catch (Exception e) {
            return new Event.StepFailed(step, number, Failure.of(e).withoutStackTrace(), retry.mayMend(e));
        }
    }

    @Override
    public Instant retryLater(Event.StepFailed failed) {
        throw new Suspension(new Command.RetryLater(failed, Objects.requireNonNull(retryIn, "an attempt follows")));
    }

    @Override
    public Instant sleep(StepName name, Due until) {
        throw new Suspension(new Command.Sleep(name, until));
    }

    @Override
    public void rest(Instant until) {
        now = until.isAfter(now) ? until : now;
    }

    @Override
    public Optional<Json> await(Wait wait, Due until) {
        return Optional.of(letters.take(wait, null)
                .map(letter -> taken(wait, letter))
                .orElseThrow(() -> new Suspension(new Command.AwaitEvent(wait, until, false))));
    }

    @Override
    public Optional<Json> awaitOn(Wait wait, @Nullable Instant until) {
        Optional<Json> payload = letters.take(wait, until).map(letter -> taken(wait, letter));
        if (payload.isEmpty()) {
            record(new Draft(new Event.WaitTimedOut(wait.name())));
        }
        return payload;
    }

    private Json taken(Wait wait, Mailbox.Letter letter) {
        record(new Draft(wait.received(letter)));
        return letter.payload();
    }

    @Override
    public Instant lastEvent() {
        return events.getLast().at();
    }

    @Override
    public @Nullable Attempt attempt() {
        return attempt;
    }
}
