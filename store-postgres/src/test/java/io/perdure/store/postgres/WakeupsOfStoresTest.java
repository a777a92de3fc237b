package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.core.store.Hint;
import io.perdure.core.store.Store;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WakeupsOfStoresTest {
    private static final Hint ANYTHING = new Hint.Anything();
    private static final Json BODY = Json.of("1");

    private FreshDatabase database = new FreshDatabase();
    private Heard heard = new Heard();

    @AfterEach
    void drop() {
        database.close();
    }

    private Store open(String... parameters) {
        return PostgresStore.open(database.url(parameters), new SystemEnvironment(), Limits.defaults());
    }

    @Test
    void aSendIsHeardByAnotherProcess() throws Exception {
        try (Perdure sender = Perdure.open(database.text());
                Store listener = open()) {
            MessageQueue mail = sender.createQueue("mail");
            listener.watch(heard);
            heard.await(ANYTHING);

            mail.send(BODY);

            heard.await(new Hint.Ready(TenantId.DEFAULT, new QueueName("mail")));
        }
    }

    @Test
    void aProcessThatSendsAndEndsIsHeard() throws Exception {
        try (Store listener = open()) {
            listener.watch(heard);
            heard.await(ANYTHING);

            try (Perdure sender = Perdure.open(database.text())) {
                sender.createQueue("mail").send(BODY);
            }

            heard.await(new Hint.Ready(TenantId.DEFAULT, new QueueName("mail")));
        }
    }

    @Test
    void behindAPoolerAProcessFindsOutByAsking() throws Exception {
        try (Perdure sender = Perdure.open(database.text());
                Store asking = open("perdure.pooler=transaction")) {
            MessageQueue mail = sender.createQueue("mail");
            asking.watch(heard);
            heard.await(ANYTHING);

            for (int time = 0; time < 3; time++) {
                mail.send(BODY);
                heard.await(ANYTHING);
            }

            assertThat(database.read("SELECT count(*)::text FROM pg_stat_activity"
                            + " WHERE datname = current_database() AND query LIKE 'LISTEN%'"))
                    .isEqualTo("0");
        }
    }

    @Test
    void behindAPoolerAProcessFindsOutWhatAReceiveGaveUp() throws Exception {
        try (Perdure receiver = Perdure.open(database.text());
                Store asking = open("perdure.pooler=transaction")) {
            MessageQueue mail =
                    receiver.createQueue("mail", QueueSettings.defaults().retries(0));
            mail.send(BODY);
            Delivery only = mail.receive().getFirst();
            only.extend(Duration.ofMillis(1));
            asking.watch(heard);
            heard.await(ANYTHING);

            assertThat(mail.receive(Receiving.upTo(1).waiting(Duration.ofMillis(500))))
                    .isEmpty();
            assertThat(mail.deadLetters().count()).isEqualTo(1);

            heard.await(ANYTHING);
        }
    }

    @Test
    void whoListensHearsOfWhoIsBehindAPooler() throws Exception {
        try (Perdure sender = Perdure.open(database.text("perdure.pooler=transaction"));
                Store listener = open()) {
            MessageQueue mail = sender.createQueue("mail");
            listener.watch(heard);
            heard.await(ANYTHING);

            mail.send(BODY);

            heard.await(new Hint.Ready(TenantId.DEFAULT, new QueueName("mail")));
        }
    }
}
