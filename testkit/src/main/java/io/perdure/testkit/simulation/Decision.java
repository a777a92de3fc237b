package io.perdure.testkit.simulation;

import io.perdure.core.store.Commit;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.worker.Release;
import io.perdure.testkit.invariant.Fact;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What a worker does next with a run. Chance decides what goes into one commit and what into several. */
final class Decision {
    /** Runs are parked after few lapses here, so that it happens. */
    private static final int PATIENCE = 3;

    private final World world;
    private final Worker worker;
    private final Job job;

    Decision(World world, Worker worker, Job job) {
        this.world = world;
        this.worker = worker;
        this.job = job;
    }

    void decide() {
        Instant now = world.store.now();
        if (job.isPastDeadline(now)) {
            end(new Event.RunCancelled("deadline", "its time was over"));
        } else if (job.lapses >= PATIENCE) {
            end(new Event.RunParked("lapses", job.lapses + " leases ran out"));
        } else if (job.drafts.isEmpty() && !world.faultsStopped() && world.chance(0.05)) {
            worker.yieldNow();
        } else {
            Optional<Op> op = job.next(now);
            if (op.isPresent()) {
                act(op.get(), now);
            } else {
                end(new Event.RunCompleted(Json.number(world.nonce())));
            }
        }
    }

    private void act(Op op, Instant now) {
        switch (op) {
            case Op.Step step -> step(step, now);
            case Op.Sleep sleep -> sleep(sleep);
            case Op.Await await -> await(await, now);
            case Op.Send send -> send(send, now);
            case Op.Child child -> child(child);
            case Op.Fail _ -> end(new Event.RunFailed(failure()));
        }
    }

    private void step(Op.Step step, Instant now) {
        Instant retryAt = job.last(step.name()).map(Recorded::until).orElse(null);
        if (!job.drafts.isEmpty()) {
            // What happened so far must be durable before the next side effect.
            worker.commit(List.of(), null);
        } else if (retryAt != null && retryAt.isAfter(now) && job.failures(step.name()) > 0) {
            worker.commit(List.of(), Release.until(Due.at(retryAt)));
        } else {
            worker.confirmThen(() -> body(step, world.store.now()));
        }
    }

    private void body(Op.Step step, Instant now) {
        int attempt = job.failures(step.name()) + 1;
        world.note(
                worker.name,
                new Fact.StepRan(job.tenant, job.run, step.name(), job.redrives(), attempt, step.attempts()));
        if (!world.chance(step.failing())) {
            job.drafts.add(new Draft(
                    new Event.StepCompleted(step.name(), attempt, Json.number(world.nonce()), Map.of(), null, now)));
            goOn();
        } else if (attempt < step.attempts()) {
            Due retry = Due.in(step.backoff().multipliedBy(attempt));
            job.drafts.add(new Draft(new Event.StepFailed(step.name(), attempt, failure(), true), retry));
            worker.commit(List.of(), world.chance(0.7) ? Release.until(retry) : null);
        } else {
            job.drafts.add(new Draft(new Event.StepFailed(step.name(), attempt, failure(), false)));
            end(new Event.RunFailed(failure()));
        }
    }

    /** Commits now, or gathers more first. */
    private void goOn() {
        if (world.chance(0.4)) {
            worker.commit(List.of(), null);
        } else {
            decide();
        }
    }

    private void sleep(Op.Sleep sleep) {
        Optional<Recorded> started = job.last(sleep.name());
        Instant until = started.map(Recorded::until).orElse(null);
        if (until != null) {
            worker.commit(List.of(), Release.until(Due.at(until)));
            return;
        }
        job.drafts.add(new Draft(new Event.SleepStarted(sleep.name()), Due.in(sleep.length())));
        worker.commit(List.of(), world.chance(0.7) ? Release.until(Due.in(sleep.length())) : null);
    }

    private void await(Op.Await await, Instant now) {
        Optional<Recorded> started = job.last(await.name());
        Due timeout = await.timeout() == null ? Due.never() : Due.in(await.timeout());
        var signal = job.take(await.event());
        if (started.isEmpty()) {
            job.drafts.add(new Draft(new Event.WaitStarted(await.name(), await.event(), null), timeout));
        }
        Instant until = started.map(Recorded::until).orElse(null);
        if (signal.isPresent()) {
            job.drafts.add(new Draft(new Event.EventReceived(
                    await.name(),
                    await.event(),
                    signal.get().number(),
                    signal.get().payload())));
            goOn();
        } else if (until != null && !until.isAfter(now)) {
            job.drafts.add(new Draft(new Event.WaitTimedOut(await.name())));
            goOn();
        } else {
            suspend(until == null ? timeout : Due.at(until), await.event());
        }
    }

    private void suspend(Due ready, EventName event) {
        worker.commit(List.of(), new Release(ready, Set.of(event), job.wakes()));
    }

    private void send(Op.Send send, Instant now) {
        job.drafts.add(new Draft(new Event.StepCompleted(send.name(), Json.number(world.nonce()), now)));
        job.sends.add(new NewMessage(
                world.ids.messageId(),
                send.queue(),
                Json.number(world.nonce()),
                Map.of("from", job.run.toString()),
                Duration.ZERO,
                send.group(),
                null));
        goOn();
    }

    private void child(Op.Child op) {
        RunId child = childOf(job.run, op);
        EventName ended = EventName.childEnded(child);
        boolean started = job.last(op.name()).isPresent();
        if (!started && !job.drafts.isEmpty()) {
            worker.commit(List.of(), null);
            return;
        }
        var notice = job.take(ended);
        if (!started) {
            job.drafts.add(new Draft(new Event.ChildStarted(op.name(), child, op.workflow())));
        }
        if (notice.isPresent()) {
            job.drafts.add(new Draft(new Event.ChildEnded(
                    op.name(),
                    child,
                    status(notice.get().payload()),
                    notice.get().number(),
                    null,
                    null)));
            goOn();
        } else {
            // A child that an earlier attempt started is there: its start loses by its id, and nothing else happens.
            List<Commit> start = started ? List.of() : List.of(start(op, child));
            if (job.redrives() == 0 && world.chance(op.failing())) {
                job.drafts.add(new Draft(new Event.RunFailed(failure())));
                worker.commit(start, null);
                return;
            }
            worker.commit(start, new Release(Due.never(), Set.of(ended), job.wakes()));
        }
    }

    private RunCommit.Start start(Op.Child op, RunId child) {
        world.known.add(new World.Known(job.tenant, child));
        return Starter.start(job.tenant, child, op.workflow(), Json.number(world.nonce()), job.run);
    }

    private static RunId childOf(RunId parent, Op.Child op) {
        String text = parent + "/" + op.name();
        return new RunId(UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static RunStatus status(Json notice) {
        return RunStatus.valueOf(JsonObject.parse(notice).string("status").toUpperCase(Locale.ROOT));
    }

    private void end(Event event) {
        job.drafts.add(new Draft(event));
        worker.commit(List.of(), null);
    }

    private Failure failure() {
        return new Failure("boom", Long.toString(world.nonce()), null);
    }
}
