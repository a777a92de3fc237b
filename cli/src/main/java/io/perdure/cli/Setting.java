package io.perdure.cli;

import java.util.Arrays;
import java.util.Optional;

/** What a server can be told: by a flag, by a variable of the environment, or in a file, in this order. */
enum Setting {
    STORE("store"),
    HOST("host"),
    PORT("port"),
    TLS_CERTIFICATE("tls-certificate"),
    TLS_KEY("tls-key"),
    BEHIND_PROXY("behind-proxy"),
    DRAIN("drain"),
    MAX_BODY_BYTES("max-body-bytes"),
    MAX_WAITING("max-waiting"),
    MAX_REQUESTS("max-requests"),
    MAX_RETENTION_DAYS("max-retention-days", "WORKFLOWS_MAX_RETENTION_DAYS"),
    MAX_RUN_EVENTS("max-run-events"),
    MAX_RUN_BYTES("max-run-bytes"),
    SWEEPER_INTERVAL_MS("sweeper-interval-ms", "WORKFLOWS_SWEEPER_INTERVAL_MS"),
    LOG_FORMAT("log-format"),
    LOG_LEVEL("log-level"),
    OTLP_ENABLED("otlp-enabled", "OTLP_ENABLED"),
    OTLP_ENDPOINT("otlp-endpoint", "OTLP_ENDPOINT"),
    OTLP_HEADERS("otlp-headers", "OTLP_HEADERS");

    private final String key;
    private final String variable;

    Setting(String key) {
        this.key = key;
        this.variable = "PERDURE_" + name();
    }

    Setting(String key, String variable) {
        this.key = key;
        this.variable = variable;
    }

    /** Its name in a file; with two dashes before it, the flag. */
    String key() {
        return key;
    }

    /** The variable of the environment. */
    String variable() {
        return variable;
    }

    static Optional<Setting> ofKey(String key) {
        return Arrays.stream(values())
                .filter(setting -> setting.key.equals(key))
                .findFirst();
    }
}
