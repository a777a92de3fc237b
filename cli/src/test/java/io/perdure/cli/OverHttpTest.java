package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.cli.dev.DevWorkflows;
import io.perdure.core.Perdure;
import io.perdure.core.key.ApiKeys;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.server.PerdureServer;
import io.perdure.server.ServerOptions;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Every command that works with data does the same over HTTP, in the same words. */
class OverHttpTest {
    /** Another version of a workflow of {@link DevWorkflows}, as a worker has it. */
    private static final Workflow<Json, String> SECOND = Workflow.named("approval")
            .version(2)
            .run(Json.class, String.class, (ctx, _) -> {
                ctx.step("ask", () -> {});
                ctx.waitForEvent("decision", Json.class, Duration.ofDays(7));
                return "decided by the second";
            });

    /** The same, and one that does not fit, as whoever moves runs has them. */
    private static final String APPROVALS = """
        package shop;

        import io.perdure.sdk.json.Json;
        import io.perdure.sdk.workflow.Workflow;
        import java.time.Duration;

        public class Approvals {
            public static final Workflow<Json, String> SECOND =
                    Workflow.named("approval").version(2).run(Json.class, String.class, (ctx, _) -> {
                        ctx.step("ask", () -> {});
                        ctx.waitForEvent("decision", Json.class, Duration.ofDays(7));
                        return "decided by the second";
                    });

            public static final Workflow<Json, String> THIRD =
                    Workflow.named("approval").version(3).run(Json.class, String.class, (ctx, _) -> {
                        ctx.step("decide", () -> {});
                        return "decided by nobody";
                    });
        }
        """;

    /** A command, and the exit code that it is to have over both. */
    private record Line(int exitCode, List<String> words) {
        static Line done(String... words) {
            return new Line(0, List.of(words));
        }

        static Line refused(String... words) {
            return new Line(1, List.of(words));
        }

        Line with(List<String> more) {
            return new Line(
                    exitCode, Stream.concat(words.stream(), more.stream()).toList());
        }

        String command() {
            return words.get(0) + " " + words.get(1);
        }
    }

    private static final String DECISION = "{\"approved\": true, \"by\": \"Mia\"}";

    /** A run of the first version. */
    private static final Line BEGUN = Line.done(
            "runs", "start", "approval", "{\"what\": \"a chair\"}", "--tag", "by=ann", "--workflow-version", "1");

    /** In an order that makes sense. */
    private static final List<Line> SCENARIO = List.of(
            Line.done("queue", "create", "mail", "--retries", "0"),
            Line.done("queue", "send", "mail", "{\"n\": 1}"),
            Line.done("queue", "send", "mail", "{\"n\": 2}"),
            Line.done("queue", "list"),
            Line.done("queue", "show", "mail"),
            Line.done("queue", "peek", "mail"),
            Line.done("queue", "update", "mail", "--visibility", "1m"),
            Line.done("queue", "receive", "mail", "--max", "1"),
            Line.done("queue", "extend", "--by", "30s", "@receipt"),
            Line.done("queue", "release", "@receipt"),
            Line.done("queue", "receive", "mail", "--match", "{\"n\": 1}"),
            Line.done("queue", "retry", "@receipt", "--error", "too early"),
            Line.done("dlq", "list", "mail"),
            Line.done("dlq", "show", "mail", "@id"),
            Line.done("dlq", "redrive", "mail", "@id"),
            Line.done("queue", "receive", "mail", "--match", "{\"n\": 1}"),
            Line.done("queue", "reject", "@receipt", "--error", "never"),
            Line.done("dlq", "list", "mail"),
            Line.done("dlq", "discard", "mail", "@id"),
            Line.done("queue", "receive", "mail"),
            Line.done("queue", "ack", "@receipt"),
            Line.done("queue", "purge", "mail", "--yes"),
            Line.done("queue", "delete", "mail"),
            Line.done("runs", "start", "order", "{\"item\": \"lamp\", \"cents\": 100}", "--wait", "1m"),
            Line.done("runs", "get", "@id"),
            Line.done("runs", "history", "@id"),
            Line.done("runs", "watch", "@id"),
            BEGUN,
            Line.done("runs", "list", "--tag", "by=ann", "--workflow", "approval"),
            Line.refused("runs", "resume", "@id"),
            Line.refused("runs", "redrive", "@id"),
            Line.done("runs", "signal", "@id", "decision", DECISION),
            Line.done("runs", "watch", "@id", "--timeout", "1m"),
            Line.refused("runs", "cancel", "@id"),
            Line.refused("runs", "cancel", "0199a1b2-0000-7000-8000-000000000000"),
            BEGUN,
            Line.done("runs", "cancel", "--workflow", "approval", "--yes"),
            Line.done("runs", "count"),
            Line.done("runs", "recover"),
            Line.done("workers", "list"),
            Line.refused("queue", "show", "nothing"),
            Line.refused("runs", "get", "0199a1b2-0000-7000-8000-000000000000"));

    /** What is asked of a run of the first version that waits, until the second has ended it. */
    private static List<Line> moves(String classes) {
        List<String> code = List.of("--classes", classes, "--definitions", "shop.Approvals");
        return List.of(
                Line.refused("runs", "check", "@id", "--to", "3").with(code),
                Line.refused("runs", "move", "@id", "--to", "3").with(code),
                Line.refused("runs", "move", "@id", "--to", "2"),
                Line.done("runs", "check", "@id", "--to", "2").with(code),
                Line.done("runs", "move", "@id", "--to", "2").with(code),
                Line.done("runs", "signal", "@id", "decision", DECISION),
                Line.done("runs", "watch", "@id", "--timeout", "1m"),
                Line.done("runs", "get", "@id"),
                Line.refused("runs", "check", "@id", "--to", "2").with(code));
    }

    /** These have a server of their own: from the first key on it lets in nobody without one. {@code @key} stands for the newest. */
    private static final List<Line> KEYS = List.of(
            Line.done("key", "list"),
            Line.done("key", "create", "boss", "--role", "admin"),
            Line.done("key", "create", "shop", "--expires", "1h"),
            Line.done("key", "list"),
            Line.done("key", "revoke", "@key"),
            Line.done("key", "revoke", "@key"),
            Line.done("key", "create", "workers", "--role", "worker", "--format", "json"),
            Line.done("key", "revoke", "@key", "--format", "json"),
            Line.done("key", "list", "--format", "json"));

    @TempDir
    Path folder;

    private static PerdureServer serve(String store) {
        PerdureServer server = PerdureServer.start(ServerOptions.of(store).port(0));
        DevWorkflows.all().forEach(server.engine()::register);
        server.engine().register(SECOND).start();
        return server;
    }

    @Test
    void everyCommandSaysTheSameOverBoth() {
        new CompiledClasses(folder).add("shop.Approvals", APPROVALS);
        String here = "jdbc:sqlite:" + folder.resolve("here.db");
        String there = "jdbc:sqlite:" + folder.resolve("there.db");
        try (Perdure worker = Perdure.open(here);
                PerdureServer server = serve(there)) {
            DevWorkflows.all().forEach(worker::register);
            worker.register(SECOND).start();
            CommandSession embedded = new CommandSession(List.of("--store", here));
            CommandSession remote =
                    new CommandSession(List.of("--server", server.url().toString()));
            Runnable awaitWaits = () -> {
                embedded.awaitWait(worker);
                remote.awaitWait(server.engine());
            };
            assertSame(SCENARIO, embedded, remote, awaitWaits);

            assertSame(List.of(BEGUN), embedded, remote, awaitWaits);
            assertSame(moves(folder.toString()), embedded, remote, awaitWaits);
        }
    }

    /** Goes on after a run was begun only once it waits: what is said of it before depends on how far it is. */
    private static void assertSame(
            List<Line> scenario, CommandSession embedded, CommandSession remote, Runnable awaitWaits) {
        for (Line line : scenario) {
            Invocation local = embedded.say(line.words());
            Invocation served = remote.say(line.words());

            String said = "perdure " + String.join(" ", line.words());
            assertThat(remote.shown(served)).as(said).isEqualTo(embedded.shown(local));
            assertThat(local.exitCode()).as(said + "\n" + local.err()).isEqualTo(line.exitCode());
            if (line.equals(BEGUN)) {
                awaitWaits.run();
            }
        }
    }

    @Test
    void keysAreMadeListedAndRevokedThroughAServer() {
        String here = "jdbc:sqlite:" + folder.resolve("here.db");
        try (PerdureServer server = serve("jdbc:sqlite:" + folder.resolve("there.db"))) {
            String url = server.url().toString();
            CommandSession remote = new CommandSession(List.of("--server", url));
            assertSame(KEYS, new CommandSession(List.of("--store", here)), remote, () -> {});

            assertThat(server.engine().keys().list())
                    .extracting(key -> key.name().value())
                    .containsExactly("boss", "shop", "workers");
            assertThat(Invocation.of("key", "list", "--server", url).err()).startsWith("PD-601 ");
            assertThat(remote.say(List.of("key", "revoke", "a".repeat(16))).err())
                    .startsWith("PD-611 Tenant default has no key ");
            assertThat(remote.say(List.of("key", "revoke", remote.token().substring(3, 19)))
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
        Stream.of(SCENARIO, moves("classes"), KEYS).flatMap(List::stream).forEach(line -> said.add(line.command()));

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
    void aKeyIsForAServerAlone() {
        String store = "jdbc:sqlite:" + folder.resolve("app.db");
        Map<String, String> server = Map.of("PERDURE_SERVER", "http://127.0.0.1:1");

        for (Invocation refused : List.of(
                Invocation.of("queue", "list", "--key-file", "key.txt"),
                Invocation.of("key", "list", "--key-file", "key.txt", "--store", store),
                Invocation.in(server, "runs", "count", "--key-file", "key.txt", "--store", store))) {
            assertThat(refused.err())
                    .startsWith("PD-901 --key-file is for a server")
                    .hasLineCount(1);
            assertThat(refused.exitCode()).isEqualTo(2);
        }
        assertThat(folder).isEmptyDirectory();
        assertThat(Invocation.in(server, "queue", "list", "--key-file", "no/key.txt")
                        .err())
                .startsWith("PD-901 The key cannot be read from the file no/key.txt.");
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
