package io.perdure.testkit.simulation;

import io.perdure.core.store.NewMessage;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.worker.Release;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A run in a worker's memory: what the store said of it last, and what is not yet committed. */
final class Job {
    final TenantId tenant;
    final RunId run;
    final UUID token;
    final int lapses;
    final SampleWorkflow workflow;
    final List<Draft> drafts = new ArrayList<>();
    final List<NewMessage> sends = new ArrayList<>();
    private final List<Recorded> history = new ArrayList<>();
    private final List<MailboxEntry> mailbox = new ArrayList<>();
    private long wakes;
    private @Nullable Instant deadline;

    Job(TenantId tenant, RunId run, UUID token, int lapses, SampleWorkflow workflow) {
        this.tenant = tenant;
        this.run = run;
        this.token = token;
        this.lapses = lapses;
        this.workflow = workflow;
    }

    Receipt receipt() {
        return new Receipt(MessageId.of(run), token);
    }

    long wakes() {
        return wakes;
    }

    /** Takes over what was read. What is not committed is dropped: whoever looks again decides again. */
    void refresh(RunSnapshot snapshot) {
        drafts.clear();
        sends.clear();
        history.clear();
        history.addAll(snapshot.history());
        mailbox.clear();
        mailbox.addAll(snapshot.mailbox());
        wakes = snapshot.run().wakes();
        deadline = snapshot.run().deadline();
    }

    boolean isPastDeadline(Instant now) {
        return deadline != null && !deadline.isAfter(now);
    }

    /** The history, and after it what is about to be committed. */
    List<Recorded> view() {
        List<Recorded> view = new ArrayList<>(history);
        drafts.forEach(draft -> view.add(new Recorded(view.size(), Instant.EPOCH, null, draft.event())));
        return view;
    }

    Optional<Op> next(Instant now) {
        return workflow.next(view(), now);
    }

    /** The last event that concerns this name, if any: a sleep or wait that began, a step that failed. */
    Optional<Recorded> last(StepName name) {
        return view().stream()
                .filter(recorded -> concerns(recorded.event(), name))
                .reduce((_, later) -> later);
    }

    private static boolean concerns(Event event, StepName name) {
        return switch (event) {
            case Event.SleepStarted sleep -> sleep.name().equals(name);
            case Event.WaitStarted wait -> wait.name().equals(name);
            case Event.ChildStarted child -> child.name().equals(name);
            case Event.StepFailed failed -> failed.step().equals(name);
            case Event _ -> false;
        };
    }

    int redrives() {
        return (int) history.stream()
                .filter(recorded -> recorded.event() instanceof Event.RunRedriven)
                .count();
    }

    /** How often a step failed since the run was last redriven. */
    int failures(StepName step) {
        int failures = 0;
        for (Recorded recorded : history) {
            if (recorded.event() instanceof Event.RunRedriven) {
                failures = 0;
            } else if (recorded.event() instanceof Event.StepFailed failed
                    && failed.step().equals(step)) {
                failures++;
            }
        }
        return failures;
    }

    /** Takes the oldest signal of an event out of the mailbox, as far as this worker has seen it. */
    Optional<MailboxEntry> take(EventName event) {
        Optional<MailboxEntry> first =
                mailbox.stream().filter(entry -> entry.event().equals(event)).findFirst();
        first.ifPresent(mailbox::remove);
        return first;
    }

    RunCommit.Advance advance(@Nullable Release release) {
        return new RunCommit.Advance(tenant, run, token, history.size(), drafts, sends, release);
    }

    void committed(List<Recorded> events) {
        history.addAll(events);
        drafts.clear();
        sends.clear();
    }
}
