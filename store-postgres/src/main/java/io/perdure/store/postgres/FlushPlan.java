package io.perdure.store.postgres;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Histories;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.worker.Release;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A batch as the flush takes it: plain acknowledgements, then plain sends, each in arrays, then everything else as documents.
 *
 * <p>That is another order than the batch's, and must lead to the same: a plain commit is done earlier than a document that
 * stands before it. So one goes with the documents if it names a message that a commit before it has named, if a commit before
 * it is about a whole queue, or if one before it may have filled or emptied a group: whether a group is empty decides its next
 * number.
 */
final class FlushPlan {
    private final List<Acknowledged> done = new ArrayList<>();

    private final Ints sendCommit = new Ints();
    private final Ints sendQueue = new Ints();
    private final List<NewMessage> sends = new ArrayList<>();

    private final Ints documentCommit = new Ints();
    private final List<String> documents = new ArrayList<>();
    private final Set<UUID> runs = new HashSet<>();
    private final Set<UUID> messages = new HashSet<>();

    private final Map<TenantId, Integer> tenants = new HashMap<>();
    private final List<String> tenantNames = new ArrayList<>();
    private final Map<Destination, Integer> queues = new HashMap<>();
    private final List<Destination> destinations = new ArrayList<>();
    private @Nullable Destination lastDestination;
    private int lastQueue;

    private final Set<MessageId> touched = new HashSet<>();
    private boolean queueTouched;
    private boolean groupJoined;
    private boolean groupTouched;
    private boolean grouped;

    private record Acknowledged(int commit, int tenant, UUID message, UUID token) {}

    /** As Postgres sorts ids, which is how everybody locks them. */
    private static final Comparator<Acknowledged> BY_ID = (one, other) -> {
        int most = Long.compareUnsigned(
                one.message().getMostSignificantBits(), other.message().getMostSignificantBits());
        return most != 0
                ? most
                : Long.compareUnsigned(
                        one.message().getLeastSignificantBits(), other.message().getLeastSignificantBits());
    };

    private record Destination(TenantId tenant, QueueName queue) {}

    private FlushPlan() {}

    /** The quickest way. */
    static FlushPlan of(List<Commit> commits) {
        FlushPlan plan = new FlushPlan();
        for (int place = 0; place < commits.size(); place++) {
            Commit commit = commits.get(place);
            switch (commit) {
                case Settle settle when plan.isPlain(settle) -> plan.done(place, settle);
                case Send send when plan.isPlain(send) -> plan.send(place, send);
                default -> plan.document(place, commit);
            }
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
                plan.documentCommit.add(place + 1);
                plan.documents.add(Documents.refusing(why));
            }
        }
        return plan;
    }

    private boolean isPlain(Settle settle) {
        return settle.verdict() instanceof Verdict.Done
                && settle.sends().isEmpty()
                && !queueTouched
                && !groupJoined
                && !touched.contains(settle.receipt().message());
    }

    private boolean isPlain(Send send) {
        if (queueTouched) {
            return false;
        }
        Set<MessageId> own = send.messages().size() == 1 ? Set.of() : new HashSet<>();
        for (NewMessage message : send.messages()) {
            if (message.deduplicationId() != null
                    || (message.group() != null && groupTouched)
                    || touched.contains(message.id())
                    || (send.messages().size() > 1 && !own.add(message.id()))) {
                return false;
            }
        }
        return true;
    }

    private void done(int place, Settle settle) {
        touched.add(settle.receipt().message());
        done.add(new Acknowledged(
                place + 1,
                tenant(settle.tenant()),
                settle.receipt().message().value(),
                settle.receipt().token()));
    }

    private void send(int place, Send send) {
        for (NewMessage message : send.messages()) {
            touched.add(message.id());
            sendCommit.add(place + 1);
            sendQueue.add(queue(send.tenant(), message.queue()));
            sends.add(message);
            grouped |= message.group() != null;
        }
        groupJoined |= grouped;
    }

    private void document(int place, Commit commit) {
        documentCommit.add(place + 1);
        documents.add(Documents.of(commit));
        for (NewMessage message : Refusals.sends(commit)) {
            touched.add(message.id());
            groupTouched |= message.group() != null;
        }
        groupJoined |= groupTouched;
        queueTouched |= isAboutQueue(commit);
        switch (commit) {
            case Settle settle -> {
                groupTouched = true;
                touched.add(settle.receipt().message());
                messages.add(settle.receipt().message().value());
            }
            case RunCommit.Advance advance when !changesRun(advance) -> {
                // A step is a row of the history and locks nothing else.
            }
            case RunCommit.Start _ -> {
                // There is nothing to lock yet.
            }
            case RunCommit run -> runs.add(run.run().value());
            default -> {
                // Its own function knows what to lock.
            }
        }
    }

    private static boolean changesRun(RunCommit.Advance advance) {
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
        return !done.isEmpty() || !sends.isEmpty();
    }

    /** The parameters of the function, from the sixth on. */
    @Nullable
    Object[] arrays() {
        done.sort(BY_ID);
        return new @Nullable Object[] {
            done.isEmpty() ? null : tenantNames.toArray(String[]::new),
            done.isEmpty() ? null : done.stream().mapToInt(Acknowledged::commit).toArray(),
            done.isEmpty() ? null : done.stream().mapToInt(Acknowledged::tenant).toArray(),
            done.isEmpty() ? null : done.stream().map(Acknowledged::message).toArray(UUID[]::new),
            done.isEmpty() ? null : done.stream().map(Acknowledged::token).toArray(UUID[]::new),
            sends.isEmpty()
                    ? null
                    : texts(destinations, destination -> destination.tenant().value()),
            sends.isEmpty()
                    ? null
                    : texts(destinations, destination -> destination.queue().value()),
            sends.isEmpty() ? null : sendCommit.toArray(),
            sends.isEmpty() ? null : sendQueue.toArray(),
            sends.isEmpty()
                    ? null
                    : sends.stream().map(message -> message.id().value()).toArray(UUID[]::new),
            sends.isEmpty()
                    ? null
                    : sends.stream()
                            .mapToLong(message -> Documents.micros(message.delay()))
                            .toArray(),
            grouped
                    ? texts(
                            sends,
                            message -> message.group() == null
                                    ? null
                                    : message.group().value())
                    : null,
            sends.isEmpty() ? null : texts(sends, message -> Texts.of(message.headers())),
            sends.isEmpty() ? null : texts(sends, message -> message.body().text()),
            runs.isEmpty() ? null : runs.toArray(UUID[]::new),
            messages.isEmpty() ? null : messages.toArray(UUID[]::new),
            documents.isEmpty() ? null : documentCommit.toArray(),
            documents.isEmpty() ? null : documents.toArray(String[]::new),
        };
    }

    private interface ToText<T> {
        @Nullable
        String of(T value);
    }

    private static <T> @Nullable String[] texts(List<T> values, ToText<T> text) {
        @Nullable String[] texts = new String[values.size()];
        for (int at = 0; at < texts.length; at++) {
            texts[at] = text.of(values.get(at));
        }
        return texts;
    }

    /** Numbers without boxes. */
    private static final class Ints {
        private int[] numbers = new int[16];
        private int size;

        void add(int number) {
            if (size == numbers.length) {
                numbers = Arrays.copyOf(numbers, 2 * size);
            }
            numbers[size] = number;
            size++;
        }

        int[] toArray() {
            return Arrays.copyOf(numbers, size);
        }
    }
}
