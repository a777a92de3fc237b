package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.cli.dev.DevWorkflows;
import io.perdure.core.Perdure;
import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Every command that works with data does the same over HTTP, in the same words. */
class OverHttpTest {
    private static final String UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
    private static final Pattern ID = Pattern.compile(UUID);
    private static final Pattern RECEIPT = Pattern.compile(UUID + "\\." + UUID);

    /** What changes from run to run: ids, times, spans. */
    private static final Pattern VARIES = Pattern.compile(UUID + "(\\." + UUID + ")?"
            + "|\\d{4}-\\d{2}-\\d{2}T[0-9:.]+Z|\\d+(\\.\\d+)? m?s\\b|\\d+:\\d+:\\d+(\\.\\d+)?|process \\d+");

    private static final Pattern SPACES = Pattern.compile("[ -]{2,}");

    /** In an order that makes sense. {@code @run} and {@code @receipt} stand for the newest that was printed. */
    private static final List<List<String>> SCENARIO = List.of(
            List.of("queue", "create", "mail", "--retries", "0"),
            List.of("queue", "send", "mail", "{\"n\": 1}"),
            List.of("queue", "send", "mail", "{\"n\": 2}"),
            List.of("queue", "list"),
            List.of("queue", "show", "mail"),
            List.of("queue", "peek", "mail"),
            List.of("queue", "update", "mail", "--visibility", "1m"),
            List.of("queue", "receive", "mail", "--max", "1"),
            List.of("queue", "extend", "--by", "30s", "@receipt"),
            List.of("queue", "release", "@receipt"),
            List.of("queue", "receive", "mail", "--match", "{\"n\": 1}"),
            List.of("queue", "retry", "@receipt", "--error", "too early"),
            List.of("dlq", "list", "mail"),
            List.of("dlq", "show", "mail", "@id"),
            List.of("dlq", "redrive", "mail", "@id"),
            List.of("queue", "receive", "mail", "--match", "{\"n\": 1}"),
            List.of("queue", "reject", "@receipt", "--error", "never"),
            List.of("dlq", "list", "mail"),
            List.of("dlq", "discard", "mail", "@id"),
            List.of("queue", "receive", "mail"),
            List.of("queue", "ack", "@receipt"),
            List.of("queue", "purge", "mail", "--yes"),
            List.of("queue", "delete", "mail"),
            List.of("runs", "start", "order", "{\"item\": \"lamp\", \"cents\": 100}", "--wait", "1m"),
            List.of("runs", "get", "@id"),
            List.of("runs", "history", "@id"),
            List.of("runs", "watch", "@id"),
            List.of("runs", "start", "approval", "{\"what\": \"a chair\"}", "--tag", "by=ann"),
            List.of("runs", "list", "--tag", "by=ann", "--workflow", "approval"),
            List.of("runs", "check", "@id", "--to", "1", "--classes", "@classes", "--definitions", "@definitions"),
            List.of("runs", "resume", "@id"),
            List.of("runs", "redrive", "@id"),
            List.of("runs", "move", "@id", "--to", "9"),
            List.of("runs", "signal", "@id", "decision", "{\"approved\": true, \"by\": \"Mia\"}"),
            List.of("runs", "watch", "@id", "--timeout", "1m"),
            List.of("runs", "cancel", "@id"),
            List.of("runs", "cancel", "--all", "--workflow", "approval", "--yes"),
            List.of("runs", "count"),
            List.of("runs", "recover"),
            List.of("workers", "list"),
            List.of("queue", "show", "nothing"),
            List.of("runs", "get", "0199a1b2-0000-7000-8000-000000000000"));

    @TempDir
    Path folder;

    /** What was said, and what it said of ids. */
    private static final class Session {
        private final List<String> where;
        private String id = "";
        private String receipt = "";

        Session(List<String> where) {
            this.where = where;
        }

        Invocation say(List<String> words) {
            List<String> all = new ArrayList<>();
            for (String word : words) {
                all.add(
                        switch (word) {
                            case "@id" -> id;
                            case "@receipt" -> receipt;
                            case "@classes" -> System.getProperty("java.class.path");
                            case "@definitions" -> DevWorkflows.class.getName();
                            default -> word;
                        });
            }
            all.addAll(where);
            Invocation said = Invocation.of(all.toArray(String[]::new));
            id = last(ID, said.out(), id);
            receipt = last(RECEIPT, said.out(), receipt);
            return said;
        }

        private static String last(Pattern pattern, String text, String before) {
            Matcher matcher = pattern.matcher(text);
            return matcher.find() ? matcher.group() : before;
        }

        String shown(Invocation said) {
            String text = said.exitCode() + "\n" + said.out() + said.err();
            for (String word : where) {
                text = text.replace(word, "WHERE");
            }
            text = text.replaceAll("It was looked for in WHERE, seen from the folder [^;\\s]+", "ASKED")
                    .replaceAll("The server at WHERE was asked", "ASKED")
                    .replace("jdbc:sqlite:", "");
            return SPACES.matcher(VARIES.matcher(text).replaceAll("#")).replaceAll(" ");
        }
    }

    private static PerdureServer serve(String store) {
        PerdureServer server = PerdureServer.start(ServerOptions.of(store).port(0));
        DevWorkflows.all().forEach(server.engine()::register);
        server.engine().start();
        return server;
    }

    @Test
    void everyCommandSaysTheSameOverBoth() {
        String here = "jdbc:sqlite:" + folder.resolve("here.db");
        String there = "jdbc:sqlite:" + folder.resolve("there.db");
        try (Perdure worker = Perdure.open(here);
                PerdureServer server = serve(there)) {
            DevWorkflows.all().forEach(worker::register);
            worker.start();
            Session embedded = new Session(List.of("--store", here));
            Session remote = new Session(List.of("--server", server.url().toString()));
            for (List<String> words : SCENARIO) {
                Invocation local = embedded.say(words);
                Invocation served = remote.say(words);

                assertThat(remote.shown(served))
                        .as("perdure " + String.join(" ", words))
                        .isEqualTo(embedded.shown(local));
            }
        }
    }

    @Test
    void everyCommandThatWorksWithDataIsAmongThem() {
        Set<String> said = new TreeSet<>();
        SCENARIO.forEach(words -> said.add(words.get(0) + " " + words.get(1)));

        assertThat(said).isEqualTo(withServer());
    }

    private static Set<String> withServer() {
        Terminal terminal = Terminal.of(
                InputStream.nullInputStream(),
                new PrintWriter(Writer.nullWriter()),
                new PrintWriter(Writer.nullWriter()),
                Map.of());
        Set<String> names = new TreeSet<>();
        for (Map.Entry<String, CommandLine> group :
                Commands.over(terminal).getSubcommands().entrySet()) {
            group.getValue().getSubcommands().forEach((name, command) -> {
                Set<String> options = command.getCommandSpec().optionsMap().keySet();
                if (options.contains("--store") && !group.getKey().equals("key")) {
                    assertThat(options).as(group.getKey() + " " + name).contains("--server");
                    names.add(group.getKey() + " " + name);
                }
            });
        }
        return names;
    }

    @Test
    void aServerThatIsNotThereIsSaidToBe() {
        Invocation said = Invocation.of("queue", "list", "--server", "http://127.0.0.1:1");

        assertThat(said.err()).startsWith("PD-603 ").hasLineCount(1);
        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(Invocation.of("queue", "list", "--server", "ftp://nowhere").err())
                .startsWith("PD-609 ");
        assertThat(Invocation.of("queue", "list", "--server", "http://x", "--store", "jdbc:sqlite:y")
                        .err())
                .startsWith("PD-901 ");
    }
}
