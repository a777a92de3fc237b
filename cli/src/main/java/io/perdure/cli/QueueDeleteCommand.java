package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.MessageQueue;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code perdure queue delete}: removes a queue that holds nothing. */
@Command(
        name = "delete",
        header = "Deletes a queue and NAME.dlq, if both are empty.",
        description = {
            "Messages are never deleted along with it: while there are any, it is an error (PD-404) that says how",
            "many there are and how to delete them."
        })
final class QueueDeleteCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private WhereOption where = new WhereOption();

    @Mixin
    private FormatOption format = new FormatOption();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "NAME", description = "The queue.")
    private String name = "";

    QueueDeleteCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        if (new QueueName(name).holdsDeadLetters()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "%s goes with %s; delete that one".formatted(name, QueueText.ofDeadLetters(name)));
        }
        where.with(name, terminal, this::delete);
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("name", name);
        shown.put("deleted", true);
        format.print(terminal, shown, () -> terminal.out().println("Deleted queue " + name + " and " + name + ".dlq."));
    }

    private MessageQueue delete(Engine engine) {
        MessageQueue queue = engine.queue(name);
        try {
            queue.delete();
            return queue;
        } catch (RefusedException e) {
            throw e.code() == ErrorCode.QUEUE_NOT_EMPTY ? withMessages(queue, e) : e;
        }
    }

    private RefusedException withMessages(MessageQueue queue, RefusedException e) {
        long messages = queue.status().figures().depth();
        long dead = queue.deadLetters().count();
        String what = "Queue %s holds %s, and %s.dlq %s; %s."
                .formatted(name, QueueText.messages(messages), name, QueueText.messages(dead), hint(messages, dead));
        return new RefusedException(e.code(), what, e);
    }

    private String hint(long messages, long dead) {
        if (messages > 0 && dead > 0) {
            return purge(name) + " and " + purge(name + ".dlq") + " delete them";
        }
        return purge(messages > 0 ? name : name + ".dlq") + " deletes them";
    }

    private String purge(String queue) {
        return "\"perdure queue purge " + queue + " --yes" + where.repeated() + "\"";
    }
}
