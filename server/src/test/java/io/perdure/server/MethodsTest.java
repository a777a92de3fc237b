package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import io.perdure.server.Document.Described;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each path answers the methods that the document lists for it, and says so to all others. */
class MethodsTest {
    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

    @TempDir
    private Path directory;

    private Served served;

    @BeforeEach
    void serve() {
        served = new Served(
                ServerOptions.of("jdbc:sqlite:" + directory.resolve("store.db")).port(0));
    }

    @AfterEach
    void close() {
        served.close();
    }

    private static Map<String, List<Described>> paths(List<Described> operations) {
        return operations.stream().collect(Collectors.groupingBy(Described::path));
    }

    private static String target(String path) {
        return path.replaceAll("\\{[a-z]+}", "a");
    }

    private static Set<String> allowed(Answer answer) {
        return new TreeSet<>(
                Arrays.asList(answer.headers().firstValue("Allow").orElse("").split(", ")));
    }

    @Test
    void undocumentedMethods_onEachPath_are405WithAllow() {
        paths(Document.operations()).forEach((path, operations) -> {
            List<String> documented = operations.stream().map(Described::method).toList();
            List<String> others = new ArrayList<>(METHODS);
            others.removeAll(documented);
            for (String method : others) {
                Answer answer = served.asking.ask(method, target(path));
                assertThat(answer.status()).as(method + " " + path).isEqualTo(405);
                assertThat(answer.code()).isEqualTo("PD-608");
                assertThat(allowed(answer)).containsAll(documented).doesNotContain(method);
            }
        });
    }

    @Test
    void options_onEachPathButThoseOfWorkers_namesTheDocumentedMethods() {
        paths(Document.restOperations()).forEach((path, operations) -> {
            Answer answer = served.asking.ask("OPTIONS", target(path));
            Set<String> documented =
                    operations.stream().map(Described::method).collect(Collectors.toCollection(TreeSet::new));
            documented.add("OPTIONS");
            if (documented.contains("GET")) {
                documented.add("HEAD");
            }
            assertThat(answer.status()).as(path).isEqualTo(204);
            assertThat(allowed(answer)).as(path).isEqualTo(documented);
        });
    }

    @Test
    void head_onEachOperationThatReads_isAnsweredAsGetWithoutABody() {
        Scenario scenario = new Scenario(served);
        for (Described operation : Document.restOperations()) {
            if (operation.method().equals("GET")) {
                Request get = scenario.good(operation).key(served.admin);
                Request head = new Request("HEAD", get.path(), null, get.headers());
                Answer answer = served.asking.ask(head);
                assertThat(answer.status()).as(operation.id()).isBetween(200, 299);
                assertThat(answer.body()).as(operation.id()).isEmpty();
                assertThat(operation.documents(answer.status()))
                        .as(operation.id())
                        .isTrue();
            }
        }
    }
}
