package io.perdure.store.sqlite;

import io.perdure.core.store.StoreMigration;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.store.sqlite.Migrations.Migration;
import java.util.List;
import java.util.stream.Collectors;

/** The migrations of one file. Opening it applies them too; this is for who wants to see them first. */
final class FileMigration implements StoreMigration {
    private final DatabaseFile file;

    FileMigration(DatabaseFile file) {
        this.file = file;
    }

    @Override
    public List<String> missing() {
        return after(file.version()).stream().map(Migration::name).toList();
    }

    @Override
    public String script() {
        return script(after(file.version()));
    }

    @Override
    public String script(int from) {
        if (from < 0 || from > Migrations.newest()) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS,
                    "There is no migration %s; this Perdure knows 0 to %s.".formatted(from, Migrations.newest()));
        }
        return script(after(from));
    }

    @Override
    public int apply() {
        long before = file.version();
        file.openWriter().close();
        return (int) (Migrations.newest() - before);
    }

    private static List<Migration> after(long version) {
        return Migrations.ALL.stream()
                .filter(migration -> migration.version() > version)
                .toList();
    }

    private static String script(List<Migration> missing) {
        if (missing.isEmpty()) {
            return "-- Nothing is missing.\n";
        }
        return missing.stream().map(FileMigration::step).collect(Collectors.joining("\n"));
    }

    /** As {@link Migrations} applies it, with what is chosen once for the file before the first. */
    private static String step(Migration migration) {
        String settings = "PRAGMA auto_vacuum = INCREMENTAL;\nPRAGMA journal_mode = WAL;\n";
        String mark = "PRAGMA application_id = %s;\n".formatted(Identity.PERDURE);
        boolean first = migration.version() == 1;
        return "-- %s\n%sBEGIN IMMEDIATE;\n%s%s\nPRAGMA user_version = %s;\nCOMMIT;\n"
                .formatted(
                        migration.name(),
                        first ? settings : "",
                        first ? mark : "",
                        migration.sql().strip(),
                        migration.version());
    }
}
