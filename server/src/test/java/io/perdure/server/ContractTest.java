package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.perdure.sdk.Limits;
import io.perdure.sdk.RemoteLimits;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import io.perdure.server.Document.Described;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Asks for every operation of the document, well and in every wrong way that it tells of, and holds the answers against it. */
class ContractTest {
    private static final int MAX_BODY_BYTES = 128 * 1024;
    private static final RemoteLimits REMOTE = Limits.defaults().remote();
    private static final int MAILBOX = Limits.defaults().runs().mailbox();
    private static final Path ERROR_PAGES = Path.of("..", "docs", "errors");

    @TempDir
    private static Path directory;

    private static Served served;
    private static Scenario scenario;
    private static @Nullable RunId full;

    @BeforeAll
    static void serve() {
        served = new Served(ServerOptions.of("jdbc:sqlite:" + directory.resolve("store.db"))
                .port(0)
                .maxBodyBytes(MAX_BODY_BYTES)
                .maxWaiting(1));
        scenario = new Scenario(served);
    }

    @AfterAll
    static void close() {
        served.close();
    }

    private static Stream<DynamicTest> each(int status, Consumer<Described> test) {
        return each(status, _ -> true, test);
    }

    private static Stream<DynamicTest> each(int status, Predicate<Described> which, Consumer<Described> test) {
        List<Described> documenting = Document.operations().stream()
                .filter(operation -> operation.documents(status))
                .filter(which)
                .toList();
        assertThat(documenting).isNotEmpty();
        return documenting.stream().map(operation -> dynamicTest(operation.id(), () -> test.accept(operation)));
    }

    private static Answer ask(Request request) {
        return served.asking.ask(request.key(served.admin));
    }

    private static JsonNode problem(Described operation, int status, Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.mediaType()).isEqualTo("application/problem+json");
        assertThat(SchemaCheck.faults(Document.schema("Problem"), answer.json()))
                .isEmpty();
        assertThat(answer.json().path("status").asInt()).isEqualTo(status);
        assertThat(operation.codes(status)).contains(answer.code());
        assertThat(ERROR_PAGES.resolve(answer.code() + ".md")).exists();
        return answer.json();
    }

    @TestFactory
    Stream<DynamicTest> goodRequestsAreAnsweredAsDescribed() {
        return GoodRequests.tests(served);
    }

    @TestFactory
    Stream<DynamicTest> examplesOfParametersAreTaken() {
        return Document.operations().stream()
                .filter(operation -> !operation.parameters("query").isEmpty())
                .flatMap(operation -> operation.parameters("query").stream()
                        .filter(parameter -> parameter.has("example"))
                        .map(parameter -> dynamicTest(
                                operation.id() + " " + parameter.path("name").asString(), () -> {
                                    String name =
                                            parameter.path("name").asString().replaceAll("<.*>", "city");
                                    JsonNode example = parameter.path("example");
                                    String value =
                                            example.isArray() ? example.get(0).asString() : example.asString();
                                    Request good = scenario.good(operation);
                                    Answer answer = ask(good.path(good.path() + "?" + name + "=" + encoded(value)));
                                    assertThat(answer.status())
                                            .as(answer.body())
                                            .isBetween(200, 299);
                                })));
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    @TestFactory
    Stream<DynamicTest> whoHasNoKeyIs401() {
        return each(401, operation -> {
            Request good = scenario.good(operation);
            problem(operation, 401, served.asking.ask(good));
            Answer answer = served.asking.ask(good.key("pd_aaaaaaaaaaaaaaaa_" + "a".repeat(43)));
            problem(operation, 401, answer);
            assertThat(answer.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
        });
    }

    @TestFactory
    Stream<DynamicTest> aKeyOfTheWrongRoleIs403() {
        return each(403, operation -> {
            boolean isForClients = operation.role().equals(Optional.of("client"));
            String key = isForClients ? served.monitor : served.client;
            JsonNode problem = problem(
                    operation, 403, served.asking.ask(scenario.good(operation).key(key)));
            assertThat(problem.path("code").asString()).isEqualTo("PD-602");
        });
    }

    @TestFactory
    Stream<DynamicTest> whatCannotBeReadIs400() {
        return each(400, operation -> {
            Request good = scenario.good(operation);
            Request bad;
            if (operation.hasBody()) {
                bad = good.body("{");
            } else if (operation.path().contains("{id}")) {
                Map<String, String> parts = Map.of("name", "order", "id", "no-id");
                bad = good.path(Scenario.filled(operation.path(), parts));
            } else if (has(operation, "cursor")) {
                bad = good.path(good.path() + "?cursor=nowhere");
            } else if (has(operation, "input")) {
                bad = good.path(good.path() + "?input=%7B");
            } else {
                requireMalformedIs400(operation, good.path());
                return;
            }
            problem(operation, 400, ask(bad));
        });
    }

    private static boolean has(Described operation, String parameter) {
        return operation.parameters("query").stream()
                .anyMatch(one -> one.path("name").asString().equals(parameter));
    }

    /** Of what cannot be read as HTTP, the operation makes no difference. */
    private static void requireMalformedIs400(Described operation, String path) {
        RawRequest request = RawRequest.of(
                operation.method() + " " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n");
        try {
            RawAnswer answer = request.ask(served.server.port());
            assertThat(answer.status()).as(answer.body()).isEqualTo(400);
            AnswerCheck.require(request.seen(answer));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @TestFactory
    Stream<DynamicTest> whatIsAbsentAndWhatIsAStrangersAreTheSame404() {
        return each(404, operation -> {
            Map<String, String> absent = new HashMap<>();
            absent.put("name", operation.path().contains("/queues/") ? "nowhere" : "order");
            absent.put(
                    "id",
                    operation.id().equals("revokeKey")
                            ? "aaaaaaaaaaaaaaaa"
                            : UUID.randomUUID().toString());
            absent.put("event", "paid");
            absent.put("receipt", UUID.randomUUID() + "." + UUID.randomUUID());
            Request theirs = scenario.good(operation);
            Request nobodys = theirs.path(Scenario.filled(operation.path(), absent));
            String one = masked(problem(operation, 404, served.asking.ask(theirs.key(served.stranger))));
            String other = masked(problem(operation, 404, served.asking.ask(nobodys.key(served.stranger))));
            assertThat(one).isEqualTo(other);
        });
    }

    /** An error without the ids in it. */
    private static String masked(JsonNode problem) {
        return problem.toString()
                .replaceAll("[0-9a-f]{8}-[0-9a-f-]{27}", "ID")
                .replaceAll("no queue [^.]*", "no queue NAME")
                .replaceAll("key [a-z2-7]{16}", "key ID");
    }

    @TestFactory
    Stream<DynamicTest> anotherMethodIs405AndToldWhichWouldDo() {
        return Document.operations().stream()
                .map(operation -> dynamicTest(operation.id(), () -> {
                    Answer answer =
                            ask(new Request("PUT", scenario.good(operation).path(), "{}"));
                    assertThat(answer.status()).isEqualTo(405);
                    assertThat(answer.code()).isEqualTo("PD-608");
                    assertThat(SchemaCheck.faults(Document.schema("Problem"), answer.json()))
                            .isEmpty();
                    assertThat(answer.headers().firstValue("Allow").orElse("").split(", "))
                            .contains(operation.method());
                }));
    }

    @TestFactory
    Stream<DynamicTest> whatIsNotAsItWouldHaveToBeIs409() {
        return each(
                409,
                operation -> !operation.codes(409).equals(List.of("PD-612")),
                operation -> problem(operation, 409, ask(scenario.conflicting(operation))));
    }

    @TestFactory
    Stream<DynamicTest> anIdThatSomethingElseWasAskedForByIs409() {
        return RepeatedChanges.all().stream()
                .map(operation -> dynamicTest(operation.id(), () -> {
                    JsonNode problem = problem(operation, 409, ask(scenario.reusing(operation)));
                    assertThat(problem.path("code").asString()).isEqualTo("PD-612");
                }));
    }

    @TestFactory
    Stream<DynamicTest> aChangeThatIsSentAgainIsAnsweredAsTheFirstTime() {
        return RepeatedChanges.tests(served, List.of(served.asking, served.asking));
    }

    @TestFactory
    Stream<DynamicTest> aBodyThatIsTooLargeIs413() {
        return each(413, operation -> {
            String large = "{}" + " ".repeat(operation.isOfWorkers() ? REMOTE.requestBytes() : MAX_BODY_BYTES);
            JsonNode problem =
                    problem(operation, 413, ask(scenario.good(operation).body(large)));
            assertThat(problem.path("code").asString()).isEqualTo("PD-607");
        });
    }

    @TestFactory
    Stream<DynamicTest> aBodyThatIsNotSaidToBeJSONIs415() {
        return each(415, operation -> {
            Request good = scenario.good(operation);
            if (operation.hasBody()) {
                problem(operation, 415, ask(good.with("Content-Type", "text/plain")));
            }
            problem(
                    operation,
                    415,
                    ask(good.body("{}").with("Content-Type", "application/json").with("Content-Encoding", "gzip")));
        });
    }

    @TestFactory
    Stream<DynamicTest> anUnknownParameterIs422AndNamed() {
        return each(422, operation -> !operation.isOfWorkers(), operation -> {
            Request good = scenario.good(operation);
            JsonNode problem = problem(operation, 422, ask(good.path(good.path() + "?zzz=1")));
            assertThat(problem.path("field").asString()).isEqualTo("zzz");
        });
    }

    @TestFactory
    Stream<DynamicTest> anUnknownFieldIs422AndNamed() {
        return Document.restOperations().stream()
                .filter(Described::hasBody)
                .filter(operation -> !Scenario.plain(operation).equals("signalRun"))
                .map(operation -> dynamicTest(operation.id(), () -> {
                    JsonNode problem =
                            problem(operation, 422, ask(scenario.good(operation).body("{\"zzz\":1}")));
                    assertThat(problem.path("field").asString()).isEqualTo("zzz");
                }));
    }

    @TestFactory
    Stream<DynamicTest> aFieldThatIsNotAsDescribedIsRefusedAndNamed() {
        return BrokenField.all()
                .map(broken -> dynamicTest(broken.toString(), () -> {
                    Request request = scenario.good(broken.operation()).body(broken.body());
                    JsonNode problem = problem(broken.operation(), broken.status(), ask(request));
                    if (broken.property() != null) {
                        assertThat(problem.path("field").asString()).isEqualTo(broken.property());
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> aFieldOfAWorkerThatIsNotAsDescribedIsRefused() {
        return BrokenField.ofWorkers()
                .map(broken -> dynamicTest(broken.toString(), () -> {
                    Request good = scenario.good(broken.operation());
                    Answer answer = ask(good.body(broken.body()));
                    assertThat(answer.status()).as(answer.body()).isBetween(400, 422);
                }));
    }

    @TestFactory
    Stream<DynamicTest> aParameterThatIsNotAsDescribedIs422AndNamed() {
        return BrokenParameter.all()
                .map(broken -> dynamicTest(broken.toString(), () -> {
                    Request good = scenario.good(broken.operation());
                    Request request = good.path(good.path() + "?" + broken.name() + "=" + encoded(broken.value()));
                    JsonNode problem = problem(broken.operation(), 422, ask(request));
                    assertThat(problem.path("field").asString()).isEqualTo(broken.name());
                }));
    }

    @TestFactory
    Stream<DynamicTest> whatWaitsWhereTooManyDoIs429() {
        return each(429, ContractTest::waits, operation -> {
            if (Scenario.plain(operation).equals("signalRun")) {
                Answer answer = ask(scenario.good(operation)
                        .path(Scenario.filled(
                                operation.path(), Map.of("name", "order", "event", "paid", "id", full().toString()))));
                problem(operation, 429, answer);
                return;
            }
            Request good = scenario.good(operation);
            Request waits = operation.hasBody()
                    ? good.path("/v1/queues/" + served.queue() + "/receive").body("{\"wait\":1}")
                    : good.path(good.path() + "?wait=1" + (good.path().endsWith("history") ? "&from=1" : ""));
            String occupied = served.queue();
            CompletableFuture<Answer> first = served.asking.later(
                    new Request("POST", "/v1/queues/" + occupied + "/receive", "{\"wait\":20}").key(served.admin));
            Served.until(() -> served.server.waiting() == 1);
            Answer answer = ask(waits);
            problem(operation, 429, answer);
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
            served.engine().queue(occupied).send(Json.of("1"));
            assertThat(first.join().json().path("messages").size()).isEqualTo(1);
        });
    }

    /** The others are refused by a server that has too much to do, or to strangers; a signal also by its run. */
    private static boolean waits(Described operation) {
        return operation.parameters("query").stream()
                        .anyMatch(parameter -> parameter.path("name").asString().equals("wait"))
                || Set.of("receiveMessages", "signalRun").contains(Scenario.plain(operation));
    }

    /** A run whose mailbox is full; filled once. */
    private static RunId full() {
        RunId known = full;
        if (known == null) {
            RunId run = served.idleRun();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < MAILBOX; i++) {
                    threads.execute(() -> served.engine().signal(run, "paid", 1));
                }
            }
            full = run;
            return run;
        }
        return known;
    }
}
