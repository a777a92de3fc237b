package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.id.RunId;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Which run is looked at or moved, to which version, and where that version's code is. */
final class MoveOption {
    @Parameters(index = "0", paramLabel = "RUN", description = "The run's id.")
    private String id = "";

    @Option(
            names = "--to",
            required = true,
            paramLabel = "VERSION",
            description = "The version of its workflow that it is to go on with.")
    private int version;

    @Option(
            names = "--classes",
            paramLabel = "PATH",
            description = {
                "The jars and folders with that version's code and all that it needs, separated as in a class path.",
                "Perdure itself need not be among them."
            })
    private @Nullable String classes;

    @Option(
            names = "--definitions",
            paramLabel = "CLASS",
            description = "The class among them that has the workflows in public static final fields.")
    private @Nullable String definitions;

    /** The run; {@code PD-006} for what is no id. */
    RunId run() {
        return RunId.parse(id);
    }

    /** The version; {@code PD-007} below 1. */
    int version() {
        return requireVersion(version);
    }

    static int requireVersion(int version) {
        if (version < 1) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS, "A workflow's version is " + version + ", below 1.");
        }
        return version;
    }

    /** Whether it was said where the code is; wrong usage where that was said by half. */
    boolean hasCode(CommandLine command) {
        if ((classes == null) != (definitions == null)) {
            throw new ParameterException(command, "--classes and --definitions go together; give both");
        }
        return classes != null;
    }

    /** Opens the engine with the code registered, and nothing started, for what is done with the run. */
    void with(WhereOption where, Terminal terminal, Consumer<Engine> work) {
        if (classes == null || definitions == null) {
            throw new IllegalStateException("no code was named");
        }
        // Before the store: what cannot be loaded must not leave a new one behind.
        try (Definitions loaded = Definitions.load(classes, definitions, version)) {
            where.withRunOf(terminal, engine -> {
                loaded.all().forEach(engine::register);
                work.accept(engine);
            });
        }
    }

    /** What to type behind another command for the same. */
    String repeated(WhereOption where) {
        String code = classes == null || definitions == null
                ? ""
                : " --classes " + ShellWord.of(classes) + " --definitions " + ShellWord.of(definitions);
        return where.repeated() + " " + id + " --to " + version + code;
    }
}
