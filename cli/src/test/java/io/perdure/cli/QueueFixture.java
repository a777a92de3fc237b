package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code perdure queue} and {@code perdure dlq} over a SQLite file of the test's own, which is not there yet. */
abstract class QueueFixture {
    static final String NOBODY = "0199a1b2-0000-7000-8000-000000000000";

    /** Of a message that never was. */
    static final String NO_RECEIPT = NOBODY + "." + NOBODY;

    private static final Pattern RECEIPT = Pattern.compile("(?m)^receipt +(\\S+)$");

    String store = "";
    Path file = Path.of("");

    @BeforeEach
    void chooseStore(@TempDir Path folder) {
        file = folder.resolve("app.db");
        store = "jdbc:sqlite:" + file;
    }

    Invocation queue(String... args) {
        return Invocation.of(inStore(args));
    }

    Invocation dlq(String... args) {
        return Invocation.of(inStore("dlq", args));
    }

    /** As on a terminal of this width. */
    Invocation narrow(int columns, String group, String... args) {
        return Invocation.in(Map.of("COLUMNS", Integer.toString(columns)), inStore(group, args));
    }

    JsonNode json(String... args) {
        return json(queue(asJson(args)));
    }

    JsonNode dlqJson(String... args) {
        return json(dlq(asJson(args)));
    }

    private static JsonNode json(Invocation invocation) {
        assertThat(invocation.err()).isEmpty();
        return JsonMapper.shared().readTree(invocation.out());
    }

    static String[] asJson(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--format", "json"));
        return all.toArray(String[]::new);
    }

    String[] inStore(String... args) {
        return inStore("queue", args);
    }

    private String[] inStore(String group, String... args) {
        List<String> all = new ArrayList<>(List.of(group));
        all.addAll(List.of(args));
        all.addAll(List.of("--store", store));
        return all.toArray(String[]::new);
    }

    static void assertFails(Invocation invocation, int exitCode, String start) {
        assertThat(invocation.err()).startsWith(start).hasLineCount(1);
        assertThat(invocation.exitCode()).isEqualTo(exitCode);
    }

    static void assertSays(Invocation invocation, String... lines) {
        assertThat(invocation.err()).isEmpty();
        assertThat(invocation.out().lines()).containsExactly(lines);
        assertThat(invocation.exitCode()).isZero();
    }

    static void assertFits(Invocation invocation, int columns) {
        assertThat(invocation.out().lines())
                .isNotEmpty()
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
    }

    static List<String> receipts(Invocation received) {
        return RECEIPT.matcher(received.out())
                .results()
                .map(result -> result.group(1))
                .toList();
    }

    /** Sends this body and receives it. */
    String received(String name, String body) {
        assertThat(queue("send", name, body).exitCode()).isZero();
        return receipts(queue("receive", name)).getFirst();
    }

    /** The message that a receipt is of. */
    static String messageOf(String receipt) {
        return receipt.substring(0, receipt.indexOf('.'));
    }

    /** Makes a dead letter with this body, and answers its id. */
    String deadLetter(String name, String body, String error) {
        String receipt = received(name, body);
        assertThat(queue("reject", receipt, "--error", error).exitCode()).isZero();
        return messageOf(receipt);
    }
}
