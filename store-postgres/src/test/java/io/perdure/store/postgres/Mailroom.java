package io.perdure.store.postgres;

import io.perdure.core.OpenOptions;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.RunCommit.Definition;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.core.store.RunCommit.StartOptions;
import io.perdure.core.store.Store;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.RunKind;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.queue.QueueSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a process holds of a database, by the real clock: a store of its own, a ledger over it, and one queue. */
final class Mailroom implements AutoCloseable {
    static final TenantId TENANT = TenantId.DEFAULT;
    static final QueueName QUEUE = new QueueName("mail");
    static final WorkflowName WORKFLOW = new WorkflowName("onboard");

    /** A lease that no test outlasts. */
    static final Duration LONG = Duration.ofMinutes(5);

    /** So many that no fault uses them up. */
    private static final int MOST_RETRIES = 100;

    final Environment environment = new SystemEnvironment();
    final Store store;
    final Ledger ledger;

    private Mailroom(String url, Limits limits) {
        store = PostgresStore.open(PostgresUrl.parse(url), environment, limits);
        ledger = Ledger.open(store, environment, limits);
        ledger.commit(new Create(TENANT, QUEUE, QueueSettings.defaults().retries(MOST_RETRIES)));
    }

    static Mailroom at(String url) {
        return at(url, Limits.defaults());
    }

    static Mailroom at(String url, Limits limits) {
        return new Mailroom(url, limits);
    }

    /** One lane, so that a test knows what lies in a batch, whose patience is over after this. */
    static Limits patient(Duration patience) {
        return Limits.defaults().with(new Limits.Ledger(1, 2_000, 1 << 20, 20_000, 1 << 26, patience));
    }

    /** For an engine that waits for so long. */
    static OpenOptions options(Duration patience) {
        return new OpenOptions(TENANT, Codec.standard(), patient(patience));
    }

    Send send(Json body, @Nullable GroupKey group) {
        return new Send(
                TENANT,
                List.of(new NewMessage(
                        environment.ids().messageId(), QUEUE, body, Map.of(), Duration.ZERO, group, null)));
    }

    Send send(String body) {
        return send(Json.string(body), null);
    }

    /** Sends messages and waits until they are stored. */
    void sendAll(int count) {
        ledger.commitAll(IntStream.range(0, count)
                .mapToObj(number -> send("message " + number))
                .toList());
    }

    Start start(String key, Json input) {
        return new Start(
                TENANT,
                environment.ids().runId(),
                new Definition(WORKFLOW, 1, RunKind.CODE, input, Map.of()),
                Due.atOnce(),
                null,
                new StartOptions(new IdempotencyKey(key), null, Due.never(), Map.of(), 1, null));
    }

    /** A start without a key, whose run is leased from its first moment. */
    Start handedOver(Lease lease) {
        return new Start(
                TENANT,
                environment.ids().runId(),
                new Definition(WORKFLOW, 1, RunKind.CODE, Json.NULL, Map.of()),
                Due.atOnce(),
                lease,
                new StartOptions(null, null, Due.never(), Map.of(), 1, null));
    }

    List<Delivery> receive(QueueName queue, int max, Duration lease) {
        return store.receive(new Receive(
                        TENANT, queue, max, new Lease(environment.ids().token(), lease)))
                .deliveries();
    }

    List<Delivery> receive(int max, Duration lease) {
        return receive(QUEUE, max, lease);
    }

    static Settle done(Delivery delivery) {
        return new Settle(TENANT, delivery.receipt(), new Verdict.Done());
    }

    List<MessageRow> messages(QueueName queue) {
        return store.messages(new MessageQuery(TENANT, queue, false, null, 1_000));
    }

    List<String> bodies() {
        return messages(QUEUE).stream().map(row -> row.body().text()).toList();
    }

    QueueFigures figures(QueueName queue) {
        return store.figures(TENANT, queue).orElseThrow();
    }

    @Override
    public void close() {
        try (store) {
            ledger.close();
        }
    }
}
