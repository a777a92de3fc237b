package io.perdure.cli;

import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.queue.DeadLetters;
import java.util.function.Function;
import picocli.CommandLine.Parameters;

/** The queue whose dead letters are meant, which every command on them shares. */
final class DeadLettersArgument {
    @Parameters(index = "0", paramLabel = "NAME", description = "The queue that gave them up; NAME.dlq will do too.")
    private String name = "";

    /** The queue that gave them up. */
    String queue() {
        return QueueText.ofDeadLetters(name);
    }

    /** Opens the engine for what is done with them. */
    <T> T with(WhereOption where, Terminal terminal, Function<DeadLetters, T> work) {
        Function<Engine, T> opened = engine -> work.apply(engine.queue(queue()).deadLetters());
        return where.with(queue(), terminal, opened);
    }

    /** A number of dead letters in words. */
    static String letters(long count) {
        return count == 1 ? "1 dead letter" : Units.count(count) + " dead letters";
    }
}
