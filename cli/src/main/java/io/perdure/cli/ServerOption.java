package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of a server. Each can also be a variable of the environment, or a line of the file that {@code --config} names. */
final class ServerOption {
    @Option(
            names = "--store",
            paramLabel = "URL",
            description = {
                "The store to serve: jdbc:sqlite:app.db or jdbc:postgresql://host/database. Without it: a file in this",
                "folder, perdure.db, or perdure-dev.db for dev; server also takes what PERDURE_STORE says."
            })
    private @Nullable String store;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description =
                    "Where to listen. Without it: 127.0.0.1. Anything that others can reach needs a key, and TLS or a proxy.")
    private @Nullable String host;

    @Option(names = "--port", paramLabel = "NUMBER", description = "Without it: 7450. 0 takes one that is free.")
    private @Nullable String port;

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description = "A certificate in PEM; goes with --tls-key.")
    private @Nullable String tlsCertificate;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "The private key of the certificate, in PEM.")
    private @Nullable String tlsKey;

    @Option(names = "--behind-proxy", description = "A proxy that ends TLS is all that can reach the server.")
    private boolean behindProxy;

    @Option(
            names = "--drain",
            paramLabel = "TIME",
            description = "How long requests and steps under way may take at the end. Without it: 30s.")
    private @Nullable String drain;

    @Option(
            names = "--max-body-bytes",
            paramLabel = "NUMBER",
            description = "Largest body of a request. Without it: 8388608.")
    private @Nullable String maxBodyBytes;

    @Option(
            names = "--max-waiting",
            paramLabel = "NUMBER",
            description = "How many requests may wait for something at once. Without it: 10000.")
    private @Nullable String maxWaiting;

    @Option(
            names = "--max-requests",
            paramLabel = "NUMBER",
            description =
                    "How many requests that write may be under way at once, commits of workers included. Without it: 2000.")
    private @Nullable String maxRequests;

    @Option(
            names = "--max-retention-days",
            paramLabel = "NUMBER",
            description = "No ended run is kept longer. Without it: what WORKFLOWS_MAX_RETENTION_DAYS says, or 365.")
    private @Nullable String maxRetentionDays;

    @Option(
            names = "--max-run-events",
            paramLabel = "NUMBER",
            description =
                    "Most events in the history of one run; a run that has more to record is parked. Without it: 100000.")
    private @Nullable String maxRunEvents;

    @Option(
            names = "--max-run-bytes",
            paramLabel = "NUMBER",
            description = {
                "Most bytes of history and waiting signals that a run goes on with; a larger run is parked. Also at most",
                "1/8 of the heap, for runs of remote workers 1/16 and 128 MiB. Default: 67108864 (64 MiB)."
            })
    private @Nullable String maxRunBytes;

    @Option(
            names = "--sweeper-interval-ms",
            paramLabel = "NUMBER",
            description = {
                "How often runs are looked for whose time is over. Without it: what",
                "WORKFLOWS_SWEEPER_INTERVAL_MS says, or 300000."
            })
    private @Nullable String sweeperIntervalMs;

    @Option(
            names = "--otlp-enabled",
            description =
                    "Sends the spans of runs, steps and signals to a collector. Without it: what OTLP_ENABLED says.")
    private boolean otlpEnabled;

    @Option(
            names = "--otlp-endpoint",
            paramLabel = "URL",
            description = {
                "Where the collector takes OTLP over HTTP. Without it: what OTLP_ENDPOINT says, or",
                "http://localhost:4318."
            })
    private @Nullable String otlpEndpoint;

    @Option(
            names = "--otlp-headers",
            paramLabel = "HEADERS",
            description = {
                "What the collector is sent with every request, as name=value,name=value. Without it: what",
                "OTLP_HEADERS says. Others on the machine can see a flag: a key belongs into the variable or the file."
            })
    private @Nullable String otlpHeaders;

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            description = "How the log on stderr looks: text, or json for programs. Without it: text.")
    private @Nullable String logFormat;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            description = "The least that is logged: error, warn, info or debug. Without it: info.")
    private @Nullable String logLevel;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Lines such as \"port = 7451\", for what neither a flag nor the environment says.")
    private @Nullable Path config;

    /** The store that the flag names, whatever else says of it. */
    Optional<String> store() {
        return Optional.ofNullable(store);
    }

    Settings settings(Terminal terminal) {
        Map<Setting, String> flags = new EnumMap<>(Setting.class);
        put(flags, Setting.STORE, store);
        put(flags, Setting.HOST, host);
        put(flags, Setting.PORT, port);
        put(flags, Setting.TLS_CERTIFICATE, tlsCertificate);
        put(flags, Setting.TLS_KEY, tlsKey);
        put(flags, Setting.BEHIND_PROXY, behindProxy ? "true" : null);
        put(flags, Setting.DRAIN, drain);
        put(flags, Setting.MAX_BODY_BYTES, maxBodyBytes);
        put(flags, Setting.MAX_WAITING, maxWaiting);
        put(flags, Setting.MAX_REQUESTS, maxRequests);
        put(flags, Setting.MAX_RETENTION_DAYS, maxRetentionDays);
        put(flags, Setting.MAX_RUN_EVENTS, maxRunEvents);
        put(flags, Setting.MAX_RUN_BYTES, maxRunBytes);
        put(flags, Setting.SWEEPER_INTERVAL_MS, sweeperIntervalMs);
        put(flags, Setting.OTLP_ENABLED, otlpEnabled ? "true" : null);
        put(flags, Setting.OTLP_ENDPOINT, otlpEndpoint);
        put(flags, Setting.OTLP_HEADERS, otlpHeaders);
        put(flags, Setting.LOG_FORMAT, logFormat);
        put(flags, Setting.LOG_LEVEL, logLevel);
        return Settings.of(flags, terminal.environment(), file(config, terminal));
    }

    /** The file with settings: what the flag names, or else the environment; absent where neither does. */
    static @Nullable Path file(@Nullable Path flag, Terminal terminal) {
        String file = terminal.environment().getOrDefault("PERDURE_CONFIG", "");
        if (flag != null || file.isEmpty()) {
            return flag;
        }
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw new InvalidValueException(ErrorCode.SERVER_SETTINGS, "PERDURE_CONFIG names no file.", e);
        }
    }

    private static void put(Map<Setting, String> flags, Setting setting, @Nullable String value) {
        if (value != null) {
            flags.put(setting, value);
        }
    }
}
