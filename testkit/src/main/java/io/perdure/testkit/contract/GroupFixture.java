package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Received.Delivery;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.queue.Fate;
import io.perdure.testkit.StoreFactory;
import org.junit.jupiter.api.BeforeEach;

/** A queue and a group in it. */
abstract class GroupFixture extends StoreFixture {
    GroupFixture(StoreFactory factory) {
        super(factory);
    }

    @BeforeEach
    final void makeQueue() {
        createQueue();
    }

    final NewMail inGroup() {
        return newMail().group("g");
    }

    /** Requires that this message, and no other, can be delivered; acknowledges it. */
    final void nextIs(MessageId expected) {
        Delivery delivery = receiveOnly();
        assertThat(delivery.message().id()).isEqualTo(expected);
        assertThat(fate(done(delivery))).isEqualTo(Fate.DONE);
    }
}
