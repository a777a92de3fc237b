package io.perdure.store.sqlite;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Lease;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Store;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.Ids;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.QueueSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** A store in a file, by the real clock, with one queue and one lane. */
final class Mailroom implements AutoCloseable {
    static final TenantId TENANT = new TenantId("acme");
    static final QueueName QUEUE = new QueueName("mail");
    static final Ids IDS = new SystemEnvironment().ids();

    final Store store;
    private final LaneId lane;
    private long number;

    private Mailroom(Store store) {
        ProcessId process = IDS.processId();
        this.store = store;
        store.openLanes(process, 1);
        lane = new LaneId(process, 0);
        commit(new Create(TENANT, QUEUE, QueueSettings.defaults()));
    }

    static Mailroom at(Path file) {
        DatabaseFile database = DatabaseFile.at(file);
        return at(database, database.openWriter());
    }

    static Mailroom at(DatabaseFile database, Session writer) {
        return new Mailroom(SqliteStore.open(database, new SystemEnvironment().clock(), Limits.defaults(), writer));
    }

    /** The next batch of the lane. */
    Batch batch(List<? extends Commit> commits) {
        return new Batch(lane, number + 1, List.copyOf(commits));
    }

    List<Outcome> commit(List<? extends Commit> commits) {
        List<Outcome> outcomes = store.commit(batch(commits));
        number++;
        return outcomes;
    }

    Outcome commit(Commit commit) {
        return commit(List.of(commit)).getFirst();
    }

    static Send send(MessageId id, String body) {
        return new Send(TENANT, List.of(new NewMessage(id, QUEUE, Json.string(body))));
    }

    static List<Send> sends(int count, String body) {
        return IntStream.range(0, count)
                .mapToObj(_ -> send(IDS.messageId(), body))
                .toList();
    }

    List<Delivery> receive(int max) {
        Lease lease = new Lease(IDS.token(), Duration.ofMinutes(1));
        return store.receive(new Receive(TENANT, QUEUE, max, lease)).deliveries();
    }

    static Settle done(Receipt receipt) {
        return new Settle(TENANT, receipt, new Verdict.Done());
    }

    /** Receives and settles until nothing is left; answers how many there were. */
    int drain() {
        int drained = 0;
        List<Delivery> deliveries = receive(100);
        while (!deliveries.isEmpty()) {
            drained += deliveries.size();
            commit(deliveries.stream().map(delivery -> done(delivery.receipt())).toList());
            deliveries = receive(100);
        }
        return drained;
    }

    @Override
    public void close() {
        store.close();
    }
}
