package io.perdure.store.sqlite;

import io.perdure.core.store.rows.Times;
import java.time.InstantSource;

/**
 * When a read happens.
 *
 * @param clockWentBack whether the clock had gone back by then, and has not come to where it was: what is read may have been written
 *     later than now
 */
record Moment(long nowMicros, boolean clockWentBack) {
    /**
     * Begins a snapshot. The clock is read after that, so no writer whose work is seen can be ahead of it, unless it went back.
     * And whatever is written has the latest time written with it.
     */
    static Moment of(Session session, InstantSource clock) {
        long highest = SeenTimes.read(session).highest();
        long now = Times.micros(clock.instant());
        return new Moment(now, now < highest);
    }
}
