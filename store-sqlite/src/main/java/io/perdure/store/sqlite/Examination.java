package io.perdure.store.sqlite;

import io.perdure.core.store.Finding;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** Looks a database file over. It opens the file as SQLite does, and to read only. */
final class Examination {
    /** Checking reads the whole file. A disk that reads 500 MiB a second takes 4 seconds for this. */
    private static final long MOST_CHECKED_BYTES = 2L << 30;

    private static final int MOST_FAULTS = 5;

    /** The writer copies the log back when it has this many bytes, whoever reads; see {@link Upkeep}. */
    private static final long LARGE_LOG_BYTES = 2 * (256L << 20);

    private static final Duration CLOCK_SLACK = Duration.ofSeconds(5);
    private static final String MIGRATE = "Run `perdure migrate`, or let the next process that opens it do so.";

    private final Path path;
    private final Environment environment;
    private final List<Finding> findings = new ArrayList<>();

    Examination(Path path, Environment environment) {
        this.path = path;
        this.environment = environment;
    }

    List<Finding> findings() {
        try {
            DatabaseFile file = DatabaseFile.at(path);
            Disk disk = new Disk(file.path(), environment);
            if (Files.exists(file.path())) {
                look(file);
                findings.addAll(disk.permissions());
            } else {
                missing(file);
            }
            findings.addAll(disk.findings());
        } catch (StoreException e) {
            findings.add(Finding.problem("file", e));
        }
        return findings;
    }

    private void missing(DatabaseFile file) {
        Place.refuseOrphanedLog(file.path());
        findings.add(Finding.problem(
                "file",
                "There is no file %s.".formatted(file),
                "Correct the path, or make the store: run `perdure migrate`, or start what is to use it."));
    }

    private void look(DatabaseFile file) {
        long begun = environment.nanoTime();
        try (Session session = file.openToLook()) {
            String version =
                    session.first("SELECT sqlite_version()", row -> row.text(1)).orElseThrow();
            Identity identity = Identity.of(session);
            findings.add(Finding.ok(
                    "file",
                    "%s can be read, by SQLite %s, in %s ms."
                            .formatted(file, version, (environment.nanoTime() - begun) / 1_000_000)));
            found("sqlite", () -> {
                SqliteVersion.check(version);
                return Finding.ok("sqlite", "Version %s has no known fault that loses data.".formatted(version));
            });
            found("schema", () -> schema(session, identity));
            found("integrity", () -> integrity(session, file.path()));
            if (identity.isPerdure() && identity.version() > 0) {
                found("journal", () -> journal(session, file.path()));
            }
            if (identity.isPerdure() && identity.version() == Migrations.newest()) {
                found("clock", () -> clock(session));
            }
            found("owner", () -> owner(file));
        } catch (StoreException e) {
            findings.add(Finding.problem("file", e));
        }
    }

    /** One thing that cannot be found out keeps no other from it. */
    private void found(String about, Supplier<Finding> check) {
        try {
            findings.add(check.get());
        } catch (StoreException e) {
            findings.add(Finding.problem(about, e));
        }
    }

    private Finding schema(Session session, Identity found) {
        found.check(path, Migrations.newest());
        long missing = Migrations.newest() - found.version();
        if (found.isEmpty()) {
            return Finding.problem("schema", "The database is empty: it has no tables yet.", MIGRATE);
        }
        if (missing > 0) {
            return Finding.warning(
                    "schema",
                    "It has version %s, and this release %s: %s to be applied."
                            .formatted(found.version(), Migrations.newest(), missing),
                    MIGRATE);
        }
        List<String> differing = SchemaDifference.of(session);
        return differing.isEmpty()
                ? Finding.ok("schema", "Version %s, as the migrations made it.".formatted(found.version()))
                : Finding.problem(
                        "schema",
                        "Somebody has changed it since the migrations made it: %s."
                                .formatted(String.join(", ", differing)),
                        "Undo that, or go back to a backup: Perdure works with no other tables and indexes than its own.");
    }

    private Finding integrity(Session session, Path file) {
        long bytes = file.toFile().length();
        if (bytes > MOST_CHECKED_BYTES) {
            return Finding.warning(
                    "integrity",
                    "Not checked: the file has %s MiB, all of which would be read.".formatted(bytes >> 20),
                    "Run sqlite3 %s 'PRAGMA quick_check' when there is time for it.".formatted(file));
        }
        long begun = environment.nanoTime();
        List<String> faults = session.list("PRAGMA quick_check(%s)".formatted(MOST_FAULTS), row -> row.text(1));
        if (!faults.equals(List.of("ok"))) {
            return Finding.problem(
                    "integrity",
                    "The file is damaged: %s.".formatted(String.join("; ", faults)),
                    ErrorCode.STORE_DAMAGED.remedy());
        }
        return Finding.ok(
                "integrity",
                "No damage found in %s KiB, in %s ms."
                        .formatted(bytes >> 10, (environment.nanoTime() - begun) / 1_000_000));
    }

    private static Finding journal(Session session, Path file) {
        String mode = session.first("PRAGMA journal_mode", row -> row.text(1)).orElse("none");
        if (!mode.equals(Pragma.JOURNAL_MODE.answer())) {
            return Finding.warning(
                    "journal",
                    "Its journal mode is %s, and not WAL: another program has changed it."
                            .formatted(mode.toUpperCase(Locale.ROOT)),
                    "Keep other programs from it; the next process that opens it changes that back.");
        }
        long log = file.resolveSibling(file.getFileName() + "-wal").toFile().length();
        return log > LARGE_LOG_BYTES
                ? Finding.warning(
                        "journal",
                        "The log beside the file has %s MiB, and is not copied back.".formatted(log >> 20),
                        "Look for a program that reads the file for long, such as a backup, and end it.")
                : Finding.ok("journal", "WAL, with a log of %s KiB.".formatted(log >> 10));
    }

    /** Timers and delays were fixed by the clock as it was: after a step back they are due when it has caught up. */
    private Finding clock(Session session) {
        Instant latest = Times.instant(SeenTimes.read(session).highest());
        Duration behind = Duration.between(environment.clock().instant(), latest);
        return behind.compareTo(CLOCK_SLACK) > 0
                ? Finding.warning(
                        "clock",
                        "This machine's clock is %s s behind the latest time that the store has seen (%s)."
                                .formatted(behind.toSeconds(), latest),
                        "If this clock is wrong, correct it: timers and delays that were set before it went back are late until it has caught up."
                                + " If it was ahead before, leave it: nothing is lost, and counts of messages are slower until it has caught up.")
                : Finding.ok("clock", "This machine's clock is not behind what the store has seen.");
    }

    private static Finding owner(DatabaseFile file) {
        return OwnerLock.holder(file)
                .map(owner -> Finding.ok("owner", owner + " runs the workers."))
                .orElseGet(() -> Finding.ok("owner", "No process runs workers, or a server, over it now."));
    }
}
