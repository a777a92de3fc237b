package io.perdure.store.postgres;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Histories;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.worker.Release;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A batch as the flush takes it: plain acknowledgements, plain sends, plain starts and plain steps, each in arrays, then
 * everything else as documents.
 *
 * <p>That is another order than the batch's, and must lead to the same: a plain commit is done earlier than a document that
 * stands before it. So one goes with the documents if it names a message or a run that a commit before it has named, if a commit
 * before it is about a whole queue, or if a document before it may have filled or emptied its group (see {@link BatchGroups}).
 * The parent of a run that begins here does not end plainly: its child may end in this batch too, and what becomes of
 * the notice depends on which of the two ends first. The function looks after children that began earlier.
 */
final class FlushPlan {
    private final List<Acknowledged> done = new ArrayList<>();

    private final List<Sent> sends = new ArrayList<>();

    private final PlainStarts starts = new PlainStarts();
    private final PlainSteps steps = new PlainSteps();

    private final List<Document> documents = new ArrayList<>();
    private final Set<UUID> runs = new HashSet<>();
    private final Set<UUID> runMessages = new HashSet<>();
    private final Set<UUID> messages = new HashSet<>();

    private final Map<TenantId, Integer> tenants = new HashMap<>();
    private final List<String> tenantNames = new ArrayList<>();
    private final Map<Destination, Integer> queues = new HashMap<>();
    private final List<Destination> destinations = new ArrayList<>();
    private @Nullable Destination lastDestination;
    private int lastQueue;

    private final Set<MessageId> touched = new HashSet<>();
    private final Set<RunId> touchedRuns = new HashSet<>();
    private final Set<RunId> parents = new HashSet<>();
    private boolean queueTouched;
    private final BatchGroups groups = new BatchGroups();
    private final BatchKeys keys = new BatchKeys();

    private record Acknowledged(int commit, int tenant, UUID message, UUID token) {}

    /** @param group the place of the group among those that are joined, 0 for none */
    private record Sent(int commit, int queue, int group, NewMessage message) {}

    private record Document(int commit, String text) {}

    private record Destination(TenantId tenant, QueueName queue) {}

    private FlushPlan() {}

    /**
     * The quickest way.
     *
     * @param mostEvents of a history, before it counts as full
     */
    static FlushPlan of(List<Commit> commits, long mostEvents) {
        FlushPlan plan = new FlushPlan();
        for (int place = 0; place < commits.size(); place++) {
            Commit commit = commits.get(place);
            switch (commit) {
                case Settle settle when plan.isPlain(settle) -> plan.done(place, settle);
                case Send send when plan.isPlain(send) -> plan.send(place, send);
                case Start start when plan.isPlain(start) -> plan.starts.add(start);
                case Advance advance when plan.isPlain(advance, mostEvents) -> plan.step(place, advance);
                default -> plan.document(place, commit);
            }
            plan.touch(commit);
        }
        return plan;
    }

    /**
     * Everything one by one.
     *
     * @param bad the places of commits that the database does not take, and what it said of them
     */
    static FlushPlan oneByOne(List<Commit> commits, Map<Integer, String> bad) {
        FlushPlan plan = new FlushPlan();
        for (int place = 0; place < commits.size(); place++) {
            String why = bad.get(place);
            if (why == null) {
                plan.document(place, commits.get(place));
            } else {
                plan.documents.add(new Document(place + 1, Documents.refusing(why)));
            }
        }
        return plan;
    }

    private boolean isPlain(Settle settle) {
        return settle.verdict() instanceof Verdict.Done
                && settle.sends().isEmpty()
                && !queueTouched
                && groups.isPlain(settle.tenant(), settle.receipt().groupHash())
                && !touched.contains(settle.receipt().message());
    }

    private boolean isPlain(Send send) {
        if (queueTouched) {
            return false;
        }
        Set<MessageId> own = send.messages().size() == 1 ? Set.of() : new HashSet<>();
        for (NewMessage message : send.messages()) {
            if (message.deduplicationId() != null
                    || !groups.isPlain(send.tenant(), message.groupHash())
                    || touched.contains(message.id())
                    || (send.messages().size() > 1 && !own.add(message.id()))) {
                return false;
            }
        }
        return true;
    }

    private boolean isPlain(Start start) {
        return PlainStarts.isPlain(start) && !touchedRuns.contains(start.run()) && !parents.contains(start.run());
    }

    private boolean isPlain(Advance advance, long mostEvents) {
        return PlainSteps.isPlain(advance, mostEvents)
                && !touchedRuns.contains(advance.run())
                && !(parents.contains(advance.run()) && Histories.ends(advance.events()));
    }

    private void touch(Commit commit) {
        if (commit instanceof RunCommit named) {
            touchedRuns.add(named.run());
        }
        if (commit instanceof Start start && start.options().parent() != null) {
            parents.add(start.options().parent());
        }
    }

    private void step(int place, Advance advance) {
        steps.add(place + 1, advance);
        if (Histories.ends(advance.events())) {
            runs.add(advance.run().value());
        }
    }

    private void done(int place, Settle settle) {
        Receipt receipt = settle.receipt();
        touched.add(receipt.message());
        done.add(new Acknowledged(
                place + 1, tenant(settle.tenant()), receipt.message().value(), receipt.token()));
    }

    private void send(int place, Send send) {
        for (NewMessage message : send.messages()) {
            touched.add(message.id());
            int queue = queue(send.tenant(), message.queue());
            sends.add(new Sent(place + 1, queue, groups.join(queue, message), message));
        }
    }

    private void document(int place, Commit commit) {
        documents.add(new Document(place + 1, Documents.of(commit)));
        keys.add(place + 1, commit);
        for (NewMessage message : Refusals.sends(commit)) {
            touched.add(message.id());
            groups.inDocument(commit.tenant(), message.groupHash());
        }
        queueTouched |= isAboutQueue(commit);
        switch (commit) {
            case Settle settle -> {
                groups.inDocument(settle.tenant(), settle.receipt().groupHash());
                touched.add(settle.receipt().message());
                messages.add(settle.receipt().message().value());
            }
            case Start _ -> {
                // There is nothing to lock yet.
            }
            case RunCommit run -> {
                // A step that goes on reads the lease of its run, and changes nothing of the run itself.
                if (!(run instanceof Advance advance) || changesRun(advance)) {
                    runs.add(run.run().value());
                }
                runMessages.add(run.run().value());
            }
            default -> {
                // Its own function knows what to lock.
            }
        }
    }

    private static boolean changesRun(Advance advance) {
        Release release = advance.release();
        return Histories.ends(advance.events())
                || (release != null && !release.wakeOn().isEmpty());
    }

    private static boolean isAboutQueue(Commit commit) {
        return commit instanceof QueueCommit && !(commit instanceof Send) && !(commit instanceof Settle);
    }

    private int tenant(TenantId tenant) {
        return tenants.computeIfAbsent(tenant, _ -> {
            tenantNames.add(tenant.value());
            return tenantNames.size();
        });
    }

    /** Nearly always the same as the one before. */
    private int queue(TenantId tenant, QueueName queue) {
        if (lastDestination == null
                || !lastDestination.queue().equals(queue)
                || !lastDestination.tenant().equals(tenant)) {
            Destination destination = new Destination(tenant, queue);
            lastDestination = destination;
            lastQueue = queues.computeIfAbsent(destination, _ -> {
                destinations.add(destination);
                return destinations.size();
            });
        }
        return lastQueue;
    }

    /** Whether anything in it is done many at a time, and so may fail many at a time. */
    boolean hasPlain() {
        return !done.isEmpty() || !sends.isEmpty() || !starts.isEmpty() || !steps.isEmpty();
    }

    /**
     * The parameters of the function, from the eighth on.
     *
     * @param stepsLock whether a plain step locks the message of its run: then those are locked together with the messages that
     *     documents lock, in one order
     */
    List<Object> arrays(boolean stepsLock) {
        if (stepsLock && !runMessages.isEmpty()) {
            runMessages.addAll(steps.runs());
        }
        List<Object> stepArrays = steps.arrays(this::tenant);
        done.sort(Comparator.comparing(Acknowledged::message, PlainSteps.AS_LOCKED));
        List<Object> arrays = new ArrayList<>();
        arrays.add(Column.texts(tenantNames, name -> name));
        arrays.add(Column.ints(done, Acknowledged::commit));
        arrays.add(Column.ints(done, Acknowledged::tenant));
        arrays.add(Column.ids(done, Acknowledged::message));
        arrays.add(Column.ids(done, Acknowledged::token));
        arrays.addAll(groups.arrays());
        arrays.addAll(sendArrays());
        arrays.addAll(starts.arrays());
        arrays.addAll(stepArrays);
        arrays.add(Column.ids(List.copyOf(runs), id -> id));
        arrays.add(Column.ids(List.copyOf(runMessages), id -> id));
        arrays.add(Column.ids(List.copyOf(messages), id -> id));
        boolean several = keys.areLocked(!runs.isEmpty());
        arrays.addAll(keys.arrays(several));
        arrays.add(Column.ints(documents, Document::commit));
        arrays.add(Column.texts(
                documents,
                document -> several && keys.areBoundTo(document.commit())
                        ? Documents.bound(document.text())
                        : document.text()));
        return arrays;
    }

    private List<Object> sendArrays() {
        return List.of(
                Column.texts(destinations, destination -> destination.tenant().value()),
                Column.texts(destinations, destination -> destination.queue().value()),
                Column.ints(sends, Sent::commit),
                Column.ints(sends, Sent::queue),
                Column.ids(sends, sent -> sent.message().id().value()),
                Column.longs(sends, sent -> Documents.micros(sent.message().delay())),
                Column.ints(sends, Sent::group),
                Column.texts(sends, sent -> Texts.of(sent.message().headers())),
                Column.texts(sends, sent -> sent.message().body().text()));
    }
}
