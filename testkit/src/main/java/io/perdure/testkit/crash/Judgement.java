package io.perdure.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.RunSnapshot;
import io.perdure.core.store.RunSnapshot.MailboxEntry;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.testkit.crash.Waiter.Parcel;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Holds what a store has of a run against the ledger of what was done to it. */
final class Judgement {
    private final Target target;
    private final RunSnapshot found;
    private final List<Event.EventReceived> received;

    Judgement(Target target, RunSnapshot found) {
        this.target = target;
        this.found = found;
        this.received = found.history().stream()
                .map(Recorded::event)
                .filter(Event.EventReceived.class::isInstance)
                .map(Event.EventReceived.class::cast)
                .toList();
    }

    void pass() {
        endedAsItShould();
        nothingIsLostOrDoubled();
        tookTheFirstOfEachTurnInOrder();
    }

    private void endedAsItShould() {
        List<Event> events = found.history().stream().map(Recorded::event).toList();
        assertThat(found.history())
                .extracting(Recorded::seq)
                .as("dense numbers of %s", target)
                .containsExactlyElementsOf(
                        LongStream.range(0, events.size()).boxed().toList());
        assertThat(events.subList(0, events.size() - 1))
                .as("nothing after the end of %s", target)
                .noneMatch(event -> event instanceof Event.RunCancelled || event instanceof Event.RunCompleted);
        assertThat(found.message()).as("the message of %s", target).isNull();
        if (target.isCancelled()) {
            assertThat(found.run().status()).as("%s", target).isEqualTo(RunStatus.CANCELLED);
            assertThat(events.getLast()).as("%s", target).isInstanceOf(Event.RunCancelled.class);
        } else {
            assertThat(found.run().status()).as("%s", target).isEqualTo(RunStatus.COMPLETED);
            assertThat(received).as("the turns of %s", target).hasSize(Waiter.TURNS);
            assertThat(found.run().output())
                    .as("the result of %s", target)
                    .isEqualTo(Json.string(Waiter.result(parcels())));
        }
    }

    private List<Parcel> parcels() {
        return received.stream().map(event -> Parcel.of(event.payload())).toList();
    }

    /** What was acknowledged was taken once or still lies there, and nothing else was or does. */
    private void nothingIsLostOrDoubled() {
        Stream<Parcel> left = found.mailbox().stream().map(entry -> Parcel.of(entry.payload()));
        assertThat(Stream.concat(parcels().stream(), left).toList())
                .as("taken and left of %s", target)
                .containsExactlyInAnyOrderElementsOf(target.acknowledged());
        assertThat(received)
                .extracting(Event.EventReceived::signal)
                .as("the numbers that %s took", target)
                .doesNotHaveDuplicates();
    }

    private void tookTheFirstOfEachTurnInOrder() {
        assertThat(parcels())
                .extracting(Parcel::turn)
                .as("the turns of %s", target)
                .containsExactlyElementsOf(
                        IntStream.range(0, received.size()).boxed().toList());
        for (Event.EventReceived taken : received) {
            int turn = Parcel.of(taken.payload()).turn();
            assertThat(found.mailbox())
                    .filteredOn(entry -> entry.event().equals(taken.event()))
                    .filteredOn(entry -> Parcel.of(entry.payload()).turn() == turn)
                    .extracting(MailboxEntry::number)
                    .as("what was there before signal %d of %s", taken.signal(), target)
                    .allMatch(number -> number > taken.signal());
        }
    }
}
