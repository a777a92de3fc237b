package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code perdure runs signal}: tells a run of an event that it waits for, or will. */
@Command(
        name = "signal",
        header = "Tells a run of an event.",
        description = {
            "When the command is done, the signal is stored for good. It lies in the run's mailbox until a wait",
            "takes it whose event has this name and whose match fits the payload, also where the run gets there",
            "only later."
        })
final class RunsSignalCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Parameters(index = "0", paramLabel = "RUN", description = "The run's id.")
    private String id = "";

    @Parameters(
            index = "1",
            paramLabel = "EVENT",
            description = "The event's name: that of the wait, unless the code gives them apart.")
    private String event = "";

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "PAYLOAD",
            description = "What the wait is given, as JSON; - reads it from standard input. Without it: null.")
    private @Nullable String payload;

    @Option(
            names = "--dedup",
            paramLabel = "KEY",
            description = "A deduplication id: a second signal to the run with it does nothing, whatever it carries.")
    private @Nullable String deduplicationId;

    RunsSignalCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        // A bad value is wrong usage, which must not leave a new store behind.
        RunId run = RunId.parse(id);
        requireSendable(new EventName(event));
        DeduplicationId once = deduplicationId == null ? null : new DeduplicationId(deduplicationId);
        Json json = JsonArgument.read("The payload", payload, terminal);
        where.withRunOf(terminal, engine -> {
            boolean sent = send(engine, run, json, once);
            RunStatus status = engine.run(run).status();
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("id", run.toString());
            shown.put("event", event);
            shown.put("sent", sent);
            shown.put("status", status.word());
            format.print(terminal, shown, () -> print(run, sent, status));
        });
    }

    private static void requireSendable(EventName name) {
        if (name.isReserved()) {
            throw new InvalidValueException(
                    ErrorCode.INVALID_NAME,
                    "Signal \"%s\" cannot be sent; names that start with __ are Perdure's own.".formatted(name));
        }
    }

    private boolean send(Engine engine, RunId run, Json json, @Nullable DeduplicationId once) {
        if (once != null) {
            return engine.signal(run, event, json, once.value());
        }
        engine.signal(run, event, json);
        return true;
    }

    private void print(RunId run, boolean sent, RunStatus status) {
        String what = sent
                ? "Sent signal %s to run %s.".formatted(event, run)
                : "Nothing was sent: run %s was sent a signal with id \"%s\" before.".formatted(run, deduplicationId);
        terminal.out().println(Failures.harmless(what));
        if (sent && status == RunStatus.PARKED) {
            terminal.out().println("The run is parked: it can take the signal once it is resumed.");
        }
    }
}
