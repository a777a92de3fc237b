package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class QueueCommandsTest extends QueueFixture {
    @Test
    void aMessageGoesFromSendToAck() {
        assertThat(queue("create", "mail").out().replaceAll("\\s+", " "))
                .startsWith("Queue mail is there. A received message stays with its receiver for 30 s. "
                        + "It is delivered up to 4 times, then kept in mail.dlq for 4 d. ");
        assertThat(queue("send", "mail", "{\"to\": \"a@b.c\"}").out())
                .matches("Sent message [0-9a-f-]{36} to mail\\.\\R");

        Invocation received = queue("receive", "mail");
        assertThat(received.out())
                .containsPattern("body +\\{\"to\": \"a@b.c\"}")
                .containsPattern("attempts +1\\b")
                .contains("perdure queue ack --store " + store + " "
                        + receipts(received).getFirst());

        assertThat(queue("ack", receipts(received).getFirst()).out().strip()).isEqualTo("Acknowledged 1 message.");
        assertThat(queue("receive", "mail").out().strip()).isEqualTo("No message is ready in mail.");
    }

    @Test
    void programsReadTheSameAsJson() {
        assertThat(json("create", "mail", "--visibility", "5m")
                        .get("visibilityMillis")
                        .asInt())
                .isEqualTo(300_000);
        JsonNode sent = json("send", "mail", "{\"n\": 1.50}", "--header", "a=1", "--group", "g");
        assertThat(sent.get("created").asBoolean()).isTrue();

        String raw =
                Invocation.of(inStore("receive", "mail", "--format", "json")).out();
        JsonNode message = JsonMapper.shared().readTree(raw).get(0);

        assertThat(raw).contains("{\"n\": 1.50}");
        assertThat(message.get("id").asString()).isEqualTo(sent.get("id").asString());
        assertThat(message.get("headers").get("a").asString()).isEqualTo("1");
        assertThat(message.get("group").asString()).isEqualTo("g");
        assertThat(message.get("attempts").asInt()).isEqualTo(1);
        JsonNode acked = json("ack", message.get("receipt").asString());
        assertThat(acked.get("acknowledged").asInt()).isEqualTo(1);
        assertThat(acked.get("lost")).isEmpty();
        assertThat(json("receive", "mail")).isEmpty();
        assertThat(json("list").get(0).get("out").asInt()).isEqualTo(1);
        assertThat(json("list").get(0).get("settings").get("retries").asInt()).isEqualTo(3);
        assertThat(json("list").get(0).get("settings").has("name")).isFalse();
    }

    @Test
    void fieldsOfJsonAreInOneOrderAlways() {
        queue("create", "mail");

        assertThat(json("send", "mail", "1").propertyNames()).containsExactly("id", "created");
        String receipt = receipts(queue("receive", "mail")).getFirst();
        assertThat(json("ack", receipt).propertyNames()).containsExactly("acknowledged", "lost");
    }

    @Test
    void aReceiptThatIsGivenTwiceCountsOnce() {
        queue("create", "mail");
        queue("send", "mail", "1");
        String receipt = receipts(queue("receive", "mail")).getFirst();

        Invocation acked = queue("ack", receipt, receipt);

        assertThat(acked.out().strip()).isEqualTo("Acknowledged 1 message.");
        assertThat(acked.exitCode()).isZero();
    }

    @Test
    void aQueueThatIsNotThereSaysWhereItWasLookedForAndHowToCreateIt() {
        assertThat(queue("receive", "post.dlq").err())
                .startsWith("PD-401 Tenant default has no queue \"post.dlq\". It was looked for in " + store + ", ")
                .contains("\"perdure queue create post --store " + store + "\"")
                .contains("seen from the folder " + System.getProperty("user.dir"));
    }

    @Test
    void aQueueOfRunsIsNotAdvisedToBeCreated() {
        assertThat(queue("show", "__wf_order").err())
                .startsWith("PD-401 ")
                .contains("It was looked for in " + store, "\"perdure runs list --store " + store + "\" is for runs. ")
                .doesNotContain("queue create");
    }

    @Test
    void aFileInPlaceOfAUrlIsAnsweredWithItsUrl() {
        assertThat(Invocation.of("queue", "list", "--store", "app.db").err())
                .startsWith("PD-210 ")
                .contains("Did you mean jdbc:sqlite:app.db?");
        assertThat(Invocation.of("queue", "list", "--store", "jdbc:nothing:x").err())
                .doesNotContain("Did you mean");
    }

    @Test
    void aBadNameLeavesNoStoreBehind() {
        assertFails(queue("create", "My Queue"), 2, "PD-001 ");

        assertThat(Path.of(store.substring("jdbc:sqlite:".length()))).doesNotExist();
        assertThat(Invocation.of("queue", "create", "--help").out())
                .contains("1 to 48 of a-z, 0-9 and _, not beginning with __.");
    }

    @Test
    void everySettingCanBeGiven() {
        JsonNode settings = json(
                "create",
                "mail",
                "--visibility=500ms",
                "--retries=0",
                "--no-dead-letters",
                "--retention=1h",
                "--dead-letter-retention=P1D",
                "--max-delay=0s");

        assertThat(settings.toString())
                .isEqualTo("{\"name\":\"mail\",\"visibilityMillis\":500,\"retries\":0,\"deadLetters\":false,"
                        + "\"retentionMillis\":3600000,\"deadLetterRetentionMillis\":86400000,\"maxDelayMillis\":0}");
    }

    @Test
    void creatingTwiceIsFineAndOtherSettingsAreNot() {
        assertThat(queue("create", "mail").exitCode()).isZero();
        assertThat(queue("create", "mail").exitCode()).isZero();
        assertFails(queue("create", "mail", "--retries", "9"), 1, "PD-402 ");
    }

    @Test
    void theBodyCanBePipedIn() {
        queue("create", "mail");

        assertThat(Invocation.fed("{\"a\": 1}\n", inStore("send", "mail", "-")).exitCode())
                .isZero();
        assertThat(Invocation.fed("dear all\n", inStore("send", "mail", "-", "--text"))
                        .exitCode())
                .isZero();

        assertThat(queue("receive", "mail").out())
                .containsPattern("body +\\{\"a\": 1}")
                .containsPattern("body +\"dear all\"");
    }

    @Test
    void aFileIsSentLineByLine() {
        queue("create", "mail");
        String lines = IntStream.range(0, 250).mapToObj(Integer::toString).collect(Collectors.joining("\n"));

        Invocation sent = Invocation.fed(lines + "\n\n", inStore("send", "mail", "--lines"));

        assertThat(sent.out().strip()).isEqualTo("Sent 250 messages to mail.");
        assertThat(json("list").get(0).get("ready").asInt()).isEqualTo(250);
    }

    @Test
    void aBadLineIsNamedAndWhatWasBeforeItIsSent() {
        queue("create", "mail");

        assertFails(
                Invocation.fed("1\n2\nthree\n4\n", inStore("send", "mail", "--lines")),
                1,
                "PD-004 Line 3 cannot be sent; the 2 messages before it were sent. ");
        assertThat(json("list").get(0).get("ready").asInt()).isEqualTo(2);
    }

    @Test
    void aRepeatedDeduplicationIdSaysThatNothingWasAdded() {
        queue("create", "mail");
        queue("send", "mail", "1", "--deduplication-id", "order-42");

        assertThat(queue("send", "mail", "1", "--deduplication-id", "order-42").out())
                .startsWith("Nothing was added: message ");
    }

    @Test
    void aDelayedMessageIsCountedAsSuch() {
        queue("create", "mail");
        queue("send", "mail", "1", "--delay", "1h");

        assertThat(json("list").get(0).get("delayed").asInt()).isEqualTo(1);
        assertThat(queue("receive", "mail", "--wait", "1ms").out()).startsWith("No message is ready");
    }

    @Test
    void receiptsThatCameTooLateAreNamedAndTheOthersAreAcknowledged() {
        queue("create", "mail");
        queue("send", "mail", "1");
        queue("send", "mail", "2");
        List<String> receipts = receipts(queue("receive", "mail"));
        queue("ack", receipts.getFirst());

        Invocation acked = queue("ack", receipts.getFirst(), receipts.getLast());

        assertFails(
                acked,
                1,
                "PD-406 Not acknowledged: message " + receipts.getFirst().substring(0, 36) + ". ");
        assertThat(acked.out().strip()).isEqualTo("Acknowledged 1 message.");
        assertThat(json("list").get(0).get("out").asInt()).isEqualTo(2);
    }

    @Test
    void whatIsMissingOrWrongIsOneCodedLine() {
        queue("create", "mail");

        assertFails(queue("send", "post", "1"), 1, "PD-401 Tenant default has no queue \"post\".");
        assertFails(queue("create", "My Queue"), 2, "PD-001 Queue name \"My Queue\" is not a valid name");
        assertFails(queue("send", "mail", "hello"), 2, "PD-004 The body is not JSON; mind the quotes ");
        assertFails(queue("send", "mail"), 2, "PD-901 Missing required parameter: 'BODY' (or --lines).");
        assertFails(queue("send", "mail", "1", "--lines"), 2, "PD-901 With --lines ");
        assertFails(queue("send", "mail", "--lines", "--deduplication-id=x"), 2, "PD-901 With --lines ");
        assertFails(queue("send", "mail", "1", "--delay", "soon"), 2, "PD-901 ");
        assertFails(queue("receive", "mail", "--wait", "1h"), 2, "PD-007 A wait of PT1H is not between 0 and PT20S.");
        assertFails(queue("receive", "mail", "--max", "0"), 2, "PD-007 ");
        assertFails(queue("ack", "nonsense"), 2, "PD-006 ");
        assertFails(queue("ack"), 2, "PD-901 Missing required parameter: 'RECEIPT'.");
        assertThat(queue("send", "mail", "1", "--delay", "soon").err())
                .contains("such as 500ms, 30s, 5m, 12h, 4d or PT1M30S but was \"soon\"");
    }

    @Test
    void aStoreThatNobodyKnowsIsACodedError() {
        assertFails(Invocation.of("queue", "list", "--store", "jdbc:nothing:x"), 2, "PD-210 ");
    }

    @Test
    void theEnvironmentNamesTheStoreWhereTheOptionDoesNot() {
        queue("create", "mail");

        Invocation listed = Invocation.in(Map.of("PERDURE_STORE", store), "queue", "list");

        assertThat(listed.out()).contains("mail");
        assertThat(Invocation.in(Map.of("PERDURE_STORE", store), "queue", "create", "x")
                        .out())
                .doesNotContain("--store");
    }

    @Test
    void controlCharactersOfMessagesDoNotReachTheTerminal() {
        queue("create", "mail");
        queue("send", "mail", "{\n  \"a\": \"\u009B31m\"\n}", "--header", "b=\u001B[0m");

        Matcher received =
                Pattern.compile("body +(.*)").matcher(queue("receive", "mail").out());

        assertThat(received.find()).isTrue();
        assertThat(received.group(1)).isEqualTo("{ \"a\": \"\uFFFD31m\" }");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create", "update", "list", "show", "send", "peek", "receive", "ack", "retry", "reject", "extend",
                "release", "purge", "delete"
            })
    void everyCommandHasHelpOfItsOwn(String command) {
        assertThat(Invocation.of("queue", command, "--help").out())
                .contains("Usage: perdure queue " + command, "--store", "--format");
        assertThat(Invocation.of("queue").out()).containsPattern("(?m)^ +" + command + " ");
    }
}
