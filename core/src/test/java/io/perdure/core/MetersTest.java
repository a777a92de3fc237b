package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.perdure.core.store.Store;
import io.perdure.core.telemetry.Telemetry;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What meters say of queues when there are many of them, and of an engine that comes and goes. */
class MetersTest {
    private static final Json BODY = Json.of("1");

    /** As many queues have figures of their own. */
    private static final int SHOWN = 100;

    /** Whoever asks for a look while one is under way goes by that one: so there is none. */
    private static final Duration BEFORE_IT_LOOKS_BY_ITSELF = Duration.ofSeconds(4);

    private final VirtualTime time = new VirtualTime();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Store store = PerdureFixture.openStore(time);
    private Perdure perdure = open(store);

    private Perdure open(Store over) {
        return Perdure.over(over, time, OpenOptions.defaults().meters(registry));
    }

    @AfterEach
    void close() {
        perdure.close();
    }

    private double shown(String name, String... tags) {
        perdure.readMeters();
        return registry.get(name).tags(tags).gauge().value();
    }

    private double counted(String queue, String what) {
        perdure.readMeters();
        return registry.get("perdure.queue.traffic")
                .tags("queue", queue, "what", what)
                .counter()
                .count();
    }

    private MessageQueue create(int number) {
        return perdure.createQueue("q%04d".formatted(number));
    }

    private void fill(int queues) {
        for (int i = 0; i < queues; i++) {
            create(i);
        }
        perdure.readMeters();
    }

    private void giveUp(MessageQueue queue) {
        queue.send(BODY);
        perdure.reject(queue.receive(Receiving.upTo(1)).getFirst().receipt(), "as it should");
    }

    @Test
    void deadLettersOfQueuesThatAreOthersAreNotMessagesOfOthers() {
        fill(SHOWN);
        giveUp(create(SHOWN));
        time.pass(BEFORE_IT_LOOKS_BY_ITSELF);

        assertThat(shown("perdure.queue.messages", "queue", "other.dlq", "state", "ready"))
                .isEqualTo(1);
        assertThat(shown("perdure.queue.oldest.age", "queue", "other.dlq")).isEqualTo(4);
        assertThat(shown("perdure.queue.messages", "queue", "other", "state", "ready"))
                .isZero();
        assertThat(shown("perdure.queue.oldest.age", "queue", "other")).isZero();
    }

    @Test
    void aQueueIsShownByItsNameOnceOthersAreGone() {
        fill(SHOWN + 1);
        assertThat(registry.find("perdure.queue.oldest.age")
                        .tag("queue", "q0100")
                        .gauge())
                .isNull();
        perdure.queue("q0007").delete();

        assertThat(shown("perdure.queue.oldest.age", "queue", "q0100")).isZero();
        assertThat(registry.find("perdure.queue.oldest.age")
                        .tag("queue", "q0007")
                        .gauge())
                .isNull();
        assertThat(registry.find("perdure.queue.oldest.age")
                        .tag("queue", "other")
                        .gauge())
                .isNull();
    }

    @Test
    void howManyQueuesAreInNoFigureIsAFigure() {
        fill(500);
        assertThat(shown("perdure.queues.unread")).isZero();
        create(500);
        assertThat(shown("perdure.queues.unread")).isEqualTo(2);
    }

    @Test
    void whatComesAndGoesInAQueueIsCountedSinceTheFirstLook() {
        MessageQueue old = create(1);
        old.send(BODY);
        assertThat(counted("q0001", "in")).isZero();
        MessageQueue mail = create(2);
        mail.send(BODY);
        giveUp(old);
        perdure.ackAll(List.of(mail.receive(Receiving.upTo(1)).getFirst().receipt()));

        assertThat(counted("q0001", "in")).isEqualTo(1);
        assertThat(counted("q0001", "dead_lettered")).isEqualTo(1);
        assertThat(counted("q0001.dlq", "in")).isEqualTo(1);
        assertThat(counted("q0002", "in")).isEqualTo(1);
        assertThat(counted("q0002", "out")).isEqualTo(1);
        assertThat(counted("q0002", "retried")).isZero();
        assertThat(counted("q0002", "expired")).isZero();
    }

    @Test
    void whatWasCountedOfOthersStaysWhenOneOfThemIsDeletedOrMadeAnew() {
        fill(SHOWN);
        MessageQueue gone = create(SHOWN);
        MessageQueue stays = create(SHOWN + 1);
        for (int i = 0; i < 5; i++) {
            gone.send(BODY);
        }
        stays.send(BODY);
        stays.send(BODY);
        assertThat(counted("other", "in")).isEqualTo(7);
        gone.purge();
        gone.delete();
        assertThat(counted("other", "in")).isEqualTo(7);
        create(SHOWN).send(BODY);
        assertThat(counted("other", "in")).isEqualTo(8);
        stays.purge();
        stays.delete();
        create(SHOWN + 1).send(BODY);
        assertThat(counted("other", "in")).isEqualTo(9);
    }

    @Test
    void aTenantThatIsLookedAtFromNowOnHasNotJustDoneAllThatItEverDid() {
        TenantId acme = new TenantId("acme");
        try (Perdure elsewhere =
                Perdure.over(store, time, OpenOptions.defaults().tenant(acme.value()))) {
            MessageQueue mail = elsewhere.createQueue("mail");
            mail.send(BODY);
            perdure.readMeters();
            perdure.tenant(acme);
            assertThat(counted("mail", "in")).isZero();
            mail.send(BODY);
            assertThat(counted("mail", "in")).isEqualTo(1);
        }
    }

    @Test
    void anEngineTakesItsMetersAlongAndTheNextOneShowsItsOwn() {
        List<String> ofTheEngine = List.of(
                "perdure.store.read.age",
                "perdure.ledger.resends",
                "perdure.ledger.unknown",
                "perdure.ledger.waiting.commits",
                "perdure.worker.runs",
                "perdure.worker.abandoned",
                "perdure.worker.concurrency",
                "perdure.workers",
                "perdure.queues.unread",
                "perdure.queue.traffic");
        create(1);
        perdure.readMeters();
        assertThat(ofTheEngine)
                .allSatisfy(name -> assertThat(registry.find(name).meters()).isNotEmpty());
        Perdure first = perdure;
        first.close();
        assertThat(ofTheEngine)
                .allSatisfy(name -> assertThat(registry.find(name).meters()).isEmpty());

        time.pass(Duration.ofHours(1));
        perdure = open(PerdureFixture.openStore(time));
        first.close();
        Gauge age = registry.get("perdure.store.read.age").gauge();
        assertThat(age.value()).isZero();
        time.pass(Duration.ofSeconds(1));
        assertThat(age.value()).isEqualTo(1);
    }

    @Test
    void aLookThatIsUnderWayWhenAllEndsShowsNothingAfterwards() {
        SimpleMeterRegistry own = new SimpleMeterRegistry();
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        Telemetry telemetry = new Telemetry(new Telemetry.Watchers(own, null));
        telemetry.over(PerdureFixture.openStore(time), time, () -> {
            asked.countDown();
            await(answered);
            return List.of(TenantId.DEFAULT);
        });
        time.start("scraper", telemetry::read);
        await(asked);
        telemetry.close();
        answered.countDown();
        while (time.running("perdure-figures") > 0) {
            Thread.onSpinWait();
        }

        assertThat(own.find("perdure.workers").meters()).isEmpty();
        assertThat(own.find("perdure.queues.unread").meters()).isEmpty();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
