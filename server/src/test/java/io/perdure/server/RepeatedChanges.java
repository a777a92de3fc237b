package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import io.perdure.server.Document.Described;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Sends every change once again under its id, maybe to another server, and something else under that id. */
final class RepeatedChanges {
    /** What is done once has the same answer, byte for byte; so has what says itself what it is. The others find that they were done. */
    private static final Set<String> ANSWERED_ANEW =
            Set.of("receiveMessages", "ackMessages", "extendMessages", "createKey");

    private RepeatedChanges() {}

    /**
     * A test for each operation.
     *
     * @param servers of one store, those of {@code served} among them
     */
    static Stream<DynamicTest> tests(Served served, List<Asking> servers) {
        Scenario scenario = new Scenario(served);
        return all().stream()
                .map(operation -> dynamicTest(operation.id(), () -> check(operation, scenario, served, servers)));
    }

    /** The operations that may change something: all that a request id can be given to. */
    static List<Described> all() {
        List<Described> changes = Document.restOperations().stream()
                .filter(operation -> !operation.method().equals("GET"))
                .toList();
        assertThat(changes).hasSizeGreaterThan(30);
        return changes;
    }

    private static void check(Described operation, Scenario scenario, Served served, List<Asking> servers) {
        String id = UUID.randomUUID().toString();
        Request request = scenario.changing(operation).key(served.admin).with("Perdure-Request", id);
        List<Answer> answers =
                servers.stream().map(server -> server.ask(request)).toList();
        Answer first = answers.getFirst();
        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(answer.status()).as(answer.body()).isBetween(200, 299));
        boolean same = !ANSWERED_ANEW.contains(Scenario.plain(operation));
        assertThat(answers.stream().map(RepeatedChanges::whole).distinct().count() == 1 || !same)
                .as("answers %s", answers)
                .isTrue();

        for (Asking server : servers) {
            assertReused(server.ask(new Request("POST", "/v1/queues/" + served.filledQueue() + "/purge")
                    .key(served.admin)
                    .with("Perdure-Request", id)));
            if (operation.hasBody()) {
                assertReused(server.ask(request.body("{\"another\":1}")));
            }
        }
        Answer last = servers.getLast().ask(request);
        assertThat(last.status()).as(last.body()).isEqualTo(first.status());
        assertThat(!same || last.body().equals(first.body())).as(last.body()).isTrue();
    }

    private static void assertReused(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(409);
        assertThat(answer.code()).isEqualTo("PD-612");
    }

    private static String whole(Answer answer) {
        return answer.status() + " " + answer.headers().firstValue("Content-Type") + " " + answer.body();
    }
}
