package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What can be said of a message that was received, beside that it was dealt with. */
class QueueSettlingCommandsTest extends QueueFixture {
    @BeforeEach
    void createQueue() {
        assertThat(queue("create", "mail", "--retries", "1", "--max-delay", "1h")
                        .exitCode())
                .isZero();
    }

    @Test
    void aMessageThatIsGivenBackIsDeliveredAgainWithItsError() {
        String receipt = received("mail", "1");

        assertSays(queue("retry", receipt, "--error", "the server was down"), "Gave back 1 message.");

        assertThat(queue("receive", "mail").out())
                .containsPattern("attempts +2\\R")
                .containsPattern("last error +the server was down");
        assertThat(json("show", "mail").get("retried").asInt()).isEqualTo(1);
    }

    @Test
    void aMessageCanBeGivenBackForLater() {
        assertSays(queue("retry", received("mail", "1"), "--delay", "5m"), "Gave back 1 message.");

        assertThat(json("show", "mail").get("delayed").asInt()).isEqualTo(1);
    }

    @Test
    void whatHasUsedUpItsDeliveriesIsSaidToBeADeadLetter() {
        queue("retry", received("mail", "1"));
        String last = receipts(queue("receive", "mail")).getFirst();

        assertSays(queue("retry", last), "Gave up 1 message, kept among the dead letters now.");

        assertThat(dlqJson("list", "mail").at("/messages/0/deadLetter/reason").asString())
                .isEqualTo("deliveries_used_up");
    }

    @Test
    void whatIsRejectedIsADeadLetterOrGoneWhereNoneAreKept() {
        assertSays(
                queue("reject", received("mail", "1"), "--error", "no such customer"),
                "Gave up 1 message, kept among the dead letters now.");
        queue("update", "mail", "--no-dead-letters");
        assertSays(
                queue("reject", received("mail", "2")),
                "Gave up 1 message, deleted since the queue keeps no dead letters.");

        assertThat(json("show", "mail").get("deadLetters").asInt()).isEqualTo(1);
    }

    @Test
    void aReleasedMessageIsReadyAndItsDeliveryDoesNotCount() {
        assertSays(queue("release", received("mail", "1")), "Gave back 1 message; the delivery does not count.");

        assertThat(queue("receive", "mail").out()).containsPattern("attempts +1\\R");
    }

    @Test
    void aLeaseCanBeMadeLonger() {
        String receipt = received("mail", "1");

        Invocation extended = queue("extend", receipt, "--by", "12h");

        assertThat(extended.out()).matches("Message " + messageOf(receipt) + " is yours until 20\\S+Z\\.\\R");
        JsonNode again = json("extend", receipt, "--by", "1h").get("extended").get(0);
        assertThat(again.get("receipt").asString()).isEqualTo(receipt);
        assertThat(extended.out()).doesNotContain(again.get("leasedUntil").asString());
    }

    @Test
    void programsReadHowManyWentWhichWay() {
        assertThat(json("retry", received("mail", "1")).toString())
                .isEqualTo("{\"retried\":1,\"deadLettered\":0,\"dropped\":0,\"lost\":[],\"refused\":[]}");
        assertThat(json("release", receipts(queue("receive", "mail")).getFirst())
                        .toString())
                .isEqualTo("{\"released\":1,\"lost\":[],\"refused\":[]}");
        assertThat(json("reject", receipts(queue("receive", "mail")).getFirst()).toString())
                .isEqualTo("{\"deadLettered\":1,\"dropped\":0,\"lost\":[],\"refused\":[]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ack", "retry", "reject", "release", "extend"})
    void receiptsThatCameTooLateAreNamedAndTheOthersAreSettled(String verb) {
        String late = received("mail", "1");
        queue("ack", late);
        String good = received("mail", "2");

        Invocation settled = settle(verb, late, good);

        assertFails(settled, 1, "PD-406 Not ");
        assertThat(settled.err()).contains(": message " + messageOf(late) + ". ");
        assertThat(settled.out()).hasLineCount(1).contains(verb.equals("extend") ? messageOf(good) : "1 message");
        Invocation asJson = Invocation.of(inStore(asJson(withOptions(verb, late))));
        assertThat(asJson.out()).contains("\"lost\" : [ \"" + late + "\" ]");
        assertThat(asJson.exitCode()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ack", "retry", "reject", "release", "extend"})
    void badReceiptsAreWrongUsageAndLeaveNoStoreBehind(String verb) {
        store = "jdbc:sqlite:" + file.resolveSibling("other.db");

        assertFails(settle(verb, "nonsense"), 2, "PD-006 A receipt has the form ");
        assertFails(settle(verb), 2, "PD-901 Missing required parameter: 'RECEIPT'.");

        assertThat(file.resolveSibling("other.db")).doesNotExist();
    }

    @Test
    void inAStoreWithoutQueuesEveryReceiptIsTooLate() {
        store = "jdbc:sqlite:" + file.resolveSibling("other.db");

        assertFails(queue("retry", NO_RECEIPT), 1, "PD-406 Not given back: message " + NOBODY + ". ");
    }

    @Test
    void aDelayThatOneQueueDoesNotAllowIsNamedAndTheOthersAreGivenBack() {
        queue("create", "slow");
        String hasty = received("mail", "1");
        String patient = received("slow", "1");

        Invocation retried = queue("retry", hasty, patient, NO_RECEIPT, "--delay", "2h");

        assertFails(retried, 1, "PD-405 ");
        assertThat(retried.err()).contains("Not given back: messages " + messageOf(hasty) + ", " + NOBODY + ".");
        assertThat(retried.out()).isEqualToIgnoringNewLines("Gave back 1 message.");
    }

    @Test
    void whatIsMissingOrWrongIsOneCodedLine() {
        assertFails(queue("retry", NO_RECEIPT, "--delay", "soon"), 2, "PD-901 Invalid value for option '--delay'");
        assertFails(queue("retry", NO_RECEIPT, "--delay", "2d"), 2, "PD-007 A delay of PT48H is not between ");
        assertFails(queue("extend", NO_RECEIPT), 2, "PD-901 Missing required option: '--by=TIME'.");
        assertFails(queue("extend", NO_RECEIPT, "--by", "0s"), 2, "PD-007 A lease of PT0S is not more than 0 ");
        assertFails(queue("release", NO_RECEIPT, "--delay", "1s"), 2, "PD-901 Unknown option \"--delay\".");
    }

    @Test
    void onlyMessagesThatMatchAreReceived() {
        queue("send", "mail", "{\"kind\": \"x\", \"n\": 1}");
        queue("send", "mail", "{\"kind\": \"y\", \"n\": 2}");

        assertThat(queue("receive", "mail", "--match", "{\"kind\": \"y\"}").out())
                .containsPattern("body +\\{\"kind\": \"y\", \"n\": 2}")
                .doesNotContain("\"x\"");
        assertSays(
                queue("receive", "mail", "--match", "{\"kind\": \"z\"}"), "No message is ready in mail that matches.");
        assertThat(json("show", "mail").get("ready").asInt()).isEqualTo(1);
        assertFails(queue("receive", "mail", "--match", "{kind: y}"), 2, "PD-004 --match: ");
    }

    private Invocation settle(String verb, String... receipts) {
        return queue(withOptions(verb, receipts));
    }

    private static String[] withOptions(String verb, String... receipts) {
        List<String> all = new ArrayList<>(List.of(verb));
        all.addAll(List.of(receipts));
        all.addAll(verb.equals("extend") ? List.of("--by", "1m") : List.of());
        return all.toArray(String[]::new);
    }
}
