package io.perdure.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A Postgres server in a folder of its own, at a port of its own on the loopback network, which lives as long as this process at
 * most. Its only user is {@code perdure}, a superuser without a password. Safe for use by several threads.
 *
 * <p>It is a child of this process and is spoken to by signals; as root it runs as {@code nobody}. A shell watches over it: when
 * this process ends, even by {@code kill -9}, server and folder go too, a moment later. They stay behind only if the shell is
 * killed as well.
 */
public final class PrivatePostgres implements AutoCloseable {
    /**
     * Settings for tests in which the machine does not lose its power and commits may be lost in a {@link #crash()}: several
     * times faster where the disk is slow.
     */
    public static final Map<String, String> WITHOUT_DURABILITY =
            Map.of("fsync", "off", "synchronous_commit", "off", "full_page_writes", "off");

    private static final String DATABASE = "perdure";
    private static final String MAINTENANCE_DATABASE = "postgres";
    private static final String DUPLICATE_DATABASE = "42P04";
    private static final Pattern DATABASE_NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");
    private static final Pattern SETTING_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");
    private static final Set<String> FIXED = Set.of("port", "listen_addresses", "unix_socket_directories");
    private static final Map<String, String> DEFAULTS = Map.of(
            "max_connections", "200",
            "shared_buffers", "256MB",
            "timezone", "UTC",
            "log_timezone", "UTC");

    private final PostgresBinaries binaries;
    private final Path folder;
    private final Account account;
    private final Watchdog watchdog;
    private final int port;
    private Daemon daemon;
    private Set<Long> paused = Set.of();
    private boolean closed;

    private PrivatePostgres(PostgresBinaries binaries, Map<String, String> settings, Path folder) throws IOException {
        this.binaries = binaries;
        this.folder = folder;
        this.watchdog = Watchdog.over(folder);
        try {
            this.account = Account.forMakerOf(folder);
            account.give(folder);
            this.port = Loopback.freePort();
            initialize(settings);
            this.daemon = launch();
            create(DATABASE);
        } catch (IOException | RuntimeException e) {
            watchdog.close();
            throw e;
        }
    }

    /**
     * Starts a server in a fresh folder, and creates the database {@code perdure}. Durable as Postgres is by itself, unless the
     * settings, names and values of {@code postgresql.conf}, say otherwise; see {@link #WITHOUT_DURABILITY}. Throws {@link
     * IllegalStateException} with the end of the server's log when it does not start.
     */
    public static PrivatePostgres start(PostgresBinaries binaries, Map<String, String> settings) {
        return start(binaries, settings, Path.of(System.getProperty("java.io.tmpdir")));
    }

    /**
     * The same in a fresh folder within another: which disk it is on decides what a commit costs. Where this process is root,
     * {@code nobody} must be able to enter that folder.
     */
    public static PrivatePostgres start(PostgresBinaries binaries, Map<String, String> settings, Path parent) {
        settings.keySet().forEach(PrivatePostgres::check);
        try {
            Path folder = Files.createTempDirectory(parent.toAbsolutePath().normalize(), "perdure-postgres-server-");
            return new PrivatePostgres(binaries, settings, folder);
        } catch (IOException e) {
            throw new UncheckedIOException("A private Postgres could not be started.", e);
        }
    }

    private static void check(String setting) {
        if (FIXED.contains(setting.toLowerCase(Locale.ROOT))
                || !SETTING_NAME.matcher(setting).matches()) {
            throw new IllegalArgumentException(
                    "The setting \"%s\" cannot be given: a private Postgres listens where it chooses."
                            .formatted(setting));
        }
    }

    private void initialize(Map<String, String> settings) throws IOException {
        // Unsynced: if the machine loses its power, this server is lost in any case. What it commits later is synced.
        Command.run(account.command(List.of(
                binaries.program("initdb"),
                "--pgdata=" + data(),
                "--username=" + PlainSession.USER,
                "--auth=trust",
                "--encoding=UTF8",
                "--no-locale",
                "--no-sync")));
        Map<String, String> all = new TreeMap<>(DEFAULTS);
        all.putAll(settings);
        all.put("port", String.valueOf(port));
        all.put("listen_addresses", Loopback.HOST);
        all.put("unix_socket_directories", "");
        List<String> lines = all.entrySet().stream()
                .map(setting -> "%s = '%s'"
                        .formatted(
                                setting.getKey(),
                                setting.getValue().replace("\\", "\\\\").replace("'", "''")))
                .toList();
        Files.write(data().resolve("postgresql.conf"), lines, StandardOpenOption.APPEND);
    }

    private Daemon launch() throws IOException {
        List<String> words = account.command(List.of(binaries.program("postgres"), "-D", data().toString()));
        Daemon launched = Daemon.start(words, folder.resolve("log"), data().resolve("postmaster.pid"));
        try {
            launched.awaitAnswer(port, MAINTENANCE_DATABASE);
        } catch (RuntimeException e) {
            launched.end("QUIT");
            throw e;
        }
        return launched;
    }

    private Path data() {
        return folder.resolve("data");
    }

    /** The JDBC address of the database {@code perdure}. */
    public String url() {
        return Loopback.url(port, DATABASE);
    }

    /** The JDBC address of another database, which is created if need be. */
    public String url(String database) {
        create(database);
        return Loopback.url(port, database);
    }

    private void create(String database) {
        if (!DATABASE_NAME.matcher(database).matches()) {
            throw new IllegalArgumentException(
                    "The database name \"%s\" does not match %s.".formatted(database, DATABASE_NAME));
        }
        try (PlainSession session = PlainSession.open(port, MAINTENANCE_DATABASE)) {
            session.execute("create database \"" + database + "\"");
        } catch (PostgresError e) {
            if (!e.sqlState().equals(DUPLICATE_DATABASE)) {
                throw e;
            }
        }
    }

    /** Runs a statement in the database {@code perdure}; throws {@link IllegalStateException} with the server's own words. */
    public void execute(String sql) {
        try (PlainSession session = PlainSession.open(port, DATABASE)) {
            session.execute(sql);
        }
    }

    /** Where it listens, over restarts too. */
    public int port() {
        return port;
    }

    /** The first number of its version: 18 of 18.6. */
    public int majorVersion() {
        return binaries.majorVersion();
    }

    /** Its folder: the data in {@code data}, what it said in {@code log}. */
    public Path folder() {
        return folder;
    }

    /** Lets it fall without a checkpoint ({@code pg_ctl stop -m immediate}): the next start recovers from the write-ahead log. */
    public synchronized void crash() {
        end("QUIT");
    }

    /** Ends it in good order, breaking off what runs ({@code pg_ctl stop -m fast}). {@link #restart()} may follow. */
    public synchronized void stop() {
        end("INT");
    }

    private void end(String signal) {
        resume();
        daemon.end(signal);
    }

    /** Starts it again on the same data and port, stopping it before if it runs. Returns when it answers. */
    public synchronized void restart() {
        if (closed) {
            throw new IllegalStateException("It was closed, and its data deleted.");
        }
        stop();
        try {
            daemon = launch();
        } catch (IOException e) {
            throw new UncheckedIOException("Postgres could not be started again in %s.".formatted(folder), e);
        }
    }

    /** Freezes the server and all of its processes (SIGSTOP): connections stay open, and nothing answers. */
    public synchronized void pause() {
        if (!daemon.isAlive()) {
            throw new IllegalStateException("A server that does not run cannot be paused.");
        }
        Set<Long> stopped = new TreeSet<>();
        Set<Long> found = new TreeSet<>(Set.of(daemon.processId()));
        // The parent first, so that it makes no more; once more, for what it made meanwhile.
        while (stopped.addAll(found)) {
            note(stopped);
            Command.signal("STOP", List.copyOf(found));
            daemon.descendants().forEach(found::add);
        }
        paused = stopped;
    }

    private void note(Set<Long> stopped) {
        try {
            List<String> words = stopped.stream().map(String::valueOf).toList();
            Files.writeString(folder.resolve(Watchdog.PAUSED), String.join(" ", words));
        } catch (IOException e) {
            throw new UncheckedIOException("The processes to pause could not be noted.", e);
        }
    }

    /** Lets it go on after {@link #pause()}. One that was not paused is left alone. */
    public synchronized void resume() {
        if (paused.isEmpty()) {
            return;
        }
        Command.signal("CONT", List.copyOf(paused));
        paused = Set.of();
        try {
            Files.deleteIfExists(folder.resolve(Watchdog.PAUSED));
        } catch (IOException e) {
            throw new UncheckedIOException("The note of paused processes could not be removed.", e);
        }
    }

    Account account() {
        return account;
    }

    /** Ends it at once and deletes its folder. Doing so again changes nothing. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            crash();
            watchdog.close();
        }
    }
}
