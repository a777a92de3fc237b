package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.Store;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.QueueStatus;
import io.perdure.sdk.queue.Receiving;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PerdureTest extends PerdureFixture {
    @Test
    void aUrlThatNoStoreOpensIsSaidToBeSo() {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> Perdure.open("jdbc:nothing:app.db"))
                .withMessageStartingWith("PD-210 No store opens \"jdbc:nothing:app.db\".");
    }

    @Test
    void creatingAQueueTwiceIsCreatingItOnce() {
        mail.send(BODY);

        assertThat(perdure.createQueue("mail").receive()).hasSize(1);
        assertThat(perdure.queues()).hasSize(2);
    }

    @Test
    void aQueueWithOtherSettingsIsRefusedAndLeftAsItIs() {
        assertCode(
                ErrorCode.QUEUE_DIFFERS,
                () -> perdure.createQueue("mail", QueueSettings.defaults().retries(7)));
        assertThat(perdure.queues().getFirst().settings()).isEqualTo(QueueSettings.defaults());
    }

    @Test
    void aQueueIsFoundByItsName() {
        mail.send(BODY);

        MessageQueue found = perdure.queue("mail");

        assertThat(found.name()).isEqualTo(mail.name());
        assertThat(found.receive()).hasSize(1);
    }

    @Test
    void aQueueThatIsNotThereIsSaidToBeSo() {
        assertCode(ErrorCode.NO_SUCH_QUEUE, () -> perdure.queue("post"));
        assertCode(ErrorCode.NO_SUCH_QUEUE, () -> perdure.queue("post.dlq"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Mail", "ma il", "__mine", "mail/1", "näme"})
    void aNameThatNoQueueCanHaveIsRefused(String name) {
        assertCode(ErrorCode.INVALID_NAME, () -> perdure.createQueue(name));
        assertCode(ErrorCode.INVALID_NAME, () -> perdure.queue(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mail.dlq", "__wf_order", "__wf_order@1"})
    void queuesOfTheEngineAreNotForUsersToCreate(String name) {
        assertCode(ErrorCode.MALFORMED_COMMIT, () -> perdure.createQueue(name));
    }

    @Test
    void queuesAreListedByNameWithSettingsAndFigures() {
        perdure.createQueue("audit", QueueSettings.defaults().retries(0));
        mail.sendAll(List.of(outgoing(1), outgoing(2)));
        mail.receive(Receiving.upTo(1));

        assertThat(perdure.queues())
                .extracting(status -> status.name().value())
                .containsExactly("audit", "audit.dlq", "mail", "mail.dlq");
        QueueStatus listed = perdure.queues().get(2);
        assertThat(listed.settings()).isEqualTo(QueueSettings.defaults());
        assertThat(listed.figures().ready()).isEqualTo(1);
        assertThat(listed.figures().leased()).isEqualTo(1);
        assertThat(listed.figures().in()).isEqualTo(2);
    }

    private static Outgoing outgoing(int number) {
        return Outgoing.of(Json.number(number));
    }

    @Test
    void tenantsDoNotSeeEachOther() {
        Store shared = openStore(time);
        Perdure acme = Perdure.over(shared, time, OpenOptions.defaults().tenant("acme"));
        Perdure other = Perdure.over(shared, time, OpenOptions.defaults().tenant("other"));
        acme.createQueue("mail").send(BODY);

        assertThat(other.queues()).isEmpty();
        assertThat(other.createQueue("mail").receive()).isEmpty();
        Delivery delivery = receiveOne(acme.queue("mail"));
        assertThat(other.ackAll(List.of(delivery.receipt()))).containsExactly(delivery.receipt());
        acme.close();
        other.close();
    }

    @Test
    void aTenantHasAValidName() {
        assertThat(OpenOptions.defaults().tenant()).isEqualTo(TenantId.DEFAULT);
        assertCode(ErrorCode.INVALID_NAME, () -> OpenOptions.defaults().tenant("Acme Inc."));
    }

    @Test
    void everyCallAfterCloseSaysThatItWasClosed() {
        mail.send(BODY);
        Delivery delivery = receiveOne(mail);
        perdure.close();

        assertCode(ErrorCode.STORE_CLOSED, () -> perdure.createQueue("mail"));
        assertCode(ErrorCode.STORE_CLOSED, () -> perdure.queue("mail"));
        assertCode(ErrorCode.STORE_CLOSED, perdure::queues);
        assertCode(ErrorCode.STORE_CLOSED, () -> perdure.ackAll(List.of(delivery.receipt())));
        assertCode(ErrorCode.STORE_CLOSED, () -> mail.send(BODY));
        assertCode(ErrorCode.STORE_CLOSED, () -> mail.sendLater(List.of()));
        assertCode(ErrorCode.STORE_CLOSED, mail::receive);
        assertCode(ErrorCode.STORE_CLOSED, delivery::ack);
        assertCode(ErrorCode.STORE_CLOSED, delivery::retry);
        assertCode(ErrorCode.STORE_CLOSED, () -> delivery.reject("no"));
        assertCode(ErrorCode.STORE_CLOSED, () -> delivery.extend(SECOND));
    }

    @Test
    void closingClosesTheStoreAndMayBeRepeated() {
        perdure.close();
        perdure.close();

        assertCode(ErrorCode.STORE_CLOSED, () -> bent.real().now());
    }

    @Test
    void whoOnlyReadsWritesNothing() {
        BentStore readable = new BentStore(openStore(time));
        readable.fail("openLanes", new StoreException(ErrorCode.STORE_FAILED, "Read-only."));
        try (Perdure reader = Perdure.over(readable.store(), time, OpenOptions.defaults())) {
            assertThat(reader.queues()).isEmpty();
            assertCode(ErrorCode.STORE_FAILED, () -> reader.createQueue("mail"));
            readable.heal("openLanes");
            reader.createQueue("mail");
        }
    }
}
