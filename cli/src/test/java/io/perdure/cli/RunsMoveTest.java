package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.Perdure;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Runs that are moved to another version, whose code the command line is told where to find. */
class RunsMoveTest extends OrderFixture {
    private static final String ORDERS = """
        package shop;

        import io.perdure.sdk.json.Json;
        import io.perdure.sdk.workflow.*;

        class Orders {
            /** Fits: it goes further. */
            public static final Workflow<String, String> SECOND =
                    Workflow.named("order").version(2).run(String.class, String.class, (ctx, id) -> {
                        ctx.step("reserve", () -> {});
                        ctx.waitForEvent("word", Json.class);
                        ctx.step("ship", () -> {});
                        return id;
                    });

            /** Does not: it begins with another step. */
            public static final Workflow<String, String> THIRD =
                    Workflow.named("order").version(3).run(String.class, String.class, (ctx, id) -> {
                        ctx.step("charge", () -> {});
                        return id;
                    });

            public static final StepFlow FLOW = StepFlow.named(Names.flow()).step("start", ctx -> Next.done());
            public static final String OTHER = "no definition";
            static final StepFlow HIDDEN = FLOW.version(9);
            public static StepFlow changing = FLOW.version(8);
        }
        """;

    /** Another class that the code needs, and that may lie elsewhere. */
    private static final String NAMES = """
        package shop;

        class Names {
            static String flow() {
                return "flow";
            }
        }
        """;

    /** The second version as a worker has it. */
    private static final Workflow<String, String> SECOND = Workflow.named("order")
            .version(2)
            .run(String.class, String.class, (ctx, id) -> {
                ctx.step("reserve", () -> {});
                ctx.waitForEvent("word", Json.class);
                ctx.step("ship", () -> {});
                return id + " by the second";
            });

    private Path classes = Path.of("");

    @BeforeEach
    void compile(@TempDir Path folder) {
        classes = folder;
        CompiledClasses compiled = new CompiledClasses(folder);
        compiled.add("shop.Names", NAMES);
        compiled.add("shop.Orders", ORDERS);
    }

    private String[] to(int version, String command, String id) {
        return new String[] {
            command, id, "--to", "" + version, "--classes", classes.toString(), "--definitions", "shop.Orders"
        };
    }

    private String result(String id) {
        try (Perdure worker = Perdure.open(store).register(SECOND).start()) {
            return worker.run(SECOND, RunId.parse(id)).result(A_MINUTE);
        }
    }

    @Test
    void aRunThatFitsIsSaidToAndMoved() {
        String id = parked();

        Invocation fits = runs(to(2, "check", id));
        assertSays(fits, "Run " + id + " fits order@2: next, it takes signal 1 for event \"word\".");
        assertThat(fits.out())
                .contains("Move it:  perdure runs move --store " + store + " " + id + " --to 2 --classes " + classes
                        + " --definitions shop.Orders");
        assertThat(json("get", id).get("status").asString()).isEqualTo("parked");

        Invocation moved = Invocation.of(inStore(with(to(2, "move", id), "--reason", "version 1 is\nretired")));
        assertSays(moved, "Moved run " + id + " to order@2: it is due now.");
        assertThat(moved.out())
                .contains("It fits: next, it ", "Follow it:  perdure runs watch --store " + store + " " + id);
        assertThat(runs("history", id).out()).contains("run resumed by user with version 2: version 1 is retired");
        assertThat(result(id)).isEqualTo("o-1 by the second");
    }

    private static String[] with(String[] args, String... more) {
        List<String> all = new ArrayList<>(List.of(args));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    @Test
    void aRunningRunIsMovedToo() {
        String id = waiting();

        JsonNode moved = json(to(2, "move", id));

        assertThat(moved.get("id").asString()).isEqualTo(id);
        assertThat(moved.get("workflow").asString()).isEqualTo("order");
        assertThat(moved.get("version").asInt()).isEqualTo(2);
        assertThat(moved.get("checked").asBoolean()).isTrue();
        assertThat(json("get", id).get("version").asInt()).isEqualTo(2);
    }

    @Test
    void aRunThatDoesNotFitStaysWhereItIs() {
        String id = parked();

        for (String command : List.of("check", "move")) {
            Invocation refused = runs(to(3, command, id));
            assertFails(refused, 1, "PD-315 Run " + id + " cannot go on with order@3: ");
            assertThat(refused.err()).contains("recorded step \"reserve\", the code asked for step \"charge\"");
            assertThat(refused.out()).isEmpty();
        }
        Invocation asJson = runs(with(to(3, "check", id), "--format", "json"));
        assertThat(asJson.out()).contains("\"fits\" : false", "asked for step \\\"charge\\\"");
        assertThat(asJson.exitCode()).isEqualTo(1);
        assertThat(json("get", id).get("status").asString()).isEqualTo("parked");
        assertThat(json(to(2, "check", id)).get("fits").asBoolean()).isTrue();
    }

    @Test
    void theCodeMayLieInJarsAndFolders(@TempDir Path elsewhere) throws IOException {
        Path jar = elsewhere.resolve("orders.jar");
        new CompiledClasses(classes).jar("shop.Orders", jar);
        Files.delete(classes.resolve("shop/Orders.class"));
        String id = waiting();

        assertFails(
                runs(check(id, jar.toString())),
                2,
                "PD-901 Class \"shop.Orders\" cannot be loaded: java.lang.NoClassDefFoundError: shop/Names. Name all");
        assertSays(
                runs(check(id, jar + File.pathSeparator + classes)),
                "Run " + id + " fits order@2: next, it waits for event \"word\".");
    }

    private static String[] check(String id, String path) {
        return new String[] {"check", id, "--to", "2", "--classes", path, "--definitions", "shop.Orders"};
    }

    @Test
    void withoutItsCodeAParkedRunIsMovedAndLookedAtByItsWorker() {
        String id = parked();

        Invocation moved = runs("move", id, "--to", "2", "--reason", "retired");
        assertSays(moved, "Moved run " + id + " to order@2: it is due now.");
        assertThat(moved.out()).contains("The worker that takes it up looks first whether it fits;");
        assertFails(runs("move", id, "--to", "3"), 1, "PD-304 Run " + id + " is running; only a parked run");
        assertThat(runs("move", id, "--to", "3").err()).contains("With --classes and --definitions");
        assertThat(result(id)).isEqualTo("o-1 by the second");
        assertFails(runs("move", id, "--to", "3"), 1, "PD-302 ");
    }

    @Test
    void aRunOfAnotherWorkflowHasNoCodeThere() {
        try (Perdure perdure = Perdure.open(store)) {
            String id = perdure.start("bill", Json.NULL, StartOptions.defaults())
                    .id()
                    .toString();

            assertFails(runs(to(2, "check", id)), 1, "PD-508 This process has no code for workflow bill@2");
            assertFails(runs(to(2, "move", NOBODY)), 1, "PD-301 Tenant default has no run " + NOBODY);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"check", "move"})
    void wrongUsageIsToldAndLeavesNoStoreBehind(String command) {
        String here = classes.toString();

        assertFails(runs(command), 2, "PD-901 Missing required ");
        assertFails(runs(command, NOBODY), 2, "PD-901 Missing required option: '--to=VERSION'");
        assertFails(runs(command, NOBODY, "--to", "two"), 2, "PD-901 Invalid value for option '--to'");
        assertFails(runs(to(0, command, NOBODY)), 2, "PD-007 A workflow's version is 0, below 1.");
        assertFails(runs(to(2, command, "17")), 2, "PD-006 ");
        assertFails(
                runs(command, NOBODY, "--to", "2", "--classes", here),
                2,
                "PD-901 --classes and --definitions go together; give both.");
        assertFails(runs(command, NOBODY, "--to", "2", "--definitions", "shop.Orders"), 2, "PD-901 --classes and ");
        assertFails(
                runs(to(4, command, NOBODY)),
                2,
                "PD-901 Class \"shop.Orders\" has no workflow of version 4; it has flow@1, order@2, order@3.");
        assertThat(Files.exists(file)).isFalse();
    }

    @Test
    void aCheckTakesTheCode() {
        assertFails(runs("check", NOBODY, "--to", "2"), 2, "PD-901 Say where the code of version 2 is: --classes and");
        assertThat(Files.exists(file)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nowhere | shop.Orders | \"nowhere\" of --classes does not exist, seen from the folder ",
                "'' | shop.Orders | \"\" of --classes does not exist",
                "{here}/no.jar | shop.Orders | \"{here}/no.jar\" of --classes is neither a folder nor a jar: ",
                "{here} | shop.Missing | There is no class \"shop.Missing\" in {here}; ",
                "{here} | shop/Names | There is no class \"shop/Names\" in {here}; ",
                "{here} | '' | There is no class \"\" in {here}; ",
                "{here} | shop.Names | Class \"shop.Names\" has no public static final field of type Workflow or ",
                "{here} | shop.Twice | The definitions of class \"shop.Twice\" do not go together: Workflow a@2 is ",
                "{here} | shop.Absent | Field ABSENT of class \"shop.Absent\" is null",
                "{here} | shop.Thrower | Class \"shop.Thrower\" cannot be loaded: java.lang.IllegalStateException: no"
            })
    void codeThatCannotBeHadIsToldAndLeavesNoStoreBehind(String where, String name, String start) throws IOException {
        CompiledClasses compiled = new CompiledClasses(classes);
        String flow = " public static final io.perdure.sdk.workflow.StepFlow ";
        String a = "= io.perdure.sdk.workflow.StepFlow.named(\"a\").version(2)"
                + ".step(\"start\", _ -> io.perdure.sdk.workflow.Next.done());";
        compiled.add("shop.Twice", "package shop; public class Twice {" + flow + "A" + a + flow + "B" + a + "}");
        compiled.add("shop.Absent", "package shop; public class Absent {" + flow + "ABSENT = null; }");
        compiled.add(
                "shop.Thrower",
                "package shop; public class Thrower {" + flow
                        + "A; static { if (true) throw new IllegalStateException(\"no setting\"); A = null; } }");
        Files.writeString(classes.resolve("no.jar"), "text");
        String here = classes.toString();
        String told = start.replace("{here}", here);

        for (String command : List.of("check", "move")) {
            assertFails(
                    runs(
                            command,
                            NOBODY,
                            "--to",
                            "2",
                            "--classes",
                            where.replace("{here}", here),
                            "--definitions",
                            name),
                    2,
                    "PD-901 " + told);
        }
        assertThat(Files.exists(file)).isFalse();
    }
}
