package io.perdure.core.store.memory;

import io.perdure.core.store.Fitting;
import io.perdure.core.store.MailboxPage;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Queue;
import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.core.store.SizedSnapshots;
import io.perdure.core.store.Weight;
import io.perdure.core.store.memory.QueueState.Message;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.run.RunCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The reads: each sees one moment, and changes nothing. */
final class Reads {
    private final Tables tables;

    Reads(Tables tables) {
        this.tables = tables;
    }

    SizedSnapshots snapshots(TenantId tenant, List<RunId> runs, long bytes, Instant now) {
        Fitting fitting = new Fitting(bytes);
        List<RunSnapshot> read = new ArrayList<>();
        Map<RunId, Long> sizes = new HashMap<>();
        for (RunId id : runs) {
            tables.findRun(tenant, id).ifPresent(run -> {
                if (fitting.fits(run.bytes())) {
                    read.add(run.snapshot(now));
                }
                sizes.put(id, run.bytes());
            });
        }
        return new SizedSnapshots(read, sizes);
    }

    List<Recorded> history(TenantId tenant, RunId run, long from, int limit, long bytes) {
        Fitting fitting = new Fitting(bytes);
        return tables.findRun(tenant, run).stream()
                .flatMap(state -> state.history.stream())
                .filter(event -> event.seq() >= from)
                .limit(limit)
                .takeWhile(event -> fitting.fitsPage(Weight.of(event.event())))
                .toList();
    }

    Optional<MailboxPage> mailbox(TenantId tenant, RunId run, long from, long bytes) {
        return tables.findRun(tenant, run).map(state -> {
            Fitting fitting = new Fitting(bytes);
            Collection<MailboxEntry> letters = state.mailbox.tailMap(from, true).values();
            List<MailboxEntry> page = letters.stream()
                    .takeWhile(entry -> fitting.fitsPage(entry.payload().text().length()))
                    .toList();
            return new MailboxPage(state.wakes, page, page.size() < letters.size());
        });
    }

    List<RunCount> runCounts(TenantId tenant) {
        var counts = tables.runs(tenant).stream()
                .collect(Collectors.groupingBy(
                        run -> run.definition.workflow().value(),
                        TreeMap::new,
                        Collectors.groupingBy(run -> run.status, TreeMap::new, Collectors.counting())));
        return counts.entrySet().stream()
                .flatMap(workflow -> workflow.getValue().entrySet().stream()
                        .map(status ->
                                new RunCount(new WorkflowName(workflow.getKey()), status.getKey(), status.getValue())))
                .toList();
    }

    List<Queue> queues(TenantId tenant) {
        return tables.queues(tenant).values().stream()
                .map(queue -> new Queue(queue.name, queue.settings))
                .toList();
    }

    List<MessageRow> messages(MessageQuery query, Instant now) {
        QueueState queue = tables.queue(query.tenant(), query.queue());
        Stream<Message> rows = query.deliverable()
                ? queue.due(now).filter(message -> !message.isExpired(now))
                : queue.messages.values().stream().sorted(QueueState.ORDER);
        return rows.filter(message -> isAfter(message, query.after()))
                .limit(query.limit())
                .map(message -> message.row(queue.name, now))
                .toList();
    }

    Set<MessageId> present(TenantId tenant, List<MessageId> messages) {
        return messages.stream()
                .filter(message ->
                        tables.queues(tenant).values().stream().anyMatch(queue -> queue.messages.containsKey(message)))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static boolean isAfter(Message message, MessageQuery.@Nullable Cursor cursor) {
        if (cursor == null) {
            return true;
        }
        int byTime = message.readyAt.compareTo(cursor.readyAt());
        return byTime > 0 || (byTime == 0 && message.sent.id().compareTo(cursor.message()) > 0);
    }
}
