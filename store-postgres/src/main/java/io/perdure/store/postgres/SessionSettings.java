package io.perdure.store.postgres;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What Perdure sets in every session of the server, whatever an administrator set for all. A pooler hands a session to others
 * after each transaction, so behind one they are set for the transaction only.
 */
final class SessionSettings {
    /**
     * No statement of ours takes nearly as long. Shorter than what is left of a worker's lease, of ten seconds and extended
     * every three: so a step that finds its lease may go on without locking it.
     */
    static final Duration STATEMENT = Duration.ofSeconds(5);

    /** Shorter than that, so that it is told apart from a slow statement. */
    static final Duration LOCK = Duration.ofSeconds(4);

    /** A process that stopped in a transaction would keep its locks. */
    static final Duration IDLE_IN_TRANSACTION = Duration.ofSeconds(10);

    private static final Map<String, String> ALL = all();

    /**
     * With {@code off} a commit is answered before it is on the disk. All other values are, and what they ask of standbys is the
     * administrator's to choose: those are kept, and pinned against a change in the middle.
     */
    private static final String DURABLE = """
            set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, %s)\
            """;

    private SessionSettings() {}

    private static Map<String, String> all() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("statement_timeout", String.valueOf(STATEMENT.toMillis()));
        settings.put("lock_timeout", String.valueOf(LOCK.toMillis()));
        settings.put("idle_in_transaction_session_timeout", String.valueOf(IDLE_IN_TRANSACTION.toMillis()));
        settings.put("default_transaction_isolation", "read committed");
        // Every question of ours has an index; without statistics, or with old ones, the planner may think otherwise.
        settings.put("enable_seqscan", "off");
        settings.put("jit", "off");
        return settings;
    }

    /** As the {@code options} of a connection's first packet, which cost nothing. */
    static String asOptions() {
        return ALL.entrySet().stream()
                .map(setting ->
                        "-c " + setting.getKey() + "=" + setting.getValue().replace(" ", "\\ "))
                .collect(Collectors.joining(" "));
    }

    /** The statement for what options cannot say, once for each connection; its last column says whether it can write. */
    static String forSession() {
        return "SELECT " + DURABLE.formatted("false") + ", current_setting('transaction_read_only')";
    }

    /** One statement that sets all for the transaction it is in. */
    static String forTransaction() {
        return ALL.entrySet().stream()
                .map(setting -> "set_config('%s', '%s', true)".formatted(setting.getKey(), setting.getValue()))
                .collect(Collectors.joining(", ", "SELECT ", ", " + DURABLE.formatted("true")));
    }
}
