package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.Received.Delivery;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Fate;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens to a group when two change it at the same moment: it goes on, whoever comes first. */
@Timeout(60)
final class GroupRaceTest {
    private static final GroupKey GROUP = new GroupKey("g");

    private final FreshDatabase database = new FreshDatabase();
    private final Mailroom mailroom = Mailroom.at(database.text());

    @AfterEach
    void close() {
        try (database) {
            mailroom.close();
        }
    }

    private List<NewMessage> sendToGroup(int count) {
        List<NewMessage> messages = new ArrayList<>();
        IntStream.range(0, count).forEach(number -> {
            Send send = mailroom.send(Json.number(number), GROUP);
            messages.addAll(send.messages());
            mailroom.ledger.commit(send);
        });
        return messages;
    }

    @Test
    void aDiscardOfTheNextOneDoesNotStopTheGroup() throws Exception {
        List<NewMessage> sent = sendToGroup(3);
        Delivery head = mailroom.receive(10, Mailroom.LONG).getFirst();
        try (Connection operator = database.session();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            operator.setAutoCommit(false);
            discard(operator, sent.get(1));
            Future<Outcome> acknowledged = threads.submit(() -> mailroom.ledger.commit(Mailroom.done(head)));
            awaitLockWait();
            operator.commit();
            assertThat(acknowledged.get()).isEqualTo(new Outcome.Settled(Fate.DONE));
        }
        assertThat(mailroom.receive(10, Mailroom.LONG))
                .extracting(delivery -> delivery.message().id())
                .containsExactly(sent.get(2).id());
    }

    @Test
    void aDiscardOfTheLastOneForgetsTheGroup() throws Exception {
        List<NewMessage> sent = sendToGroup(2);
        Delivery head = mailroom.receive(10, Mailroom.LONG).getFirst();
        try (Connection operator = database.session();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            operator.setAutoCommit(false);
            discard(operator, sent.get(1));
            Future<Outcome> acknowledged = threads.submit(() -> mailroom.ledger.commit(Mailroom.done(head)));
            awaitLockWait();
            operator.commit();
            acknowledged.get();
        }
        List<NewMessage> later = sendToGroup(1);
        assertThat(mailroom.receive(10, Mailroom.LONG))
                .extracting(delivery -> delivery.message().id())
                .containsExactly(later.getFirst().id());
    }

    /** By their keys and not by who has been ready for longest: so does everybody, and nobody waits crosswise. */
    @Test
    void aReceiveThatTakesHeadsOutHoldsNoGroupBehindTheOneItWaitsFor() throws Exception {
        for (String group : List.of("b", "a")) {
            mailroom.ledger.commit(mailroom.send(Json.NULL, new GroupKey(group)));
        }
        database.run("UPDATE perdure.message SET expires_at = 0");
        try (Connection operator = database.session();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            operator.setAutoCommit(false);
            lock(operator, "a");
            Future<List<Delivery>> received = threads.submit(() -> mailroom.receive(10, Mailroom.LONG));
            awaitLockWait();
            lock(operator, "b");
            operator.commit();
            assertThat(received.get()).isEmpty();
        }
        assertThat(mailroom.figures(Mailroom.QUEUE).expired()).isEqualTo(2);
    }

    private static void lock(Connection operator, String group) throws Exception {
        try (PreparedStatement statement =
                operator.prepareStatement("SELECT 1 FROM perdure.queue_group WHERE group_key = ? FOR UPDATE NOWAIT")) {
            statement.setString(1, group);
            assertThat(statement.executeQuery().next()).isTrue();
        }
    }

    private static void discard(Connection operator, NewMessage message) throws Exception {
        try (PreparedStatement statement = operator.prepareStatement(
                "SELECT perdure.discard_1(jsonb_build_object('tenant', ?, 'queue', ?, 'message', ?), 0)")) {
            statement.setString(1, Mailroom.TENANT.value());
            statement.setString(2, Mailroom.QUEUE.value());
            statement.setString(3, message.id().toString());
            statement.execute();
        }
    }

    /** Waits until somebody waits for the operator. */
    private void awaitLockWait() {
        while (database.read("SELECT count(*)::text FROM pg_locks WHERE NOT granted")
                .equals("0")) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** One that failed would be done again commit by commit, and its neighbours with it. */
    @Test
    void acknowledgementsThatAllComeTooLateDoNotFailTheirBatch() {
        assertThat(database.read("""
                        SELECT lost::text FROM perdure.acknowledge_1(
                            0, ARRAY['default'], ARRAY[1], ARRAY[gen_random_uuid()], ARRAY[gen_random_uuid()])""")).isEqualTo("{1}");
    }
}
