package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessagePage;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueuedMessage;
import io.perdure.sdk.queue.QueuedMessage.State;
import io.perdure.sdk.queue.Receiving;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A look at messages that leaves them where they are. */
class BrowsingTest extends PerdureFixture {
    @Test
    void aMessageIsShownWithAllThatIsKnownOfIt() {
        MessageId id =
                mail.send(Outgoing.of(BODY).header("trace", "42").group("g")).id();
        receiveOne(mail).retry(SECOND, "mailbox full");

        QueuedMessage shown = mail.messages(10).messages().getFirst();

        assertThat(shown.id()).isEqualTo(id);
        assertThat(shown.queue()).isEqualTo(mail.name());
        assertThat(shown.body()).isEqualTo(BODY);
        assertThat(shown.headers()).isEqualTo(Map.of("trace", "42"));
        assertThat(shown.group().orElseThrow().value()).isEqualTo("g");
        assertThat(shown.state()).isEqualTo(State.DELAYED);
        assertThat(shown.sentAt()).isEqualTo(time.clock().instant());
        assertThat(shown.readyAt()).isEqualTo(time.clock().instant().plus(SECOND));
        assertThat(shown.expiresAt())
                .isEqualTo(shown.readyAt().plus(mail.settings().retention()));
        assertThat(shown.attempts()).isEqualTo(1);
        assertThat(shown.earlierAttempts()).isZero();
        assertThat(shown.firstDelivered()).contains(time.clock().instant());
        assertThat(shown.lastDelivered()).contains(time.clock().instant());
        assertThat(shown.lastError()).contains("mailbox full");
        assertThat(shown.deadLetter()).isEmpty();
    }

    @Test
    void whoLooksLeasesNothing() {
        mail.send(BODY);

        assertThat(mail.messages(10).messages().getFirst().state()).isEqualTo(State.READY);
        Delivery delivery = receiveOne(mail);
        assertThat(delivery.attempts()).isEqualTo(1);
        assertThat(mail.messages(10).messages().getFirst().state()).isEqualTo(State.LEASED);
    }

    @Test
    void pagesFollowEachOtherToTheEnd() {
        mail.sendAll(IntStream.range(0, 5)
                .mapToObj(number -> Outgoing.of(Json.number(number)))
                .toList());

        List<String> bodies = new ArrayList<>();
        MessagePage page = mail.messages(2);
        while (page.next() != null) {
            page.messages().forEach(message -> bodies.add(message.body().text()));
            page = mail.messages(2, page.next());
        }
        page.messages().forEach(message -> bodies.add(message.body().text()));

        assertThat(bodies).containsExactlyInAnyOrder("0", "1", "2", "3", "4");
        assertThat(mail.receive(Receiving.upTo(10)).stream()
                        .map(delivery -> delivery.body().text()))
                .containsExactlyElementsOf(bodies);
    }

    @Test
    void anEmptyQueueHasOneEmptyPage() {
        MessagePage page = mail.messages(10);

        assertThat(page.messages()).isEmpty();
        assertThat(page.next()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "ready", "ready_x_y", "started_2026-01-01T00:00:00Z_01900000-0000-7000-8000-000000000000"})
    void whatIsNoPlaceIsSaidToBeNone(String place) {
        assertCode(ErrorCode.INVALID_ID, () -> mail.messages(10, place));
    }

    @Test
    void aPageIsBounded() {
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> mail.messages(0));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> mail.messages(10_001));
    }
}
