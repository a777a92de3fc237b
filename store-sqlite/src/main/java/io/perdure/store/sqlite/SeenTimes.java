package io.perdure.store.sqlite;

import java.sql.SQLException;

/**
 * The latest times that the store has seen, in microseconds. A clock that reads less has gone back.
 *
 * @param latest the latest time since leases were repaired last ({@link StepBack})
 * @param highest the latest time of all. Until the clock has come to it again, rows may bear a later time than now: the time of an
 *     event is then held against that of the event before it, and messages are counted one by one, not by the calendar
 */
record SeenTimes(long latest, long highest) {
    static final SeenTimes NONE = new SeenTimes(0, 0);

    static SeenTimes read(Session session) {
        return session.first("SELECT latest, highest FROM clock", SeenTimes::of).orElse(NONE);
    }

    private static SeenTimes of(Row row) throws SQLException {
        return new SeenTimes(row.integer(1), row.integer(2));
    }

    /** These and one more. */
    SeenTimes and(long nowMicros) {
        return nowMicros > latest ? new SeenTimes(nowMicros, Math.max(highest, nowMicros)) : this;
    }

    void write(Session session) {
        session.update("UPDATE clock SET latest = ?, highest = ? WHERE latest < ?", latest, highest, latest);
    }
}
