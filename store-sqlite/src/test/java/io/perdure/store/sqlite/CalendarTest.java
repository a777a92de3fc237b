package io.perdure.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Extend;
import io.perdure.core.store.Extended;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Store;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.queue.QueueSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The calendar stays right where the writer does not read the rows that it changes, and does not grow for ever. */
final class CalendarTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    private Instant now = Instant.parse("2026-03-01T12:00:00Z");
    private DatabaseFile file;
    private Store store;
    private LaneId lane;
    private long number;

    @BeforeEach
    void open() {
        file = DatabaseFile.at(folder.resolve("app.db"));
        store = SqliteStore.open(file, () -> now, Limits.defaults());
        ProcessId process = Mailroom.IDS.processId();
        store.openLanes(process, 1);
        lane = new LaneId(process, 0);
        commit(new Create(Mailroom.TENANT, Mailroom.QUEUE, QueueSettings.defaults()));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Outcome commit(Commit commit) {
        number++;
        return store.commit(new Batch(lane, number, List.of(commit))).getFirst();
    }

    private Receipt received() {
        commit(Mailroom.send(Mailroom.IDS.messageId(), "letter"));
        Lease lease = new Lease(Mailroom.IDS.token(), MINUTE);
        return store.receive(new Receive(Mailroom.TENANT, Mailroom.QUEUE, 1, lease, Set.of()))
                .deliveries()
                .getFirst()
                .receipt();
    }

    private QueueFigures figures() {
        return store.figures(Mailroom.TENANT, Mailroom.QUEUE).orElseThrow();
    }

    private Outcome acknowledge(Receipt receipt) {
        return commit(new Settle(Mailroom.TENANT, receipt, new Verdict.Done()));
    }

    private long slots() {
        try (Session reader = file.openReader()) {
            return reader.number("SELECT count(*) FROM queue_due");
        }
    }

    @Test
    void aLeaseThatWasLengthenedIsTakenFromWhereItWasMovedTo() {
        Receipt receipt = received();
        Extend extend = new Extend(Mailroom.TENANT, receipt, MINUTE.multipliedBy(5));

        assertThat(store.extend(List.of(extend))).first().isInstanceOf(Extended.Until.class);
        assertThat(figures().leased()).isEqualTo(1);
        assertThat(acknowledge(receipt)).isEqualTo(new Outcome.Settled(Fate.DONE));
        assertThat(figures().leased()).isZero();
        assertThat(figures().ready()).isZero();
    }

    /** The first store remembers when the lease was to end, and cannot know better. */
    @Test
    void soIsOneThatAnotherStoreLengthened() {
        Receipt receipt = received();
        Extend extend = new Extend(Mailroom.TENANT, receipt, MINUTE.multipliedBy(5));

        try (Store other = SqliteStore.open(file, () -> now, Limits.defaults())) {
            assertThat(other.extend(List.of(extend))).first().isInstanceOf(Extended.Until.class);
        }
        assertThat(acknowledge(receipt)).isEqualTo(new Outcome.Settled(Fate.DONE));
        assertThat(figures().leased()).isZero();
        assertThat(figures().ready()).isZero();
    }

    @Test
    void slotsGoAnHourAfterTheyHavePassed() {
        received();
        assertThat(slots()).isEqualTo(1);

        now = now.plus(Duration.ofHours(1));
        assertThat(store.sweep(Sweep.EXPIRED_MESSAGES, 100)).isZero();
        assertThat(slots()).isEqualTo(1);

        now = now.plus(MINUTE.multipliedBy(2));
        assertThat(store.sweep(Sweep.EXPIRED_MESSAGES, 100)).isZero();
        assertThat(slots()).isZero();
        assertThat(figures().ready()).isEqualTo(1);
    }
}
