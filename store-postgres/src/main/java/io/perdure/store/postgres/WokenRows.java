package io.perdure.store.postgres;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.ClaimRuns.Line;
import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Committed.Contents;
import io.perdure.core.store.Committed.WokenRun;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.core.store.rows.Texts;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.EventJson;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowId;
import io.perdure.sdk.json.Json;
import io.perdure.store.postgres.Session.Read;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The run that a signal leases for somebody of this process, and what was read of it in the same transaction. For one call.
 *
 * <p>Rows are kept as they are until the transaction is over: what cannot be understood of them is to fail the run alone, and not the
 * signal.
 */
final class WokenRows {
    private static final String WOKEN = """
            SELECT line, lapses, leased_until, number, at, until, name, value,
                   version_named, kind, writes, idempotency_key, workflow_id, parent, wakes
            FROM perdure.woken_1(?, ?, ?, ?)""";

    private final TenantId tenant;
    private final RunId run;
    private final List<Line> lines;
    private final UUID token;
    private final long leaseMicros;

    private @Nullable RunPart found;
    private final List<Part> events = new ArrayList<>();
    private final List<Part> letters = new ArrayList<>();

    /**
     * Asks for a run.
     *
     * @param request of which only the lines count whose runs have their version already: one that waits has
     */
    WokenRows(RunId run, ClaimRuns request) {
        this.tenant = request.tenant();
        this.run = run;
        this.lines = request.lines().stream()
                .filter(line -> line.becomes().equals(line.queue()))
                .toList();
        this.token = request.lease().token();
        this.leaseMicros = Documents.micros(request.lease().length());
    }

    /** An event or a signal. */
    private record Part(
            long number,
            Instant at,
            @Nullable Instant until,
            @Nullable String name,
            String value) {}

    /** What the row of the run says; no input where nothing more was read. */
    private record RunPart(
            int line,
            int lapses,
            Instant leasedUntil,
            Instant startedAt,
            @Nullable Instant deadline,
            @Nullable String tags,
            @Nullable String input,
            @Nullable Integer version,
            @Nullable String kind,
            @Nullable String writes,
            @Nullable String key,
            @Nullable String workflowId,
            @Nullable UUID parent,
            long wakes) {}

    /** The queues in which it is leased, the token and the length of the lease: values of the signal's own call. */
    List<Object> lease() {
        return List.of(queues(), token, leaseMicros);
    }

    private String[] queues() {
        return lines.stream().map(line -> line.queue().value()).toArray(String[]::new);
    }

    /** Reads it, if it was leased. */
    Read read() {
        return new Read(WOKEN, this::add, List.of(tenant.value(), queues(), run.value(), token));
    }

    private void add(Row row) throws SQLException {
        Integer line = row.smallOrNull(1);
        if (line != null) {
            found = new RunPart(
                    line,
                    row.small(2),
                    row.time(3),
                    row.time(5),
                    row.timeOrNull(6),
                    row.textOrNull(7),
                    row.textOrNull(8),
                    row.smallOrNull(9),
                    row.textOrNull(10),
                    row.textOrNull(11),
                    row.textOrNull(12),
                    row.textOrNull(13),
                    row.uuidOrNull(14),
                    row.integer(15));
            return;
        }
        String name = row.textOrNull(7);
        (name == null ? events : letters)
                .add(new Part(row.integer(4), row.time(5), row.timeOrNull(6), name, row.text(8)));
    }

    /** The run, if it was leased; without its contents where those were too many, or are not understood. */
    @Nullable
    WokenRun woken() {
        RunPart part = found;
        if (part == null) {
            return null;
        }
        Line line = lines.get(part.line() - 1);
        ClaimedRun claimed = new ClaimedRun(
                run,
                line.workflow(),
                line.version(),
                new Receipt(MessageId.of(run), token),
                part.lapses(),
                part.leasedUntil());
        return new WokenRun(claimed, part.input() == null ? null : contents(line, part, part.input()));
    }

    private @Nullable Contents contents(Line line, RunPart part, String input) {
        try {
            List<Recorded> history = new ArrayList<>(events.size() + 1);
            history.add(new Recorded(0, part.startedAt(), part.deadline(), created(line, part, input)));
            events.sort(Comparator.comparingLong(Part::number));
            events.forEach(event -> history.add(new Recorded(
                    event.number(), event.at(), event.until(), EventJson.read(Json.ofStored(event.value())))));
            letters.sort(Comparator.comparingLong(Part::number));
            List<MailboxEntry> mailbox = letters.stream().map(WokenRows::letter).toList();
            return new Contents(part.deadline(), part.wakes(), history, mailbox);
        } catch (RuntimeException _) {
            // Whoever reads it next is told what is wrong with it.
            return null;
        }
    }

    private static MailboxEntry letter(Part part) {
        EventName name = new EventName(String.valueOf(part.name()));
        return new MailboxEntry(part.number(), name, Json.ofStored(part.value()), part.at());
    }

    private static Event created(Line line, RunPart part, String input) {
        return new Event.RunCreated(
                line.workflow(),
                part.version(),
                RunReads.orNull(part.kind(), RunKind::valueOf),
                Json.ofStored(input),
                Texts.values(part.writes()),
                RunReads.orNull(part.key(), IdempotencyKey::new),
                RunReads.orNull(part.workflowId(), WorkflowId::new),
                RunReads.orNull(part.parent(), RunId::new),
                Texts.map(part.tags()));
    }
}
