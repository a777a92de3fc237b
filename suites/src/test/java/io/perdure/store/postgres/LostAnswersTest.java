package io.perdure.store.postgres;

import static io.perdure.store.postgres.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Ledger;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.postgres.CuttingProxy;
import io.perdure.postgres.CuttingProxy.Cut;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.SentMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The line to the server is cut in the middle of things: what was asked is done once, and answered truly. */
@Timeout(180)
final class LostAnswersTest {
    private static final String FLUSH = "flush_2";
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final FreshDatabase database = new FreshDatabase();
    private final CuttingProxy proxy =
            CuttingProxy.inFrontOf(TestPostgres.server().port());
    private final Mailroom here = Mailroom.at(proxy.url(database.name()), Mailroom.patient(PATIENCE));

    /** Looks at the database past the proxy. */
    private final Mailroom aside = Mailroom.at(database.text());

    @AfterEach
    void close() {
        try (database;
                proxy;
                here) {
            aside.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFlushIsAppliedOnceAndAnsweredTruly(Cut cut) {
        here.ledger.commit(here.send("old"));
        Delivery old = here.receive(1, Mailroom.LONG).getFirst();
        Send send = here.send("new");
        Start start = here.start("key", Json.NULL);
        proxy.cutNext(FLUSH, cut);

        List<Outcome> outcomes = here.ledger.commitAll(List.of(send, Mailroom.done(old), start));

        assertThat(proxy.cuts()).isEqualTo(1);
        assertThat(here.ledger.figures().resends()).isPositive();
        assertThat(outcomes.get(0)).isEqualTo(sent(send));
        assertThat(outcomes.get(1)).isEqualTo(new Outcome.Settled(Fate.DONE));
        assertThat(outcomes.get(2)).isInstanceOf(Outcome.Started.class);
        assertAppliedOnce(start);
        if (cut == Cut.DELAY) {
            proxy.release();
            assertAppliedOnce(start);
        }
        here.ledger.commit(here.send("next"));
        assertThat(aside.bodies()).containsExactlyInAnyOrder("\"new\"", "\"next\"");
        assertThat(here.ledger.figures().freshLanes()).isZero();
    }

    private static Outcome sent(Send send) {
        return new Outcome.Sent(
                List.of(new SentMessage(send.messages().getFirst().id(), true)));
    }

    private void assertAppliedOnce(Start start) {
        assertThat(aside.bodies()).containsExactly("\"new\"");
        assertThat(aside.figures(Mailroom.QUEUE).in()).isEqualTo(2);
        assertThat(aside.figures(Mailroom.QUEUE).out()).isEqualTo(1);
        assertThat(aside.store.runCounts(Mailroom.TENANT))
                .singleElement()
                .satisfies(count -> assertThat(count.count()).isEqualTo(1));
        assertThat(aside.store.run(Mailroom.TENANT, start.run())).isPresent();
    }

    /** The one held back comes so late that its lane has gone on long since. */
    @Test
    void aFlushThatComesLateFindsItselfAnswered() {
        proxy.cutNext(FLUSH, Cut.DELAY);
        for (int number = 0; number < 10; number++) {
            here.ledger.commit(here.send("message " + number));
        }
        List<Delivery> deliveries = here.receive(100, Mailroom.LONG);
        here.ledger.commitAll(deliveries.stream().map(Mailroom::done).toList());

        proxy.release();

        assertThat(deliveries).hasSize(10);
        assertThat(aside.bodies()).isEmpty();
        assertThat(aside.figures(Mailroom.QUEUE).in()).isEqualTo(10);
    }

    @Test
    void severalCutsInARowAreAnsweredAllTheSame() {
        for (Cut cut : List.of(Cut.DURING, Cut.AFTER_COMMIT, Cut.BEFORE_SERVER, Cut.AFTER_COMMIT, Cut.DURING)) {
            proxy.cutNext(FLUSH, cut);
        }
        Send send = here.send("new");

        assertThat(here.ledger.commit(send)).isEqualTo(sent(send));
        assertThat(proxy.cuts()).isEqualTo(5);
        assertThat(aside.bodies()).containsExactly("\"new\"");
    }

    @Test
    void whatStaysUnansweredIsToldWithTheWayToFindOut() {
        try (Mailroom hasty = Mailroom.at(proxy.url(database.name()), Mailroom.patient(SHORT))) {
            proxy.cutNext(FLUSH, Cut.AFTER_COMMIT);
            for (int attempt = 0; attempt < 100; attempt++) {
                proxy.cutNext(FLUSH, Cut.BEFORE_SERVER);
            }
            Send send = hasty.send("new");

            refuses(() -> hasty.ledger.commit(send), ErrorCode.OUTCOME_UNKNOWN)
                    .hasMessageContaining(send.messages().getFirst().id().toString())
                    .hasMessageContaining("Read back what it was to change, or repeat the call");
            assertThat(aside.bodies()).containsExactly("\"new\"");
        }
    }

    /** A receive is asked again, since nothing is lost by it: what the lost answer held is free after its lease. */
    @ParameterizedTest
    @EnumSource
    void messagesLeasedByALostAnswerComeBackAfterTheirLease(Cut cut) {
        here.sendAll(5);
        proxy.cutNext("receive_2", cut);
        Set<String> received = new HashSet<>();
        List<Outcome> outcomes = new ArrayList<>();
        List<Delivery> first = here.receive(3, SHORT);
        first.forEach(delivery -> received.add(delivery.message().body().text()));
        here.ledger.commitAll(first.stream().map(Mailroom::done).toList()).forEach(outcomes::add);
        if (cut == Cut.DELAY) {
            proxy.release();
        }
        while (received.size() < 5) {
            List<Delivery> later = here.receive(3, Mailroom.LONG);
            later.forEach(delivery -> received.add(delivery.message().body().text()));
            here.ledger.commitAll(later.stream().map(Mailroom::done).toList()).forEach(outcomes::add);
            LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }

        assertThat(proxy.cuts()).isEqualTo(1);
        assertThat(outcomes).hasSize(5).containsOnly(new Outcome.Settled(Fate.DONE));
        assertThat(aside.bodies()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aReadIsAnswered(Cut cut) {
        here.sendAll(3);
        proxy.cutNext("figures_2", cut);
        assertThat(here.figures(Mailroom.QUEUE)).isEqualTo(aside.figures(Mailroom.QUEUE));
        proxy.cutNext("earlier_deliveries", cut);
        assertThat(here.messages(Mailroom.QUEUE)).isEqualTo(aside.messages(Mailroom.QUEUE));
        assertThat(proxy.cuts()).isEqualTo(2);
        if (cut == Cut.DELAY) {
            proxy.release();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theLanesAreOpened(Cut cut) {
        try (Mailroom late = Mailroom.at(proxy.url(database.name()));
                Ledger ledger = Ledger.open(late.store, late.environment, Limits.defaults())) {
            proxy.cutNext("open_lanes_1", cut);
            ledger.commit(late.send("x"));
            assertThat(proxy.cuts()).isEqualTo(1);
            if (cut == Cut.DELAY) {
                proxy.release();
            }
        }
    }
}
