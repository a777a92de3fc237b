package io.perdure.store.sqlite;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Outcome;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.ProcessId;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Which batch each lane sent last, and what was answered: what makes sending a batch again harmless. */
final class Lanes {
    private static final String OPEN = """
            INSERT INTO lane (process, number, newest, last_used) VALUES (?, ?, 0, ?)
            ON CONFLICT DO UPDATE SET last_used = excluded.last_used""";

    private static final String REMEMBER =
            "INSERT INTO lane_batch (process, lane, number, at, commits, outcomes) VALUES (?, ?, ?, ?, ?, ?)";

    private final Transaction transaction;
    private final Session session;

    Lanes(Transaction transaction) {
        this.transaction = transaction;
        this.session = transaction.session;
    }

    /** Opens lanes; those that are open count as used. */
    void open(ProcessId process, int count) {
        for (int number = 0; number < count; number++) {
            session.update(OPEN, process.value(), number, transaction.now());
        }
    }

    /** What a batch was answered, if it was applied before. Throws {@code PD-202} unless it is one of those or the next. */
    Optional<List<Outcome>> earlierAnswer(Batch batch) {
        LaneId lane = batch.lane();
        Optional<Long> newest = session.first(
                "SELECT newest FROM lane WHERE process = ? AND number = ?",
                row -> row.integer(1),
                lane.process().value(),
                lane.number());
        if (newest.isPresent() && batch.number() == newest.get() + 1) {
            return Optional.empty();
        }
        return Optional.of(session.first(
                        "SELECT commits, outcomes FROM lane_batch WHERE process = ? AND lane = ? AND number = ?",
                        row -> answer(row, batch),
                        lane.process().value(),
                        lane.number(),
                        batch.number())
                .orElseThrow(() -> new StoreException(
                        ErrorCode.LANE_REWOUND,
                        "Batch " + batch.number() + " of lane " + lane
                                + " does not follow the newest one the store has, "
                                + newest.map(Object::toString).orElse("none") + ".")));
    }

    private static List<Outcome> answer(Row row, Batch batch) throws SQLException {
        Commit.require(row.small(1) == batch.commits().size(), "A batch that is sent again is the same batch.");
        return OutcomeCodec.read(row.bytes(2), batch.commits());
    }

    void remember(Batch batch, List<Outcome> outcomes) {
        LaneId lane = batch.lane();
        session.update(
                REMEMBER,
                lane.process().value(),
                lane.number(),
                batch.number(),
                transaction.now(),
                outcomes.size(),
                OutcomeCodec.write(outcomes, batch.commits()));
        session.update(
                "UPDATE lane SET newest = ?, last_used = ? WHERE process = ? AND number = ?",
                batch.number(),
                transaction.now(),
                lane.process().value(),
                lane.number());
    }
}
