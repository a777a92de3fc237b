package io.perdure.store.postgres;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Hint;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Sends batches: one call of a flush function each, which is one transaction and one answer. A plain start or step that comes
 * alone has a function of its own, with fewer statements.
 *
 * <p>Where the database does not take a value, the call fails as a whole and nothing of it was done. Then halves of the batch
 * are tried, each in a transaction that is rolled back, until the commits to blame are found; the batch goes out again with
 * those answered as refused. So a bad commit never fails its neighbours, and no savepoint is paid for by the good ones.
 */
final class Flusher {
    private static final String FLUSH = """
            SELECT known, newest, commits, digest, outcomes, ready, at
            FROM perdure.flush_1(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                                 ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                                 ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String FLUSH_START = """
            SELECT known, newest, commits, digest, outcomes, ready, at
            FROM perdure.flush_start_1(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String FLUSH_STEP = """
            SELECT known, newest, commits, digest, outcomes, ready, at
            FROM perdure.flush_step_1(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    /** A message, a run or an event is there already. The quick way does not expect it: then each is looked at. */
    private static final String THERE_ALREADY = "23505";

    private final Connections connections;
    private final long[] limits;
    private final Consumer<Set<Hint>> hints;

    Flusher(Connections connections, Limits limits, Consumer<Set<Hint>> hints) {
        this.connections = connections;
        this.limits = new long[] {
            limits.runs().events(),
            limits.runs().mailbox(),
            Documents.micros(limits.queues().deduplicationWindow()),
            Documents.micros(connections.longestWrite()),
        };
        this.hints = hints;
    }

    List<Outcome> commit(Batch batch) {
        FlushPlan plan = FlushPlan.of(batch.commits(), limits[0]);
        Reply reply;
        try {
            reply = batch.commits().size() == 1 && plan.hasPlain() ? flushAlone(batch, plan) : flush(batch, plan);
        } catch (StoreException e) {
            if (plan.hasPlain() && wasThereAlready(e)) {
                reply = flushWithCare(batch, plan);
            } else if (isAboutValues(e)) {
                reply = flushOneByOne(batch, toBlame(batch));
            } else {
                throw e;
            }
        }
        return answered(batch, reply);
    }

    /**
     * Most often somebody cancelled a run at the moment of its next step: steps that are appended with care lose alone. Where it
     * was a message or a run that was there already, one by one is left.
     */
    private Reply flushWithCare(Batch batch, FlushPlan plan) {
        try {
            return flush(batch, plan, true);
        } catch (StoreException e) {
            if (!wasThereAlready(e) && !isAboutValues(e)) {
                throw e;
            }
            return flushOneByOne(batch, Map.of());
        }
    }

    private Reply flushOneByOne(Batch batch, Map<Integer, String> bad) {
        try {
            return flush(batch, FlushPlan.oneByOne(batch.commits(), bad));
        } catch (StoreException e) {
            if (!bad.isEmpty() || !isAboutValues(e)) {
                throw e;
            }
            return flush(batch, FlushPlan.oneByOne(batch.commits(), toBlame(batch)));
        }
    }

    private Reply flush(Batch batch, FlushPlan plan) {
        return flush(batch, plan, false);
    }

    private Reply flush(Batch batch, FlushPlan plan, boolean careful) {
        return connections.write(session -> flush(session, batch, plan, careful));
    }

    /** A plain start or a plain step that is the whole of its batch has a function of its own. */
    private Reply flushAlone(Batch batch, FlushPlan plan) {
        return switch (batch.commits().getFirst()) {
            case Start start ->
                connections.write(session -> alone(session, FLUSH_START, batch, PlainStarts.alone(start)));
            case Advance step ->
                connections.write(session -> alone(session, FLUSH_STEP, batch, PlainSteps.alone(step, limits)));
            default -> flush(batch, plan);
        };
    }

    private static Reply alone(Session session, String sql, Batch batch, List<Object> commit) throws SQLException {
        List<Object> values = new ArrayList<>();
        values.add(batch.lane().process().value());
        values.add(batch.lane().number());
        values.add(batch.number());
        values.add(batch.commits().hashCode());
        values.addAll(commit);
        return session.first(sql, Reply::of, values.toArray()).orElseThrow();
    }

    private Reply flush(Session session, Batch batch, FlushPlan plan, boolean careful) throws SQLException {
        List<@Nullable Object> values = new ArrayList<>();
        values.add(batch.lane().process().value());
        values.add(batch.lane().number());
        values.add(batch.number());
        values.add(batch.commits().size());
        values.add(batch.commits().hashCode());
        values.add(limits);
        values.add(careful);
        values.addAll(plan.arrays());
        return session.first(FLUSH, Reply::of, values.toArray()).orElseThrow();
    }

    private List<Outcome> answered(Batch batch, Reply reply) {
        switch (reply.known()) {
            case "rewound" ->
                throw new StoreException(
                        ErrorCode.LANE_REWOUND,
                        "Batch " + batch.number() + " of lane " + batch.lane()
                                + " does not follow the newest one the store has, "
                                + (reply.newest() == null ? "none" : reply.newest()) + ".");
            case "answered" -> requireSame(batch, reply);
            default -> {
                // It was the next one.
            }
        }
        Set<Hint> heard = new LinkedHashSet<>(reply.hints());
        List<Outcome> outcomes = Answers.read(batch.commits(), reply.outcomes(), reply.at(), heard);
        hints.accept(heard);
        return outcomes;
    }

    /**
     * The number may have been used up by a batch of which we were wrongly told that it was undone. Its answers are not those of
     * this one.
     */
    private static void requireSame(Batch batch, Reply reply) {
        Commit.require(reply.commits() == batch.commits().size(), "A batch that is sent again is the same batch.");
        if (reply.digest() != batch.commits().hashCode()) {
            throw new StoreException(
                    ErrorCode.LANE_REWOUND,
                    "Batch " + batch.number() + " of lane " + batch.lane() + " is another one to the store.");
        }
    }

    /** What the function answers. An outcome that is null was done as asked, and so were those that are not there. */
    private record Reply(
            String known,
            @Nullable Long newest,
            int commits,
            int digest,
            List<@Nullable String> outcomes,
            List<Hint> hints,
            Instant at) {
        static Reply of(Row row) throws SQLException {
            @Nullable String[] outcomes = row.textsOrNull(5);
            return new Reply(
                    row.text(1),
                    row.integerOrNull(2),
                    row.small(3),
                    row.small(4),
                    outcomes == null ? List.of() : Arrays.asList(outcomes),
                    Ready.of(row.textsOrNull(6)),
                    row.time(7));
        }
    }

    /** The places of the commits that the database does not take, and what it says of each. */
    private Map<Integer, String> toBlame(Batch batch) {
        Map<Integer, String> bad = new TreeMap<>();
        List<Integer> good = new ArrayList<>();
        search(batch, IntStream.range(0, batch.commits().size()).boxed().toList(), good, bad);
        return bad;
    }

    /** Tries some commits after all those that were found good, which they may build on. */
    private void search(Batch batch, List<Integer> places, List<Integer> good, Map<Integer, String> bad) {
        List<Integer> tried = new ArrayList<>(good);
        tried.addAll(places);
        @Nullable String error = attempt(batch, tried);
        if (error == null) {
            good.addAll(places);
        } else if (places.size() == 1) {
            bad.put(places.getFirst(), error);
        } else {
            int half = places.size() / 2;
            search(batch, places.subList(0, half), good, bad);
            search(batch, places.subList(half, places.size()), good, bad);
        }
    }

    /** What the database says to these commits; null where it takes them. Nothing is done in any case. */
    private @Nullable String attempt(Batch batch, List<Integer> places) {
        List<Commit> commits = places.stream().map(batch.commits()::get).toList();
        Batch part = new Batch(batch.lane(), batch.number(), commits);
        try {
            connections.transaction(session -> {
                flush(session, part, FlushPlan.oneByOne(commits, Map.of()), true);
                throw new Attempted();
            });
            throw new IllegalStateException("an attempt was committed");
        } catch (Attempted _) {
            return null;
        } catch (StoreException e) {
            if (!isAboutValues(e)) {
                throw e;
            }
            return String.valueOf(e.getCause() == null ? e.what() : e.getCause().getMessage())
                    .lines()
                    .findFirst()
                    .orElse(e.what());
        }
    }

    /** Ends an attempt, so that it is rolled back. */
    private static final class Attempted extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Attempted() {
            super("An attempt, to be rolled back.", null, false, false);
        }
    }

    private static boolean wasThereAlready(StoreException e) {
        return e.getCause() instanceof SQLException cause && THERE_ALREADY.equals(cause.getSQLState());
    }

    private static boolean isAboutValues(StoreException e) {
        return e.getCause() instanceof SQLException cause && PostgresErrors.isAboutValues(cause);
    }
}
