package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import io.perdure.server.Document.Described;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Sends every change that is done once again under its id, maybe to another server, and something else under that id. */
final class RepeatedChanges {
    private RepeatedChanges() {}

    /**
     * A test for each operation.
     *
     * @param servers of one store, those of {@code served} among them
     */
    static Stream<DynamicTest> tests(Served served, List<Asking> servers) {
        Scenario scenario = new Scenario(served);
        List<Described> changes = doneOnce();
        assertThat(changes).hasSizeGreaterThan(15);
        return changes.stream()
                .map(operation -> dynamicTest(operation.id(), () -> check(operation, scenario, served, servers)));
    }

    /** The operations that are done once for each id. */
    static List<Described> doneOnce() {
        return Document.operations().stream()
                .filter(operation -> operation.codes(409).contains("PD-612"))
                .toList();
    }

    private static void check(Described operation, Scenario scenario, Served served, List<Asking> servers) {
        String id = UUID.randomUUID().toString();
        Request request = scenario.changing(operation).key(served.admin).with("Perdure-Request", id);
        List<Answer> answers =
                servers.stream().map(server -> server.ask(request)).toList();
        Answer first = answers.getFirst();
        assertThat(first.status()).as(first.body()).isBetween(200, 299);
        assertThat(answers.stream().map(RepeatedChanges::whole).distinct()).hasSize(1);

        Request another = new Request("POST", "/v1/queues/" + served.filledQueue() + "/purge")
                .key(served.admin)
                .with("Perdure-Request", id);
        for (Asking server : servers) {
            Answer refused = server.ask(another);
            assertThat(refused.status()).as(refused.body()).isEqualTo(409);
            assertThat(refused.code()).isEqualTo("PD-612");
        }
        assertThat(servers.getLast().ask(request).body()).isEqualTo(first.body());
    }

    private static String whole(Answer answer) {
        return answer.status() + " " + answer.headers().firstValue("Content-Type") + " " + answer.body();
    }
}
