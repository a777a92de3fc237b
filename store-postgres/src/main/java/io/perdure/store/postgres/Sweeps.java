package io.perdure.store.postgres;

import io.perdure.core.store.Hint;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.Limits;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Removes rows that have served their time, those first that have been over the longest. */
final class Sweeps {
    private final Connections connections;
    private final Limits limits;
    private final Consumer<Set<Hint>> hints;

    Sweeps(Connections connections, Limits limits, Consumer<Set<Hint>> hints) {
        this.connections = connections;
        this.limits = limits;
        this.hints = hints;
    }

    int sweep(Sweep what, int limit) {
        if (what == Sweep.LANE_BATCHES) {
            // Only batches that are folded can go.
            connections.write(session -> session.number("SELECT perdure.fold_lanes_1()"));
        }
        Set<Hint> ready = new HashSet<>();
        int swept = connections.write(session -> switch (what) {
            case EXPIRED_MESSAGES -> messages(session, limit, ready);
            case RETIRED_RUNS -> Math.toIntExact(session.number("SELECT perdure.sweep_runs_1(?)", limit));
            case DEDUPLICATION_IDS -> Math.toIntExact(session.number("SELECT perdure.sweep_keys_1(?)", limit));
            case LANE_BATCHES ->
                Math.toIntExact(session.number(
                        "SELECT perdure.sweep_lanes_1(?, ?, ?)",
                        limit,
                        Documents.micros(limits.lanes().lanesKept()),
                        Documents.micros(limits.lanes().batchesKept())));
            case NOTED_REQUESTS ->
                Math.toIntExact(session.number(
                        "SELECT perdure.sweep_requests_1(?, ?)",
                        limit,
                        Documents.micros(limits.remote().requestsKept())));
            case GONE_WORKERS -> Math.toIntExact(session.number("SELECT perdure.sweep_workers_1(?)", limit));
        });
        hints.accept(ready);
        return swept;
    }

    private static int messages(Session session, int limit, Set<Hint> ready) throws SQLException {
        return session.first(
                        "SELECT swept, ready FROM perdure.sweep_messages_2(?)",
                        row -> {
                            ready.addAll(Ready.of(row.textsOrNull(2)));
                            return row.small(1);
                        },
                        limit)
                .orElseThrow();
    }
}
