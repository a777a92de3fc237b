package io.perdure.core.store.memory;

import io.perdure.core.store.Hint;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All rows of the store, and the few changes that several rules share. Tenant is part of every key. */
final class Tables {
    final Limits limits;
    final Keys keys = new Keys();
    final Lanes lanes;
    final Workers workers = new Workers();
    final ApiKeys apiKeys = new ApiKeys();
    final Requests requests;

    private final Map<TenantId, Map<RunId, RunState>> runs = new TreeMap<>();
    private final Map<TenantId, Map<QueueName, QueueState>> queues = new TreeMap<>();
    private final List<Hint> hints = new ArrayList<>();

    Tables(Limits limits) {
        this.limits = limits;
        this.lanes = new Lanes(limits.lanes());
        this.requests = new Requests(limits.remote().requestsKept());
    }

    Optional<RunState> findRun(TenantId tenant, RunId run) {
        return Optional.ofNullable(runsOf(tenant).get(run));
    }

    RunState run(TenantId tenant, RunId run) {
        return findRun(tenant, run)
                .orElseThrow(() -> new IllegalStateException("Run %s has a row that outlived it".formatted(run)));
    }

    void add(RunState run) {
        runsOf(run.tenant).put(run.id, run);
    }

    void remove(RunState run) {
        runsOf(run.tenant).remove(run.id);
        keys.freeAllOf(run);
    }

    Collection<RunState> runs(TenantId tenant) {
        return runsOf(tenant).values();
    }

    Collection<RunState> allRuns() {
        return runs.values().stream().flatMap(rows -> rows.values().stream()).toList();
    }

    private Map<RunId, RunState> runsOf(TenantId tenant) {
        return runs.computeIfAbsent(tenant, _ -> new TreeMap<>());
    }

    /** The queues of a tenant by name: this map is the table, to be read and changed. */
    Map<QueueName, QueueState> queues(TenantId tenant) {
        return queues.computeIfAbsent(tenant, _ -> new TreeMap<>());
    }

    /** The queue of this name; throws {@code PD-401} where there is none. */
    QueueState queue(TenantId tenant, QueueName name) {
        QueueState queue = queues(tenant).get(name);
        if (queue == null) {
            Outcome.Refused refused = Messages.noSuchQueue(tenant, name);
            throw refused.why().because(refused.detail());
        }
        return queue;
    }

    Collection<QueueState> allQueues() {
        return queues.values().stream().flatMap(rows -> rows.values().stream()).toList();
    }

    /** Shortens the leases, of all tenants, that end too far ahead because the clock went back. */
    void shortenTooLongLeases(Instant now) {
        allRuns().stream()
                .flatMap(run -> Optional.ofNullable(run.message).stream())
                .forEach(message -> message.shortenIfTooLong(now));
        allQueues().stream()
                .flatMap(queue -> queue.messages.values().stream())
                .forEach(message -> message.shortenIfTooLong(now));
    }

    /**
     * Appends events that the run's status allows, and brings the run's row up to them. No event is earlier than the one before
     * it, though the clock may have gone back; when it is due is counted from what the clock reads.
     */
    List<Recorded> append(RunState run, List<Draft> drafts, Instant now) {
        Instant last = run.history.getLast().at();
        Instant at = now.isBefore(last) ? last : now;
        List<Recorded> appended = new ArrayList<>();
        for (Draft draft : drafts) {
            Due until = draft.until();
            Instant fixed = until == null || until instanceof Due.Never ? null : until.fixedAt(now);
            appended.add(new Recorded(run.last() + 1, at, fixed, draft.event()));
            run.history.add(appended.getLast());
            run.status = run.status.after(draft.event()).orElseThrow();
            project(run, draft.event());
        }
        run.completedAt = run.status.isTerminal() ? at : null;
        return appended;
    }

    private static void project(RunState run, Event event) {
        switch (event) {
            case Event.RunCompleted(Json result) -> run.output = result;
            case Event.RunFailed(Failure reason) -> run.error = reason;
            case Event.RunParked(String reason, String detail) -> run.error = new Failure(reason, detail, null);
            case Event.RunCancelled(String by, String reason) ->
                run.error = new Failure("cancelled by " + by, reason, null);
            case Event.RunRedriven _ -> run.error = null;
            case Event.RunResumed resumed -> {
                run.error = null;
                run.version = resumed.version() == null ? run.version : resumed.version();
            }
            case Event.RunCreated _,
                    Event.StepStarted _,
                    Event.StepCompleted _,
                    Event.StepFailed _,
                    Event.SleepStarted _,
                    Event.WaitStarted _,
                    Event.EventReceived _,
                    Event.WaitTimedOut _,
                    Event.ChildStarted _,
                    Event.ChildEnded _ -> {}
        }
    }

    /** Puts a signal into the mailbox; its number is the run's wakes. Wakes the run if it is suspended on that event. */
    long deliver(RunState run, EventName event, Json payload, Instant now) {
        run.wakes++;
        run.mailbox.put(run.wakes, new MailboxEntry(run.wakes, event, payload, now));
        RunState.Message message = run.message;
        if (message != null && !message.isTaken() && message.wakeOn.contains(event) && message.readyAt.isAfter(now)) {
            message.readyAt = now;
            hintIfReady(run, now);
        }
        return run.wakes;
    }

    void hintIfReady(RunState run, Instant now) {
        if (run.message != null && run.status == RunStatus.RUNNING && run.message.isAvailable(now)) {
            hint(new Hint.Ready(run.tenant, run.queue()));
        }
    }

    void hint(Hint hint) {
        hints.add(hint);
    }

    /** The hints given since the last call, each once. */
    List<Hint> takeHints() {
        List<Hint> taken = hints.stream().distinct().toList();
        hints.clear();
        return taken;
    }
}
