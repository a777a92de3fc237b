package io.perdure.benchmarks;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code --store} and {@code --folder} that the benchmarks share. */
final class TargetOption {
    static final String SQLITE = "sqlite";
    static final String POSTGRES = "postgres";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = {
                "What to measure: sqlite; postgres, a durable server started for the purpose;",
                "or yours, as jdbc:postgresql://host/database, in schemas perdure_bench_1 and",
                "so on, which are new and dropped afterwards."
            })
    private @Nullable String store;

    @Option(
            names = "--folder",
            paramLabel = "FOLDER",
            defaultValue = ".",
            description = "Where the files are put meanwhile (default: this folder).")
    private Path folder = Path.of(".");

    /** The kind of store or the URL that was asked for. */
    String name(String otherwise) {
        return store == null ? otherwise : store;
    }

    /** Opens what was asked for; throws where there is no such thing, naming what there is. */
    Target open(String otherwise) {
        String name = name(otherwise);
        return name.equals(SQLITE) ? sqlite() : postgres(name, "sqlite, postgres, or");
    }

    /** The same where only Postgres will do. */
    PostgresTarget postgres() {
        return postgres(name(POSTGRES), "postgres, or");
    }

    private PostgresTarget postgres(String name, String known) {
        if (name.equals(POSTGRES)) {
            requireFolder();
            try {
                return PostgresTarget.in(folder);
            } catch (IllegalStateException | UncheckedIOException e) {
                throw new ParameterException(
                        spec.commandLine(), "In --folder " + folder + " no Postgres starts: " + e.getMessage(), e);
            }
        }
        if (name.indexOf(':') < 0) {
            throw refused("There is no store \"" + name + "\" to measure; there is " + known
                    + " the URL of a server of yours: jdbc:postgresql://host/database.");
        }
        return PostgresTarget.at(url(name, known));
    }

    private ServerUrl url(String text, String known) {
        try {
            return ServerUrl.parse(text);
        } catch (IllegalArgumentException e) {
            // Without the URL itself, which may hold a password.
            throw new ParameterException(
                    spec.commandLine(),
                    "--store takes " + known + " the URL of a server of yours, and this is none: " + e.getMessage()
                            + ".",
                    e);
        }
    }

    private SqliteTarget sqlite() {
        requireFolder();
        return SqliteTarget.in(folder);
    }

    private void requireFolder() {
        if (!Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw refused("--folder " + folder + " is not a folder that can be written to.");
        }
    }

    private ParameterException refused(String why) {
        return new ParameterException(spec.commandLine(), why);
    }
}
