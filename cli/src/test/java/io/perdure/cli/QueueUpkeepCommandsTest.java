package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Queues that are changed, looked at, emptied and deleted. */
class QueueUpkeepCommandsTest extends QueueFixture {
    @BeforeEach
    void createQueue() {
        assertThat(queue("create", "mail").exitCode()).isZero();
    }

    private static String oneLine(Invocation invocation) {
        assertThat(invocation.err()).isEmpty();
        return invocation.out().replaceAll("\\s+", " ");
    }

    @Test
    void theHelpOfCreateNamesTheSettingsOfANewQueue() {
        String help = oneLine(Invocation.of("queue", "create", "--help"));

        assertThat(help)
                .contains(
                        "; 30s in a new queue.",
                        "; 3 in a new queue.",
                        "; 4d in a new queue.",
                        "; 12h in a new queue.",
                        "--[no-]dead-letters");
        // Other settings than those that it has would be refused.
        assertThat(queue(
                                "create",
                                "mail",
                                "--visibility=30s",
                                "--retries=3",
                                "--dead-letters",
                                "--retention=4d",
                                "--dead-letter-retention=4d",
                                "--max-delay=12h")
                        .exitCode())
                .isZero();
    }

    @Test
    void onlyTheSettingsThatAreGivenChange() {
        assertThat(oneLine(queue("update", "mail", "--retries", "0", "--no-dead-letters")))
                .startsWith("Queue mail is changed. It is now so: A received message stays with its receiver for 30 s. "
                        + "It is delivered once, then deleted. ");

        JsonNode updated = json("update", "mail", "--visibility", "2m", "--dead-letters");
        assertThat(updated.toString())
                .isEqualTo("{\"name\":\"mail\",\"changed\":true,\"visibilityMillis\":120000,\"retries\":0,"
                        + "\"deadLetters\":true,\"retentionMillis\":345600000,"
                        + "\"deadLetterRetentionMillis\":345600000,\"maxDelayMillis\":43200000}");
        assertThat(json("show", "mail").at("/settings/visibilityMillis").asInt())
                .isEqualTo(120_000);
    }

    @Test
    void anUpdateToWhatItWasSaysSo() {
        assertThat(oneLine(queue("update", "mail", "--retries", "3")))
                .startsWith("Nothing was done: queue mail was so before. A received message ");
        assertThat(json("update", "mail", "--retries", "3").get("changed").asBoolean())
                .isFalse();
    }

    @Test
    void aQueueIsShownWithItsFiguresItsDeadLettersAndItsSettings() {
        deadLetter("mail", "0", "");
        queue("send", "mail", "1");
        queue("send", "mail", "2", "--delay", "1h");

        assertThat(queue("show", "mail").out())
                .containsPattern("queue +mail\\R")
                .containsPattern("ready +1\\R")
                .containsPattern("delayed +1\\R")
                .containsPattern("leased +0\\R")
                .containsPattern("oldest +ready since 20\\S+Z, for \\d+[smhd]\\R")
                .containsPattern("in all +3 in, 1 dead-lettered\\R")
                .containsPattern("dead letters +1\\R")
                .contains("A received message stays with its receiver for 30 s.")
                .contains("perdure dlq list mail --store " + store);
        JsonNode shown = json("show", "mail");
        assertThat(shown.propertyNames())
                .containsExactly(
                        "name",
                        "ready",
                        "delayed",
                        "leased",
                        "oldest",
                        "oldestAgeMillis",
                        "in",
                        "out",
                        "retried",
                        "deadLettered",
                        "expired",
                        "settings",
                        "deadLetters");
    }

    @Test
    void whatIsShownFitsTheTerminalHoweverLongTheName() {
        String name = "q".repeat(48);
        queue("create", name, "--retries", "1");
        deadLetter(name, "0", "");
        queue("retry", received(name, "1"));
        queue("ack", receipts(queue("receive", name)).getFirst());
        queue("send", name, "2");

        // By the environment, since the path of a store has no end to its length.
        Invocation wide = Invocation.in(Map.of("COLUMNS", "80", "PERDURE_STORE", store), "queue", "show", name);
        Invocation narrow = Invocation.in(Map.of("COLUMNS", "40", "PERDURE_STORE", store), "queue", "show", name);

        assertFits(wide, 80);
        assertThat(wide.out())
                .containsPattern("in all +3 in, 1 out, 1 retried, 1 dead-lettered\\R")
                .containsPattern("(?m)^  perdure dlq list " + name + "$");
        assertThat(narrow.out()).containsPattern("in all +3 in, 1 out, 1 retried, 1\\R {13}dead-lettered\\R");
    }

    @ParameterizedTest
    @ValueSource(strings = {"show", "list"})
    void helpSaysThatReadyIsMoreThanCanBeReceived(String command) {
        assertThat(oneLine(Invocation.of("queue", command, "--help")))
                .containsIgnoringCase("ready is due, which includes what waits behind the head of its group")
                .doesNotContain("can be received now");
    }

    @Test
    void theQueueOfDeadLettersIsShownWithoutSettings() {
        assertThat(queue("show", "mail.dlq").out())
                .containsPattern("queue +mail\\.dlq\\R")
                .doesNotContain("dead letters", "receiver", "oldest");
        assertThat(json("show", "mail.dlq").has("settings")).isFalse();
    }

    @Test
    void aPurgeCountsAndOnlyAYesDeletes() {
        assertSays(queue("purge", "mail"), "There is no message in mail.");
        received("mail", "1");
        queue("send", "mail", "2", "--delay", "1h");

        assertSays(queue("purge", "mail"), "2 messages of mail would be deleted for good. To do so, add --yes.");
        assertThat(json("purge", "mail").toString()).isEqualTo("{\"matched\":2,\"deleted\":0}");
        assertSays(queue("purge", "mail", "--yes"), "Deleted 2 messages of mail.");
        assertThat(json("purge", "mail", "--yes").toString()).isEqualTo("{\"matched\":0,\"deleted\":0}");
    }

    @Test
    void onlyAnEmptyQueueIsDeleted() {
        deadLetter("mail", "0", "");
        queue("send", "mail", "1");

        assertFails(
                queue("delete", "mail"),
                1,
                "PD-404 Queue mail holds 1 message, and mail.dlq 1 message; \"perdure queue purge mail --yes --store "
                        + store + "\" and \"perdure queue purge mail.dlq --yes --store " + store + "\" delete them. ");
        queue("purge", "mail", "--yes");
        assertThat(queue("delete", "mail").err())
                .startsWith("PD-404 Queue mail holds 0 messages, and mail.dlq 1 message; ")
                .contains("; \"perdure queue purge mail.dlq --yes --store " + store + "\" deletes them. ");
        queue("purge", "mail.dlq", "--yes");
        queue("send", "mail", "1");
        assertThat(queue("delete", "mail").err())
                .contains("; \"perdure queue purge mail --yes --store " + store + "\" deletes them. ");
        queue("purge", "mail", "--yes");
        assertSays(queue("delete", "mail"), "Deleted queue mail and mail.dlq.");
        assertThat(queue("list").out()).startsWith("There are no queues");
        assertFails(queue("delete", "mail"), 1, "PD-401 ");
    }

    @Test
    void aDeletionIsToldToProgramsToo() {
        assertThat(json("delete", "mail").toString()).isEqualTo("{\"name\":\"mail\",\"deleted\":true}");
    }

    @Test
    void aPeekLeavesMessagesWhereTheyAre() {
        assertSays(queue("peek", "mail"), "There is no message in mail.");
        String leased = messageOf(received("mail", "{\"n\":\n 0}"));
        queue("send", "mail", "\"a\u009B0mb\"");

        assertThat(queue("peek", "mail").out())
                .containsPattern("MESSAGE +STATE +ATTEMPTS +SENT +BODY\\R")
                .containsPattern("(?m)^" + leased + " +leased +1 +\\d+[smhd] +\\{\"n\": 0}$")
                .containsPattern("ready +0 +\\d+[smhd] +\"a\uFFFD0mb\"");
        assertThat(json("show", "mail").get("ready").asInt()).isEqualTo(1);
    }

    @Test
    void aPeekGoesOnWhereThePageEnded() {
        List<String> sent = IntStream.range(0, 3)
                .mapToObj(n -> json("send", "mail", Integer.toString(n), "--group", "g")
                        .get("id")
                        .asString())
                .toList();

        JsonNode first = json("peek", "mail", "--limit", "2");
        String next = first.get("next").asString();
        JsonNode second = json("peek", "mail", "--limit", "2", "--after", next);

        assertThat(first.at("/messages/1/id").asString()).isEqualTo(sent.get(1));
        assertThat(first.at("/messages/1/group").asString()).isEqualTo("g");
        assertThat(second.get("messages").size()).isEqualTo(1);
        assertThat(second.at("/messages/0/id").asString()).isEqualTo(sent.get(2));
        assertThat(second.has("next")).isFalse();
        assertThat(queue("peek", "mail", "--limit", "2").out())
                .contains("There may be more; go on with --after " + next);
        assertSays(
                queue("peek", "mail", "--after", "ready_2999-01-01T00:00:00Z_" + NOBODY),
                "There is no further message in mail.");
    }

    @Test
    void aPeekAtDeadLettersShowsWhatTheyWentThrough() {
        queue("retry", received("mail", "{\"n\": 1}"));
        String receipt = receipts(queue("receive", "mail")).getFirst();
        queue("reject", receipt);

        assertThat(queue("peek", "mail.dlq").out())
                .containsPattern("MESSAGE +STATE +ATTEMPTS +SENT +ORIGIN \\| REASON \\| BODY\\R")
                .containsPattern(
                        "(?m)^" + messageOf(receipt) + " +ready +2 +\\d+[smhd] +mail \\| rejected \\| \\{\"n\": 1}$");
        JsonNode peeked = json("peek", "mail.dlq").at("/messages/0");
        assertThat(peeked.get("attempts").asInt()).isZero();
        assertThat(peeked.at("/deadLetter/attempts").asInt()).isEqualTo(2);
    }

    @Test
    void aPlaceThatIsNoneLeavesNoStoreBehind() {
        store = "jdbc:sqlite:" + file.resolveSibling("other.db");

        for (String junk : List.of("junk", "ready_junk_" + NOBODY, "ready_2999-01-01T00:00:00Z_junk")) {
            assertFails(queue("peek", "mail", "--after", junk), 2, "PD-006 \"" + junk + "\" is no place in a list of ");
            assertFails(dlq("list", "mail", "--after", junk), 2, "PD-006 \"" + junk + "\" is no place in a list of ");
        }

        assertThat(file.resolveSibling("other.db")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 120})
    void whatIsPeekedAtIsCutToTheTerminal(int columns) {
        queue("send", "mail", "\"" + "x".repeat(300) + "\"");

        Invocation peeked = narrow(columns, "queue", "peek", "mail");

        assertFits(peeked, columns);
        assertThat(peeked.out()).containsPattern("\"xxx+\\.\\.\\.");
        assertThat(queue("peek", "mail").out()).contains("x".repeat(300));
    }

    @Test
    void whatIsMissingOrWrongIsOneCodedLine() {
        for (String command : List.of("show", "purge", "delete", "peek")) {
            assertFails(queue(command, "post"), 1, "PD-401 Tenant default has no queue \"post\".");
            assertFails(queue(command, "My Queue"), 2, "PD-001 ");
            assertFails(queue(command), 2, "PD-901 Missing required parameter: 'NAME'.");
        }
        assertFails(queue("update", "post", "--retries", "1"), 1, "PD-401 ");
        assertFails(queue("update", "mail"), 2, "PD-901 Say by options what to change. ");
        assertFails(queue("update", "mail", "--visibility", "soon"), 2, "PD-901 ");
        assertFails(queue("update", "mail", "--retries", "-1"), 2, "PD-007 ");
        assertFails(
                queue("update", "mail.dlq", "--retries", "1"),
                2,
                "PD-901 mail.dlq has the settings of mail; update that one. ");
        assertFails(queue("delete", "mail.dlq"), 2, "PD-901 mail.dlq goes with mail; delete that one. ");
        assertFails(queue("peek", "mail", "--limit", "0"), 2, "PD-007 --limit is 0; it must lie between 1 and ");
        assertFails(queue("peek", "mail", "--after", "here"), 2, "PD-006 \"here\" is no place in a list of messages.");
    }
}
