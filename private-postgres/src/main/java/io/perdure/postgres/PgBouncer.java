package io.perdure.postgres;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * PgBouncer in transaction mode before a {@link PrivatePostgres}: the next transaction of a connection may run in another
 * session. It lives in a folder of that server and goes with it at the latest.
 */
public final class PgBouncer implements AutoCloseable {
    private static final String DATABASE = "perdure";
    private static final Map<String, String> DEFAULTS = Map.of(
            "auth_type", "any",
            "pool_mode", "transaction",
            "max_client_conn", "1000",
            "default_pool_size", "50",
            "ignore_startup_parameters", "extra_float_digits,options");

    private final Daemon daemon;
    private final int port;

    private PgBouncer(Daemon daemon, int port) {
        this.daemon = daemon;
        this.port = port;
    }

    /** Starts one, where its program is on the path or among the system's; elsewhere there is none. */
    public static Optional<PgBouncer> inFrontOf(PrivatePostgres server) {
        return inFrontOf(server, Map.of());
    }

    /** The same with other settings, names and values of its file, such as another {@code pool_mode}. */
    public static Optional<PgBouncer> inFrontOf(PrivatePostgres server, Map<String, String> settings) {
        return program().map(program -> start(program, server, settings));
    }

    private static Optional<Path> program() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(Stream.of(path.split(File.pathSeparator, -1)), Stream.of("/usr/sbin", "/usr/local/sbin"))
                .filter(folder -> folder.startsWith("/"))
                .map(folder -> Path.of(folder, "pgbouncer"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static PgBouncer start(Path program, PrivatePostgres server, Map<String, String> given) {
        try {
            int port = Loopback.freePort();
            Path folder = Files.createTempDirectory(server.folder(), "pgbouncer-");
            Path settings = folder.resolve("pgbouncer.ini");
            Path idFile = folder.resolve("pgbouncer.pid");
            Files.writeString(settings, settings(server, port, idFile, given));
            server.account().give(folder);
            server.account().give(settings);
            List<String> words = server.account().command(List.of(program.toString(), settings.toString()));
            Daemon daemon = Daemon.start(words, folder.resolve("log"), idFile);
            try {
                daemon.awaitAnswer(port, DATABASE);
            } catch (RuntimeException e) {
                daemon.end("KILL");
                throw e;
            }
            return new PgBouncer(daemon, port);
        } catch (IOException e) {
            throw new UncheckedIOException("PgBouncer could not be started.", e);
        }
    }

    /** The watchdog of the server finds the process by its id. */
    private static String settings(PrivatePostgres server, int port, Path idFile, Map<String, String> given) {
        Map<String, String> all = new TreeMap<>(DEFAULTS);
        all.putAll(given);
        all.put("listen_addr", Loopback.HOST);
        all.put("listen_port", String.valueOf(port));
        all.put("unix_socket_dir", "");
        all.put("pidfile", idFile.toString());
        String lines = all.entrySet().stream()
                .map(setting -> setting.getKey() + " = " + setting.getValue() + "\n")
                .collect(Collectors.joining());
        return """
                [databases]
                * = host=%s port=%s user=%s
                [pgbouncer]
                %s\
                """.formatted(Loopback.HOST, server.port(), PlainSession.USER, lines);
    }

    /**
     * The JDBC address of the database {@code perdure} through it. Prepared statements stay unnamed: before its version 1.21 it
     * does not carry names from one session to another.
     */
    public String url() {
        return url(DATABASE);
    }

    /** The JDBC address of another database, which must exist. */
    public String url(String database) {
        return Loopback.url(port, database) + "&prepareThreshold=0";
    }

    /** Ends it at once. Doing so again changes nothing. */
    @Override
    public void close() {
        daemon.end("KILL");
    }
}
