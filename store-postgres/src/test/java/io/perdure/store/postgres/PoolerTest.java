package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.postgres.PgBouncer;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.Receiving;
import io.perdure.testkit.property.ModelRun;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Behind a pooler the next transaction may run in another session: nothing may be left in one. */
@Timeout(180)
final class PoolerTest {
    private static final String MODE = "&perdure.pooler=transaction";
    private static final int OPERATIONS = 2_000;
    private static final long SEED = 1;

    /** One, or none where the program is not installed. */
    static List<PgBouncer> poolers() {
        return PgBouncer.inFrontOf(TestPostgres.server()).stream().toList();
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("poolers")
    void theStoreAnswersLikeTheModel(PgBouncer pooler) {
        try (pooler) {
            ModelRun.checkFirst(OPERATIONS, new VirtualTime(pooler.url() + MODE, 1), SEED);
        }
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("poolers")
    void messagesComeAndGo(PgBouncer pooler) {
        try (pooler;
                FreshDatabase database = new FreshDatabase();
                Perdure sender = Perdure.open(pooler.url(database.name()) + MODE);
                Perdure receiver = Perdure.open(pooler.url(database.name()) + MODE)) {
            MessageQueue out = sender.createQueue("work");
            MessageQueue in = receiver.queue("work");
            out.sendAll(IntStream.range(0, 50)
                    .mapToObj(number -> Outgoing.of(Json.number(number)))
                    .toList());

            List<Delivery> deliveries = in.receive(Receiving.upTo(100).waiting(Duration.ofSeconds(20)));
            assertThat(deliveries).hasSize(50);
            assertThat(in.ackAll(deliveries)).isEmpty();
            assertThat(sender.queues().stream()
                            .map(queue ->
                                    queue.figures().ready() + queue.figures().leased()))
                    .containsOnly(0L);
        }
    }
}
