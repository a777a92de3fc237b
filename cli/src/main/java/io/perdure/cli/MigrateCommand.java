package io.perdure.cli;

import io.perdure.core.store.StoreMigration;
import io.perdure.core.store.Stores;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code perdure migrate}: brings the tables of a store up to date, or shows what that would take. */
@Command(
        name = "migrate",
        header = "Brings the tables of a store to what this release needs.",
        description = {
            "A process does this by itself when it opens a store. This is for who wants it done before, by",
            "another role, or by an administrator: --print shows the SQL and changes nothing."
        },
        footer = {
            "Examples:",
            "  perdure migrate --store jdbc:postgresql://db/app",
            "  perdure migrate --check --store jdbc:postgresql://db/app",
            "      exit code 1 where something is missing",
            "  perdure migrate --print --store jdbc:postgresql://db/app | psql --set ON_ERROR_STOP=1 app",
            "      what is missing, in one transaction",
            "  perdure migrate --print --from 0 --store jdbc:postgresql://db/app",
            "      all of it, without connecting"
        })
final class MigrateCommand implements Runnable {
    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @ArgGroup
    private Instead instead = new Instead();

    @Option(
            names = "--from",
            paramLabel = "N",
            description = "With --print: for a store that has N migrations, without looking at one. 0 is none yet.")
    private @Nullable Integer from;

    @Mixin
    private StoreOption store = new StoreOption();

    @Mixin
    private FormatOption format = new FormatOption();

    MigrateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        if (from != null && !instead.print) {
            throw new ParameterException(spec.commandLine(), "--from is for --print only.");
        }
        StoreMigration migration = store.migration(terminal);
        if (instead.print) {
            String sql = from == null ? migration.script() : migration.script(from);
            format.print(terminal, Map.of("sql", sql), () -> terminal.out().print(sql));
            return;
        }
        List<String> missing = migration.missing();
        if (instead.check) {
            check(missing);
        } else {
            apply(migration, missing);
        }
    }

    private void check(List<String> missing) {
        format.print(terminal, Map.of("missing", missing), () -> {
            if (missing.isEmpty()) {
                terminal.out().println(shown() + " is up to date.");
            }
        });
        if (!missing.isEmpty()) {
            throw new StoreException(
                    ErrorCode.STORE_OUTDATED, "%s lacks %s.".formatted(shown(), String.join(", ", missing)));
        }
    }

    private void apply(StoreMigration migration, List<String> missing) {
        int applied = migration.apply();
        format.print(
                terminal,
                Map.of("applied", applied),
                () -> terminal.out()
                        .println(
                                // Another process may have done it in between.
                                applied == 0
                                        ? shown() + " is up to date."
                                        : "Applied " + String.join(", ", missing) + " to " + shown() + "."));
    }

    private String shown() {
        return Stores.shown(store.url(terminal));
    }

    /** What is done instead of applying. */
    static final class Instead {
        @Option(names = "--print", description = "Prints the SQL for what is missing; changes nothing.")
        boolean print;

        @Option(names = "--check", description = "Says whether something is missing; changes nothing.")
        boolean check;
    }
}
