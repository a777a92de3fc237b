package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.Receiving;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Dead letters from the command line. */
class DlqCommandsTest extends QueueFixture {
    @BeforeEach
    void createQueue() {
        assertThat(queue("create", "mail").exitCode()).isZero();
    }

    /** Makes so many hundreds of dead letters, by a queue that delivers once. */
    private void deadLetters(int hundreds) {
        queue("update", "mail", "--retries", "0");
        try (Perdure perdure = Perdure.open(store)) {
            MessageQueue mail = perdure.queue("mail");
            for (int hundred = 0; hundred < hundreds; hundred++) {
                mail.sendAll(IntStream.range(0, 100)
                        .mapToObj(n -> Outgoing.of(Json.of("{\"odd\": " + (n % 2 == 1) + "}")))
                        .toList());
                mail.retryAll(mail.receive(Receiving.upTo(100)), Duration.ZERO, "");
            }
        }
    }

    @Test
    void deadLettersAreListedWithWhatTheyWentThrough() {
        assertSays(dlq("list", "mail"), "There is no dead letter of mail.");
        String silent = deadLetter("mail", "{\"n\":\n 0}", "");
        String loud = deadLetter("mail", "1", "no such\ncustomer\u001B[0m");

        assertThat(dlq("list", "mail").out())
                .containsPattern("DEAD LETTER +ATTEMPTS +REASON +FIRST +LAST +LAST ERROR \\| BODY\\R")
                .containsPattern("(?m)^" + silent + " +1 +rejected +\\d+[smhd] +\\d+[smhd] +- \\| \\{\"n\": 0}$")
                .containsPattern(
                        "(?m)^" + loud + " +1 +rejected +\\d+[smhd] +\\d+[smhd] +no such customer\uFFFD\\[0m \\| 1$");
        assertThat(dlq("list", "mail.dlq").out()).contains(silent, loud);
    }

    @Test
    void programsReadAllThatThereIsOfADeadLetter() {
        String id = deadLetter("mail", "{\"n\": 1.50}", "no such customer");

        assertThat(dlq(asJson("list", "mail")).out()).contains("{\"n\": 1.50}");
        JsonNode listed = dlqJson("list", "mail").get("messages").get(0);
        assertThat(dlqJson("show", "mail", id)).isEqualTo(listed);
        assertThat(listed.propertyNames())
                .containsExactly(
                        "id",
                        "queue",
                        "state",
                        "body",
                        "headers",
                        "attempts",
                        "earlierAttempts",
                        "firstDelivered",
                        "lastDelivered",
                        "lastError",
                        "deadLetter",
                        "sentAt",
                        "readyAt",
                        "expiresAt");
        assertThat(listed.get("deadLetter").propertyNames()).containsExactly("origin", "reason", "at", "attempts");
        assertThat(listed.at("/deadLetter/origin").asString()).isEqualTo("mail");
        assertThat(listed.at("/deadLetter/reason").asString()).isEqualTo("rejected");
    }

    @Test
    void theListGoesOnWhereThePageEnded() {
        String first = deadLetter("mail", "1", "");
        String second = deadLetter("mail", "2", "");

        JsonNode page = dlqJson("list", "mail", "--limit", "1");
        String next = page.get("next").asString();

        assertThat(page.at("/messages/0/id").asString()).isEqualTo(first);
        assertThat(dlq("list", "mail", "--limit", "1").out()).contains("go on with --after " + next);
        assertThat(dlqJson("list", "mail", "--after", next).at("/messages/0/id").asString())
                .isEqualTo(second);
        assertSays(
                dlq("list", "mail", "--after", "ready_2999-01-01T00:00:00Z_" + NOBODY),
                "There is no further dead letter of mail.");
    }

    @ParameterizedTest
    @ValueSource(ints = {72, 80, 120})
    void theListIsCutToTheTerminal(int columns) {
        deadLetter("mail", "\"" + "x".repeat(300) + "\"", "e".repeat(300));

        Invocation listed = narrow(columns, "dlq", "list", "mail");

        assertFits(listed, columns);
        assertThat(listed.out()).containsPattern("eee+\\.\\.\\.");
        assertThat(dlq("list", "mail").out()).contains("x".repeat(300), "e".repeat(300));
    }

    @Test
    void aDeadLetterIsShownWholeWithHowToRedriveIt() {
        queue("send", "mail", "{\"n\": 1}", "--group", "g", "--header", "a=b");
        String receipt = receipts(queue("receive", "mail")).getFirst();
        queue("reject", receipt, "--error", "no such customer");
        String id = messageOf(receipt);

        assertThat(dlq("show", "mail", id).out())
                .containsPattern("dead letter +" + id + "\\R")
                .containsPattern("queue +mail\\R")
                .containsPattern("given up +20\\S+Z, a receiver rejected it\\R")
                .containsPattern("attempts +1\\R")
                .containsPattern("first +20\\S+Z\\R")
                .containsPattern("last +20\\S+Z\\R")
                .containsPattern("last error +no such customer\\R")
                .containsPattern("group +g\\R")
                .containsPattern("header +a=b\\R")
                .containsPattern("body +\\{\"n\": 1}\\R")
                .contains("perdure dlq redrive --store " + store + " mail " + id);
    }

    @Test
    void aRedrivenDeadLetterIsDeliveredAgainAndRemembersItsAttempts() {
        String id = deadLetter("mail", "1", "no such customer");

        assertSays(dlq("redrive", "mail", id, id), "Put 1 dead letter back into mail.");

        assertThat(queue("receive", "mail").out())
                .contains(id)
                .containsPattern("attempts +1, and 1 before it was redriven\\R");
        assertSays(dlq("list", "mail"), "There is no dead letter of mail.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"redrive", "discard"})
    void idsThatAreNotThereAreNamedAndTheOthersAreDone(String verb) {
        String id = deadLetter("mail", "1", "");

        Invocation done = dlq(verb, "mail", NOBODY, id);

        assertFails(done, 1, "PD-403 Not ");
        assertThat(done.err()).contains(": " + NOBODY + " is not in mail.dlq. ");
        assertThat(done.out()).contains("1 dead letter ");
        assertThat(json("show", "mail").get("deadLetters").asInt()).isZero();
        assertThat(dlq(asJson(verb, "mail", NOBODY)).out()).contains("\"missing\" : [ \"" + NOBODY + "\" ]");
    }

    @Test
    void allAreCountedAndOnlyAYesRedrives() {
        assertSays(dlq("redrive", "mail", "--all"), "There is no dead letter of mail.");
        deadLetters(6);

        assertSays(dlq("redrive", "mail", "--all"), "600 dead letters of mail would be put back. To do so, add --yes.");
        assertThat(dlqJson("redrive", "mail", "--all").toString()).isEqualTo("{\"matched\":600,\"redriven\":0}");
        Invocation redriven = dlq("redrive", "mail", "--all", "--yes");

        assertThat(redriven.out()).isEqualToIgnoringNewLines("Put 600 dead letters back into mail.");
        assertThat(redriven.err().lines()).containsExactly("600 dead letters to put back ...", "500 of 600 ...");
        assertThat(json("show", "mail").get("ready").asInt()).isEqualTo(600);
        assertThat(dlqJson("redrive", "mail", "--all", "--yes").toString()).isEqualTo("{\"matched\":0,\"redriven\":0}");
    }

    @Test
    void whereThereIsNoDeadLetterNothingIsSaidOfProgress() {
        assertSays(dlq("redrive", "mail", "--all", "--yes"), "Put 0 dead letters back into mail.");
        deadLetter("mail", "1", "");
        assertSays(dlq("redrive", "mail", "--match", "2", "--yes"), "Put 0 dead letters back into mail.");
    }

    @Test
    void progressIsToldOnlyWhereThereIsSome() {
        queue("send", "mail", "\"last\"");
        String last = receipts(queue("receive", "mail", "--visibility", "1h")).getFirst();
        deadLetters(6);
        queue("reject", last);

        Invocation redriven = dlq("redrive", "mail", "--match", "\"last\"", "--yes");

        assertThat(redriven.out()).isEqualToIgnoringNewLines("Put 1 dead letter back into mail.");
        assertThat(redriven.err().lines()).containsExactly("1 dead letter to put back ...");
    }

    @Test
    void aDeadLetterThatIsReceivedShowsWhatItWentThrough() {
        queue("retry", received("mail", "1"));
        String receipt = receipts(queue("receive", "mail")).getFirst();
        queue("reject", receipt, "--error", "no such customer");

        assertThat(queue("receive", "mail.dlq").out())
                .containsPattern("message +" + messageOf(receipt) + "\\R")
                .containsPattern("queue +mail\\R")
                .containsPattern("given up +20\\S+Z, a receiver rejected it\\R")
                .containsPattern("attempts +2\\R")
                .containsPattern("last error +no such customer\\R");
    }

    @Test
    void thoseThatMatchAreCountedAndRedrivenAndTheOthersStay() {
        deadLetters(6);

        assertSays(
                dlq("redrive", "mail", "--match", "{\"odd\": true}"),
                "300 dead letters of mail would be put back. To do so, add --yes.");
        assertSays(dlq("redrive", "mail", "--match", "{\"odd\": 7}"), "There is no dead letter of mail that matches.");
        assertThat(dlqJson("redrive", "mail", "--match", "{\"odd\": true}", "--yes")
                        .toString())
                .isEqualTo("{\"matched\":300,\"redriven\":300}");

        assertThat(json("show", "mail").get("deadLetters").asInt()).isEqualTo(300);
        assertSays(
                dlq("redrive", "mail", "--match", "{\"odd\": true}"), "There is no dead letter of mail that matches.");
    }

    @Test
    void deadLettersAreDiscardedByIdOrAfterAYesAllOfThem() {
        String id = deadLetter("mail", "1", "");
        deadLetter("mail", "2", "");
        deadLetter("mail", "3", "");

        assertSays(dlq("discard", "mail.dlq", id), "Deleted 1 dead letter of mail.");
        assertSays(
                dlq("discard", "mail", "--all"),
                "2 dead letters of mail would be deleted for good. To do so, add --yes.");
        assertThat(dlqJson("discard", "mail", "--all").toString()).isEqualTo("{\"matched\":2,\"discarded\":0}");
        assertSays(dlq("discard", "mail", "--all", "--yes"), "Deleted 2 dead letters of mail.");
        assertSays(dlq("list", "mail"), "There is no dead letter of mail.");
    }

    @Test
    void whatIsMissingOrWrongIsOneCodedLine() {
        for (List<String> command : List.of(
                List.of("list", "post"),
                List.of("show", "post", NOBODY),
                List.of("redrive", "post", NOBODY),
                List.of("discard", "post.dlq", "--all"))) {
            Invocation invocation = dlq(command.toArray(String[]::new));
            assertFails(invocation, 1, "PD-401 Tenant default has no queue \"post\".");
            assertThat(invocation.err()).contains("\"perdure queue create post --store " + store + "\"");
        }
        assertFails(
                dlq("show", "mail", NOBODY),
                1,
                "PD-403 Queue mail has no dead letter " + NOBODY + "; \"perdure dlq list ");
        assertFails(dlq("show", "mail", "x"), 2, "PD-006 ");
        assertFails(dlq("show", "mail"), 2, "PD-901 Missing required parameter: 'ID'.");
        assertFails(dlq("redrive", "mail", "x"), 2, "PD-006 ");
        assertFails(dlq("redrive", "mail"), 2, "PD-901 Say which dead letters: ID, --all or --match. ");
        assertFails(
                dlq("redrive", "mail", NOBODY, "--all"),
                2,
                "PD-901 Say which dead letters: ID, --all or --match; only one of these. ");
        assertFails(dlq("redrive", "mail", "--all", "--match", "1"), 2, "PD-901 Say which dead letters: ");
        assertFails(dlq("redrive", "mail", "--match", "{x"), 2, "PD-004 --match: ");
        assertFails(dlq("discard", "mail"), 2, "PD-901 Say which dead letters: ID or --all. ");
        assertFails(dlq("discard", "mail", NOBODY, "--all"), 2, "PD-901 Say which dead letters: ");
        assertFails(dlq("discard", "mail", "--match", "1"), 2, "PD-901 Unknown option \"--match\".");
        assertFails(dlq("list", "mail", "--limit", "0"), 2, "PD-007 --limit is 0; ");
        assertFails(dlq("list", "mail", "--after", "here"), 2, "PD-006 \"here\" is no place in a list of messages.");
        assertFails(dlq("list", "My Queue"), 2, "PD-001 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"list", "show", "redrive", "discard"})
    void everyCommandHasHelpOfItsOwn(String command) {
        assertThat(Invocation.of("dlq", command, "--help").out())
                .contains("Usage: perdure dlq " + command, "--store", "--format");
        assertThat(Invocation.of("dlq").out()).containsPattern("(?m)^ +" + command + " ");
    }
}
