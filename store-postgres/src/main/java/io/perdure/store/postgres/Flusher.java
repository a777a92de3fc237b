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
import io.perdure.core.store.Taken;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.RunId;
import io.perdure.store.postgres.Column.Absent;
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
import java.util.function.Predicate;
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
            FROM perdure.flush_1(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                                 ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                                 ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String FLUSH_START = """
            SELECT known, newest, commits, digest, outcomes, ready, at
            FROM perdure.flush_start_1(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String FLUSH_STEP = """
            SELECT known, newest, commits, digest, outcomes, ready, at
            FROM perdure.flush_step_1(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private static final String FLUSH_SIGNAL = """
            SELECT known, newest, commits, digest, outcomes, ready, at
            FROM perdure.flush_signal_1(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

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

    /**
     * Applies a batch.
     *
     * @param request a claim in the same transaction, which is left out where the quickest way fails
     */
    Committed commit(Batch batch, @Nullable ClaimRuns request) {
        Along along = request == null ? null : Along.of(request);
        Call call = batch.commits().size() == 1 ? alone(batch, along) : null;
        FlushPlan plan = null;
        if (call == null) {
            plan = FlushPlan.of(batch.commits(), limits[0]);
            call = call(batch, plan, false);
        }
        Flushed flushed;
        try {
            flushed = flush(call, along);
        } catch (StoreException e) {
            if (wasThereAlready(e) && (plan == null || plan.hasPlain())) {
                flushed = flushWithCare(batch, plan == null ? FlushPlan.of(batch.commits(), limits[0]) : plan);
            } else if (isAboutValues(e)) {
                flushed = flushOneByOne(batch, toBlame(batch));
            } else {
                throw e;
            }
        }
        TakenRows rows = flushed.taken();
        return rows == null
                ? new Committed(answered(batch, flushed.reply(), _ -> false), Taken.NOTHING)
                : new Committed(answered(batch, flushed.reply(), rows::settles), rows.taken());
    }

    /**
     * Most often somebody cancelled a run at the moment of its next step: steps that are appended with care lose alone. Where it
     * was a message or a run that was there already, one by one is left.
     */
    private Flushed flushWithCare(Batch batch, FlushPlan plan) {
        try {
            return flush(call(batch, plan, true), null);
        } catch (StoreException e) {
            if (!wasThereAlready(e) && !isAboutValues(e)) {
                throw e;
            }
            return flushOneByOne(batch, Map.of());
        }
    }

    private Flushed flushOneByOne(Batch batch, Map<Integer, String> bad) {
        try {
            return flush(call(batch, FlushPlan.oneByOne(batch.commits(), bad), false), null);
        } catch (StoreException e) {
            if (!bad.isEmpty() || !isAboutValues(e)) {
                throw e;
            }
            return flush(call(batch, FlushPlan.oneByOne(batch.commits(), toBlame(batch)), false), null);
        }
    }

    /**
     * The call of a flush function.
     *
     * @param leases the run that it leases where somebody takes it along; null where it leases none
     */
    private record Call(
            String sql, List<Object> values, @Nullable RunId leases) {}

    /** What came of it. */
    private record Flushed(Reply reply, @Nullable TakenRows taken) {}

    private Flushed flush(Call call, @Nullable Along along) {
        return connections.write(session -> {
            if (along == null) {
                return new Flushed(reply(session, call), null);
            }
            List<Reply> replies = new ArrayList<>(1);
            TakenRows taken = along.rows();
            session.readAll(
                    new Read(call.sql(), row -> replies.add(Reply.of(row)), call.values()),
                    call.leases() == null ? along.taking(taken) : along.leasedBySignal(call.leases(), taken));
            return new Flushed(replies.getFirst(), taken);
        });
    }

    private static Reply reply(Session session, Call call) throws SQLException {
        return session.first(call.sql(), Reply::of, call.values().toArray()).orElseThrow();
    }

    /** The call for a commit that is the whole of its batch; null where there is no function for it. */
    private @Nullable Call alone(Batch batch, @Nullable Along along) {
        return switch (batch.commits().getFirst()) {
            case Start start
            when PlainStarts.isPlain(start) -> call(FLUSH_START, batch, PlainStarts.alone(start), null);
            case Advance step
            when PlainSteps.isPlainAlone(step, limits[0]) ->
                call(FLUSH_STEP, batch, PlainSteps.alone(step, limits), null);
            case Signal signal
            when signal.deduplicationId() == null -> {
                Along taker = along == null || !along.tenant().equals(signal.tenant()) ? null : along;
                List<Object> values = List.of(
                        limits,
                        signal.tenant().value(),
                        signal.run().value(),
                        signal.event().value(),
                        signal.payload().text(),
                        taker == null ? Absent.TEXTS : taker.queues(),
                        taker == null ? Absent.ID : taker.lease().token(),
                        taker == null ? Absent.LONG : (Object) taker.leaseMicros());
                yield call(FLUSH_SIGNAL, batch, values, taker == null ? null : signal.run());
            }
            default -> null;
        };
    }

    private static Call call(String sql, Batch batch, List<Object> commit, @Nullable RunId leases) {
        List<Object> values = new ArrayList<>();
        values.add(batch.lane().process().value());
        values.add(batch.lane().number());
        values.add(batch.number());
        values.add(batch.commits().hashCode());
        values.addAll(commit);
        return new Call(sql, values, leases);
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
        values.addAll(plan.arrays());
        return new Call(FLUSH, values, null);
    }

    private List<Outcome> answered(Batch batch, Reply reply, Predicate<Hint> settled) {
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
        heard.removeIf(settled);
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
