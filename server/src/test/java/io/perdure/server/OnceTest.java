package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Opened;
import io.perdure.core.store.NotedRequest;
import io.perdure.core.store.RequestAnswer;
import io.perdure.core.store.RequestNote;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.Delivery;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.StartOptions;
import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a request that bears an id is answered, and whether it is done, when things go wrong between the two. */
class OnceTest {
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final String DELETED = "{\"purged\":1}";

    @TempDir
    private Path directory;

    private final UUID id = UUID.randomUUID();
    private FailingStore store;
    private PerdureServer server;
    private Asking asking;
    private MessageQueue queue;

    @BeforeEach
    void serve() {
        store = FailingStore.open("jdbc:sqlite:" + directory.resolve("store.db"));
        serve(WAIT);
        queue = server.engine().createQueue("mails", QueueSettings.defaults().retries(0));
    }

    private void serve(Duration outcomeWait) {
        server = PerdureServer.over(ServerOptions.of("jdbc:sqlite:bent").port(0), Opened.over(store), outcomeWait);
        asking = new Asking(server.url());
    }

    @AfterEach
    void close() {
        asking.close();
        server.close();
    }

    private Request purge() {
        return new Request("POST", "/v1/queues/mails/purge").with("Perdure-Request", id.toString());
    }

    private Answer ask(String method, String path, @Nullable String body) {
        return asking.ask(new Request(method, path, body).with("Perdure-Request", id.toString()));
    }

    private static void assertUnknown(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo("PD-201");
        assertThat(answer.json().path("unknown").asBoolean()).isTrue();
    }

    private NotedRequest kept() {
        return server.engine().requests().find(id).orElseThrow();
    }

    /** Has somebody note this request who never answers it: one that asks for the same, where one was asked before. */
    private RequestNote noteElsewhere(Request request) {
        store.failsToAnswer(true);
        Answer lost = asking.ask(request);
        assertThat(lost.status()).isEqualTo(200);
        store.failsToAnswer(false);
        return kept().note();
    }

    @Test
    void whatIsAskedForAgainIsDoneOnce() {
        queue.send(Json.of("1"));
        assertThat(asking.ask(purge()).body()).isEqualTo(DELETED);
        queue.send(Json.of("2"));
        assertThat(asking.ask(purge()).body()).isEqualTo(DELETED);
        assertThat(queue.status().figures().depth()).isEqualTo(1);
    }

    @Test
    void ofManyThatComeAtOnceOneIsDone() {
        restart(Duration.ofSeconds(60));
        queue.send(Json.of("1"));
        List<CompletableFuture<Answer>> answers =
                Stream.generate(() -> asking.later(purge())).limit(16).toList();
        assertThat(answers.stream().map(CompletableFuture::join).map(Answer::body))
                .allMatch(DELETED::equals);
    }

    @Test
    void aRefusalStands() {
        queue.send(Json.of("1"));
        Answer first = ask("DELETE", "/v1/queues/mails", null);
        assertThat(first.status()).isEqualTo(409);
        queue.purge();
        Answer second = ask("DELETE", "/v1/queues/mails", null);
        assertThat(second.status()).isEqualTo(409);
        assertThat(second.mediaType()).isEqualTo("application/problem+json");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(asking.ask("DELETE", "/v1/queues/mails").status()).isEqualTo(204);
    }

    @Test
    void whereNothingWasDoneTheNextTryDoesIt() {
        queue.send(Json.of("1"));
        store.failNextRead(new StoreException(ErrorCode.STORE_UNREACHABLE, "Away."));
        Answer first = asking.ask(purge());
        assertThat(first.code()).isEqualTo("PD-208");
        assertThat(server.engine().requests().find(id)).isEmpty();
        assertThat(asking.ask(purge()).body()).isEqualTo(DELETED);
        assertThat(queue.status().figures().depth()).isZero();
    }

    @Test
    void whereNobodyKnowsItIsNotDoneAgain() {
        queue.send(Json.of("1"));
        store.failNextRead(new StoreException(ErrorCode.OUTCOME_UNKNOWN, "No answer."));
        assertUnknown(asking.ask(purge()));
        assertUnknown(asking.ask(purge()));
        assertThat(queue.status().figures().depth()).isEqualTo(1);
    }

    @Test
    void aFaultIsNotDoneAgain() {
        queue.send(Json.of("1"));
        store.failNextRead(new IllegalStateException("a fault that a test made"));
        assertThat(asking.ask(purge()).status()).isEqualTo(500);
        assertUnknown(asking.ask(purge()));
        assertThat(queue.status().figures().depth()).isEqualTo(1);
    }

    /** As where a server dies between doing it and keeping the answer, except that this one still answers, and truly. */
    @Test
    void anAnswerThatCouldNotBeKeptIsTrueAndNobodyKnowsTheSecondTime() {
        queue.send(Json.of("1"));
        store.failsToAnswer(true);
        assertThat(asking.ask(purge()).body()).isEqualTo(DELETED);
        store.failsToAnswer(false);
        queue.send(Json.of("2"));
        long began = System.nanoTime();
        assertUnknown(asking.ask(purge()));
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(WAIT);
        assertThat(queue.status().figures().depth()).isEqualTo(1);
    }

    @Test
    void whatIsUnderWayElsewhereIsWaitedFor() {
        restart(Duration.ofSeconds(60));
        RequestNote elsewhere = noteElsewhere(purge());
        CompletableFuture<Answer> second = asking.later(purge());
        Served.until(() -> server.waiting() == 1);
        assertThat(server.underWay()).isZero();
        RequestAnswer answer = new RequestAnswer(200, "application/json", "{\"purged\":7}");
        server.engine().requests().answered(elsewhere, answer);
        assertThat(second.join().body()).isEqualTo("{\"purged\":7}");
    }

    @Test
    void whatIsForgottenElsewhereIsDoneHere() {
        restart(Duration.ofSeconds(60));
        RequestNote elsewhere = noteElsewhere(purge());
        queue.send(Json.of("1"));
        CompletableFuture<Answer> second = asking.later(purge());
        Served.until(() -> server.waiting() == 1);
        server.engine().requests().forget(elsewhere);
        assertThat(second.join().body()).isEqualTo(DELETED);
        assertThat(kept().answer()).isEqualTo(new RequestAnswer(200, "application/json", DELETED));
    }

    @Test
    void aServerThatClosesDoesNotWaitForAnother() {
        restart(Duration.ofSeconds(60));
        noteElsewhere(purge());
        CompletableFuture<Answer> second = asking.later(purge());
        Served.until(() -> server.waiting() == 1);
        server.close();
        assertUnknown(second.join());
    }

    private void restart(Duration outcomeWait) {
        asking.close();
        server.close();
        store = FailingStore.open("jdbc:sqlite:" + directory.resolve("store.db"));
        serve(outcomeWait);
        queue = server.engine().queue("mails");
    }

    @Test
    void whatToldOfItsProgressTellsOnlyOfItsEndTheSecondTime() {
        for (int i = 0; i < 3; i++) {
            queue.send(Json.number(i));
            queue.receive().getFirst().reject("as it should");
        }
        Request redrive = new Request("POST", "/v1/queues/mails/dlq/redrive", "{\"all\":true}")
                .with("Accept", "application/x-ndjson")
                .with("Perdure-Request", id.toString());
        Answer first = asking.ask(redrive);
        Answer second = asking.ask(redrive);
        assertThat(second.mediaType()).isEqualTo("application/x-ndjson");
        assertThat(first.body()).endsWith(second.body());
        assertThat(second.body()).isEqualTo("{\"count\":3,\"missing\":[]}\n");
        assertThat(queue.status().figures().depth()).isEqualTo(3);
    }

    @Test
    void aRunIsCancelledOnce() {
        RunId run = server.engine()
                .start("order", Json.of("1"), StartOptions.defaults())
                .id();
        Answer first = ask("DELETE", "/v1/runs/" + run, null);
        assertThat(ask("DELETE", "/v1/runs/" + run, null).body())
                .isEqualTo(first.body())
                .contains("\"cancelled\":true");
        assertThat(server.engine().history(run, 0, 10).stream()
                        .filter(recorded -> recorded.event() instanceof Event.RunCancelled))
                .hasSize(1);
        assertThat(asking.ask("DELETE", "/v1/runs/" + run).body()).contains("\"cancelled\":false");
    }

    @Test
    void theIdsOfAnotherTenantAreItsOwn() {
        queue.send(Json.of("1"));
        var theirs = server.engine().tenant(new TenantId("other")).requests();
        theirs.note(theirs.draft(id, "0".repeat(64)));
        assertThat(asking.ask(purge()).body()).isEqualTo(DELETED);
    }

    private Answer askAnew(String method, String path, String body) {
        UUID anew = UUID.randomUUID();
        Answer answer = asking.ask(new Request(method, path, body).with("Perdure-Request", anew.toString()));
        assertThat(answer.status()).as(answer.body()).isBetween(200, 299);
        assertThat(server.engine().requests().find(anew))
                .as("noted, without an answer")
                .hasValueSatisfying(noted -> assertThat(noted.answer()).isNull());
        return answer;
    }

    @Test
    void answer_ofWhatIsDoneAgain_isNotKept() {
        queue.send(Json.of("1"));
        Delivery delivery = queue.receive().getFirst();
        askAnew("PATCH", "/v1/messages/" + delivery.receipt(), "{\"extend\":60}");
        askAnew("POST", "/v1/runs/bulk", "{\"action\":\"cancel\",\"dryRun\":true}");
        askAnew("POST", "/v1/keys", "{\"name\":\"k\",\"role\":\"admin\"}");
    }

    @Test
    void requestId_ofASend_cannotBeASignals() {
        RunId run = server.engine()
                .start("order", Json.of("1"), StartOptions.defaults())
                .id();
        String signal = "/v1/runs/" + run + "/signals/paid";
        assertThat(ask("POST", "/v1/queues/mails/messages", "{\"body\":1}").status())
                .isEqualTo(201);

        assertThat(ask("POST", signal, "1").code()).isEqualTo("PD-612");
        assertThat(ask("POST", "/v1/queues/mails/messages", "{\"body\":2}").code())
                .isEqualTo("PD-612");

        assertThat(server.engine().mailbox(run, 0, Long.MAX_VALUE).entries()).isEmpty();
        assertThat(queue.status().figures().depth()).isEqualTo(1);
    }

    @Test
    void requestId_ofABatchOfStarts_cannotBeThatOfAnother() {
        String starts = "/v1/workflows/order/starts";
        Answer first = ask("POST", starts, "{\"starts\":[{\"input\":1},{\"input\":2}]}");

        assertThat(ask("POST", starts, "{\"starts\":[{\"input\":1},{\"input\":2},{\"input\":3}]}")
                        .code())
                .isEqualTo("PD-612");
        assertThat(ask("POST", "/v1/workflows/order/runs", "{\"input\":3}").code())
                .isEqualTo("PD-612");

        assertThat(ask("POST", starts, "{\"starts\":[{\"input\":1},{\"input\":2}]}")
                        .body())
                .isEqualTo(first.body());
        assertThat(server.engine().count(RunFilter.all().workflow("order"))).isEqualTo(2);
    }

    /** Consumers receive all the time: noting each would be a write more for each. */
    @Test
    void requestId_ofAConsumersReceive_isNotNoted() {
        Request receive = new Request("POST", "/v1/queues/mails/receive", "{\"max\":1}")
                .with("Perdure-Consumer", UUID.randomUUID().toString());
        assertThat(asking.ask(receive.with("Perdure-Request", id.toString())).status())
                .isEqualTo(200);
        assertThat(server.engine().requests().find(id)).isEmpty();
    }

    @Test
    void receive_underTheSameId_isDoneEachTime() {
        queue.send(Json.of("1"));
        queue.send(Json.of("2"));
        for (int i = 0; i < 2; i++) {
            assertThat(ask("POST", "/v1/queues/mails/receive", "{\"max\":1}")
                            .json()
                            .path("messages")
                            .size())
                    .isEqualTo(1);
        }
        assertThat(ask("POST", "/v1/queues/mails/receive", "{\"max\":2}").code())
                .isEqualTo("PD-612");
    }

    @Test
    void whatIsNoIdIsRefused() {
        Answer answer = asking.ask(new Request("POST", "/v1/queues/mails/purge").with("Perdure-Request", "x"));
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.json().path("field").asString()).isEqualTo("Perdure-Request");
    }
}
