package io.perdure.store.postgres;

import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Committed;
import io.perdure.core.store.Hint;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Signal;
import io.perdure.core.store.RunCommit.Start;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.store.postgres.Session.Read;
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
 * Sends batches: one call of a flush function each, which is one transaction and one answer. A plain start, step or signal that
 * comes alone has a function of its own, with fewer statements.
 *
 * <p>Where the database does not take a value, the call fails as a whole and nothing of it was done. Then halves of the batch
 * are tried, each in a transaction that is rolled back, until the commits to blame are found; the batch goes out again with
 * those answered as refused. So a bad commit never fails its neighbours, and no savepoint is paid for by the good ones.
 */
final class Flusher {
    private static final String FLUSH = """
            SELECT known, newest, commits, digest, outcomes, ready, at
            FROM perdure.flush_2(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                                 ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                                 ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String FLUSH_START = """
            SELECT known, newest, commits, digest, outcomes, ready, at
            FROM perdure.flush_start_2(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String FLUSH_STEP = """
            SELECT known, newest, commits, digest, outcomes, ready, at
            FROM perdure.flush_step_2(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String FLUSH_SIGNAL = """
            SELECT known, newest, commits, digest, outcomes, ready, at
            FROM perdure.flush_signal_2(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    /** A message, a run or an event is there already. The quick way does not expect it: then each is looked at. */
    private static final String THERE_ALREADY = "23505";

    private final Connections connections;
    private final long[] limits;
    private final boolean stepsLock;
    private final Consumer<Set<Hint>> hints;

    Flusher(Connections connections, Limits limits, Consumer<Set<Hint>> hints) {
        this.connections = connections;
        this.limits = new long[] {
            limits.runs().events(),
            limits.runs().mailbox(),
            Documents.micros(limits.queues().deduplicationWindow()),
            Documents.micros(connections.longestWrite()),
        };
        // No lease lasts for longer than a write may take.
        this.stepsLock = connections.longestWrite().compareTo(limits.runs().lease()) >= 0;
        this.hints = hints;
    }

    List<Outcome> commit(Batch batch) {
        return commit(batch, (WokenRows) null);
    }

    /** Applies a batch; a signal that is the whole of it leases the run that it wakes, where that run is asked for. */
    Committed commit(Batch batch, ClaimRuns along) {
        if (batch.commits().size() > 1
                || !(batch.commits().getFirst() instanceof Signal signal)
                || !PlainSignals.isPlain(signal)
                || !signal.tenant().equals(along.tenant())) {
            return new Committed(commit(batch), null);
        }
        WokenRows woken = new WokenRows(signal.run(), along);
        List<Outcome> outcomes = commit(batch, woken);
        return new Committed(outcomes, woken.woken());
    }

    private List<Outcome> commit(Batch batch, @Nullable WokenRows woken) {
        Call call = batch.commits().size() == 1 ? alone(batch, woken) : null;
        FlushPlan plan = null;
        if (call == null) {
            plan = FlushPlan.of(batch.commits(), limits[0]);
            call = call(batch, plan, false);
        }
        Reply reply;
        try {
            reply = woken == null ? flush(call) : flush(call, woken);
        } catch (StoreException e) {
            if (wasThereAlready(e) && (plan == null || plan.hasPlain())) {
                reply = flushWithCare(batch, plan == null ? FlushPlan.of(batch.commits(), limits[0]) : plan);
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
            return flush(call(batch, plan, true));
        } catch (StoreException e) {
            if (!wasThereAlready(e) && !isAboutValues(e)) {
                throw e;
            }
            return flushOneByOne(batch, Map.of());
        }
    }

    private Reply flushOneByOne(Batch batch, Map<Integer, String> bad) {
        try {
            return flush(call(batch, FlushPlan.oneByOne(batch.commits(), bad), false));
        } catch (StoreException e) {
            if (!bad.isEmpty() || !isAboutValues(e)) {
                throw e;
            }
            return flush(call(batch, FlushPlan.oneByOne(batch.commits(), toBlame(batch)), false));
        }
    }

    /** The call of a flush function. */
    private record Call(String sql, List<Object> values) {}

    private Reply flush(Call call) {
        return connections.write(session -> reply(session, call));
    }

    /** Two statements, in one round trip and one transaction. */
    private Reply flush(Call call, WokenRows woken) {
        return connections.write(session -> {
            List<Reply> replies = new ArrayList<>(1);
            session.readAll(new Read(call.sql(), row -> replies.add(Reply.of(row)), call.values()), woken.read());
            return replies.getFirst();
        });
    }

    private static Reply reply(Session session, Call call) throws SQLException {
        return session.first(call.sql(), Reply::of, call.values().toArray()).orElseThrow();
    }

    /** The call for a commit that is the whole of its batch; null where there is no function for it. */
    private @Nullable Call alone(Batch batch, @Nullable WokenRows woken) {
        return switch (batch.commits().getFirst()) {
            case Start start when PlainStarts.isPlain(start) -> call(FLUSH_START, batch, PlainStarts.alone(start));
            case Advance step
            when PlainSteps.isPlainAlone(step, limits[0]) -> call(FLUSH_STEP, batch, PlainSteps.alone(step, limits));
            case Signal signal
            when PlainSignals.isPlain(signal) -> call(FLUSH_SIGNAL, batch, PlainSignals.alone(signal, limits, woken));
            default -> null;
        };
    }

    private static Call call(String sql, Batch batch, List<Object> commit) {
        List<Object> values = new ArrayList<>();
        values.add(batch.lane().process().value());
        values.add(batch.lane().number());
        values.add(batch.number());
        values.add(batch.commits().hashCode());
        values.addAll(commit);
        return new Call(sql, values);
    }

    private Call call(Batch batch, FlushPlan plan, boolean careful) {
        List<Object> values = new ArrayList<>();
        values.add(batch.lane().process().value());
        values.add(batch.lane().number());
        values.add(batch.number());
        values.add(batch.commits().size());
        values.add(batch.commits().hashCode());
        values.add(limits);
        values.add(careful);
        values.addAll(plan.arrays(stepsLock));
        return new Call(FLUSH, values);
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
        if (reply.known().equals("answered")) {
            // Which groups moved on was told with the answer that was lost.
            heard.add(new Hint.Anything());
        }
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
                reply(session, call(part, FlushPlan.oneByOne(commits, Map.of()), true));
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
