package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.RunFilter;
import io.perdure.server.Asking.Answer;
import io.perdure.server.Asking.Request;
import java.util.List;
import java.util.UUID;

/** Sends requests again, maybe to another server, and sees that they were done once. */
final class RepeatedRequests {
    private RepeatedRequests() {}

    static void check(List<Asking> servers, Perdure engine) {
        engine.createQueue("mails");
        String id = "0199d0a0-8000-7000-8000-0000000000aa";
        Answer started = same(servers, new Request("POST", "/v1/workflows/order/runs", "{\"input\":1}"), id);
        assertThat(started.json().path("runId").asString()).isEqualTo(id);
        same(
                servers,
                new Request(
                        "POST",
                        "/v1/workflows/order/runs",
                        "{\"input\":1,\"runId\":\"0199d0a0-8000-7000-8000-0000000000ab\"}"),
                UUID.randomUUID().toString());
        assertThat(engine.count(RunFilter.all().workflow("order"))).isEqualTo(2);

        Answer signalled = same(
                servers,
                new Request("POST", "/v1/runs/" + id + "/signals/paid", "1"),
                UUID.randomUUID().toString());
        assertThat(signalled.body()).isEqualTo("{\"created\":true}");
        assertThat(engine.mailbox(RunId.parse(id), 0, Long.MAX_VALUE).entries()).hasSize(1);
        Request named = new Request("POST", "/v1/runs/" + id + "/signals/paid?deduplicationId=one", "1");
        assertThat(ask(servers, named, UUID.randomUUID().toString()))
                .extracting(Answer::body)
                .startsWith("{\"created\":true}", "{\"created\":false}");
        assertThat(engine.mailbox(RunId.parse(id), 0, Long.MAX_VALUE).entries()).hasSize(2);

        Answer sent = same(
                servers,
                new Request("POST", "/v1/queues/mails/messages", "[{\"body\":1},{\"body\":2}]"),
                UUID.randomUUID().toString());
        assertThat(sent.json().path("messages").findValuesAsString("id")).hasSize(2);
        assertThat(engine.queue("mails").status().figures().depth()).isEqualTo(2);
    }

    /** All answers, which have to be the same. */
    private static Answer same(List<Asking> servers, Request request, String id) {
        List<Answer> answers = ask(servers, request, id);
        assertThat(answers.stream()
                        .map(answer -> answer.status() + " " + answer.mediaType() + " " + answer.body())
                        .distinct())
                .as(request.path())
                .hasSize(1);
        return answers.getFirst();
    }

    /** What each server answers, one after another. */
    private static List<Answer> ask(List<Asking> servers, Request request, String id) {
        return servers.stream()
                .map(server -> server.ask(request.with("Perdure-Request", id)))
                .toList();
    }
}
