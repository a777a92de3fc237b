package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.util.RawValue;

/** {@code perdure runs start}: a run of a workflow by its name. */
@Command(
        name = "start",
        header = "Starts a run of a workflow by its name.",
        description = {
            "When the command is done, the run is stored for good, and whichever process has the workflow's code",
            "works on it, in the newest version that a live worker serves. If no live worker serves the workflow, a warning",
            "on standard error says so, and the run waits. Lengths of time are written 500ms, 30s, 5m, 12h, 4d or PT1M30S."
        },
        footer = {
            "Examples:",
            "  perdure runs start order '{\"item\": \"lamp\"}' --key o-17",
            "  perdure runs start order --workflow-version 1 --wait 30s",
            "  perdure runs start order_flow --write 'total=42' --write 'by=\"ann\"'"
        })
final class RunsStartCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Parameters(index = "0", paramLabel = "WORKFLOW", description = "The workflow's name.")
    private String workflow = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "INPUT",
            description = "The input as JSON; - reads it from standard input. Without it: null.")
    private @Nullable String input;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "An idempotency key: a second start of the workflow with it answers the first run.")
    private @Nullable String key;

    @Option(
            names = "--workflow-id",
            paramLabel = "ID",
            description = "What the run is about: while a run with it is active, a start answers that run.")
    private @Nullable String workflowId;

    @Option(names = "--delay", paramLabel = "TIME", description = "Begins only after so long.")
    private @Nullable Duration delay;

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            description = "Cancels the run if it still goes on so long after its start.")
    private @Nullable Duration deadline;

    @Option(
            names = "--tag",
            paramLabel = "NAME=VALUE",
            description = "What the run can be found by; may be given more than once.")
    private Map<String, String> tags = new LinkedHashMap<>();

    @Option(
            names = "--retention-days",
            paramLabel = "NUMBER",
            description = "How many days the run is kept once it has ended.")
    private @Nullable Integer retentionDays;

    @Option(
            names = "--workflow-version",
            paramLabel = "NUMBER",
            description = "The version that it runs, whoever serves it now or later. Without it: the newest.")
    private @Nullable Integer version;

    @Option(
            names = "--write",
            paramLabel = "KEY=JSON",
            description = {
                "An entry that the first step of a StepFlow finds in its scratchpad; may be given more than once.",
                "A workflow written as code has no scratchpad."
            })
    private Map<String, String> writes = new LinkedHashMap<>();

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            description = "Waits so long for the result and prints it; exit code 1 where there is none.")
    private @Nullable Duration wait;

    @Mixin
    private ParkingOption parking = new ParkingOption();

    RunsStartCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        // A bad value is wrong usage, which must not leave a new store behind.
        WorkflowName name = new WorkflowName(workflow);
        StartOptions options = options();
        Json json = JsonArgument.read("The input", input, terminal);
        if (wait != null) {
            RunText.requireNotNegative("A wait", wait);
        } else if (!parking.stops()) {
            throw new InvalidValueException(
                    ErrorCode.USAGE, "--across-parking is for a wait: add --wait TIME, or leave it out.");
        }
        try (Engine engine = where.open(terminal)) {
            Run<Json> run = engine.start(name.value(), json, options);
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("id", run.id().toString());
            shown.put("workflow", workflow);
            shown.put("created", run.created());
            // First of all: the caller needs the id of the run, whatever fails later.
            if (format.isText()) {
                print(run);
            } else if (wait == null) {
                format.print(terminal, shown, () -> {});
                terminal.out().flush();
            }
            WorkerWarning warning = new WorkerWarning(terminal, where, engine);
            warning.printAfterStart(run);
            if (wait != null) {
                await(run, wait, shown, warning);
            }
        }
    }

    private void print(Run<Json> run) {
        terminal.out()
                .println(
                        run.created()
                                ? "Started run " + run.id() + " of " + workflow + "."
                                : "Nothing was started: run " + run.id() + " of " + workflow + " was there before.");
        if (wait == null) {
            terminal.out().println("Follow it:  perdure runs watch" + where.repeated() + " " + run.id());
        }
        terminal.out().flush();
    }

    private void await(Run<Json> run, Duration atMost, Map<String, Object> shown, WorkerWarning warning) {
        try {
            Json result = parking.result(run, atMost, where);
            shown.put("status", run.status().word());
            shown.put("result", new RawValue(result.text()));
            format.print(
                    terminal,
                    shown,
                    () -> terminal.out().println(Failures.harmless("Result: " + RunText.oneLine(result.text()))));
        } catch (PerdureException e) {
            // Programs need the id all the same; people have it.
            format.print(terminal, shown, () -> {});
            throw e instanceof RefusedException refused ? warning.added(refused, run) : e;
        }
    }

    private StartOptions options() {
        StartOptions options = StartOptions.defaults();
        options = key == null ? options : options.idempotencyKey(key);
        options = workflowId == null ? options : options.workflowId(workflowId);
        options = delay == null ? options : options.delay(delay);
        options = deadline == null ? options : options.deadline(deadline);
        options = retentionDays == null ? options : options.retentionDays(retentionDays);
        for (Map.Entry<String, String> tag : tags.entrySet()) {
            options = options.tag(tag.getKey(), tag.getValue());
        }
        options = version == null ? options : options.version(version);
        for (Map.Entry<String, String> write : writes.entrySet()) {
            String what = "Entry \"" + write.getKey() + "\" of --write";
            options = options.write(write.getKey(), JsonArgument.of(what, write.getValue()));
        }
        return options;
    }
}
