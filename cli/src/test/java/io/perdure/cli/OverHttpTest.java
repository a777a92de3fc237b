package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.cli.dev.DevWorkflows;
import io.perdure.core.Perdure;
import io.perdure.core.key.ApiKeys;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.Role;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Every command that works with data does the same over HTTP, in the same words. */
class OverHttpTest {
    private static final String UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
    private static final Pattern ID = Pattern.compile(UUID);
    private static final Pattern RECEIPT = Pattern.compile(UUID + "\\." + UUID);

    private static final String KEY = "[a-z2-7]{16}";
    private static final Pattern TOKEN = Pattern.compile("pd_" + KEY + "_[A-Za-z0-9_-]{43}");
    private static final Pattern KEY_ID = Pattern.compile("(?<=pd_)" + KEY + "(?=_)");

    /** What changes from run to run: ids, keys, times, spans. */
    private static final Pattern VARIES = Pattern.compile(UUID + "(\\." + UUID + ")?|" + TOKEN.pattern() + "|\\b" + KEY
            + "\\b" + "|\\d{4}-\\d{2}-\\d{2}T[0-9:.]+Z|\\d+(\\.\\d+)? ?m?s\\b|\\d+:\\d+:\\d+(\\.\\d+)?|process \\d+");

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

    /** These have a server of their own: from the first key on it lets in nobody without one. {@code @key} stands for the newest. */
    private static final List<List<String>> KEYS = List.of(
            List.of("key", "list"),
            List.of("key", "create", "boss", "--role", "admin"),
            List.of("key", "create", "shop", "--expires", "1h"),
            List.of("key", "list"),
            List.of("key", "revoke", "@key"),
            List.of("key", "revoke", "@key"),
            List.of("key", "create", "workers", "--role", "worker", "--format", "json"),
            List.of("key", "revoke", "@key", "--format", "json"),
            List.of("key", "list", "--format", "json"));

    @TempDir
    Path folder;

    /** What was said, and what it said of ids. */
    private static final class Session {
        private final List<String> where;
        private String id = "";
        private String receipt = "";
        private String key = "";
        private String token = "";

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
                            case "@key" -> key;
                            case "@classes" -> System.getProperty("java.class.path");
                            case "@definitions" -> DevWorkflows.class.getName();
                            default -> word;
                        });
            }
            all.addAll(where);
            Invocation said = Invocation.in(environment(), all.toArray(String[]::new));
            id = last(ID, said.out(), id);
            receipt = last(RECEIPT, said.out(), receipt);
            key = last(KEY_ID, said.out(), key);
            token = token.isEmpty() ? last(TOKEN, said.out(), "") : token;
            return said;
        }

        /** From the first key on, that one is shown. */
        private Map<String, String> environment() {
            return token.isEmpty() ? Map.of() : Map.of("PERDURE_KEY", token);
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
            text = text.replaceAll("It was looked for in WHERE, seen from the folder \\S+(?=[;.]\\s)", "ASKED")
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
            assertSame(SCENARIO, embedded, remote);
        }
    }

    private static void assertSame(List<List<String>> scenario, Session embedded, Session remote) {
        for (List<String> words : scenario) {
            Invocation local = embedded.say(words);
            Invocation served = remote.say(words);

            assertThat(remote.shown(served))
                    .as("perdure " + String.join(" ", words))
                    .isEqualTo(embedded.shown(local));
        }
    }

    @Test
    void keysAreMadeListedAndRevokedThroughAServer() {
        String here = "jdbc:sqlite:" + folder.resolve("here.db");
        try (PerdureServer server = serve("jdbc:sqlite:" + folder.resolve("there.db"))) {
            String url = server.url().toString();
            Session remote = new Session(List.of("--server", url));
            assertSame(KEYS, new Session(List.of("--store", here)), remote);

            assertThat(server.engine().keys().list())
                    .extracting(key -> key.name().value())
                    .containsExactly("boss", "shop", "workers");
            assertThat(Invocation.of("key", "list", "--server", url).err()).startsWith("PD-601 ");
            assertThat(remote.say(List.of("key", "revoke", "a".repeat(16))).err())
                    .startsWith("PD-611 Tenant default has no key ");
            assertThat(remote.say(List.of("key", "revoke", remote.token.substring(3, 19)))
                            .out())
                    .endsWith(" (boss) is revoked." + System.lineSeparator());
            assertThat(remote.say(List.of("key", "list")).err()).startsWith("PD-601 ");
        }
    }

    @Test
    void aServerShowsAndMakesTheKeysOfOneTenantAlone() {
        try (PerdureServer server = serve("jdbc:sqlite:" + folder.resolve("there.db"))) {
            ApiKeys keys = server.engine().keys();
            keys.create(TenantId.DEFAULT, "theirs", Role.ADMIN, null);
            String token =
                    keys.create(new TenantId("acme"), "ours", Role.ADMIN, null).token();
            String client = keys.create(new TenantId("acme"), "client", Role.CLIENT, null)
                    .token();
            String url = server.url().toString();

            Map<String, String> admin = Map.of("PERDURE_KEY", token, "PERDURE_SERVER", url);
            assertThat(Invocation.in(admin, "key", "create", "more").out())
                    .contains("client key of tenant acme, and counts until it is revoked.");
            assertThat(Invocation.in(admin, "key", "list").out())
                    .contains("ours", "client", "more")
                    .doesNotContain("theirs");
            Invocation refused = Invocation.in(admin, "key", "create", "more", "--tenant", "default");
            assertThat(refused.err())
                    .startsWith("PD-901 --tenant is for a store")
                    .hasLineCount(1);
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(keys.list()).hasSize(4);
            assertThat(Invocation.in(Map.of("PERDURE_KEY", client), "key", "list", "--server", url)
                            .err())
                    .startsWith("PD-602 ");
        }
    }

    @Test
    void everyCommandThatWorksWithDataIsAmongThem() {
        Set<String> said = new TreeSet<>();
        Stream.of(SCENARIO, KEYS).flatMap(List::stream).forEach(words -> said.add(words.get(0) + " " + words.get(1)));

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
                if (options.contains("--store")) {
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
