package io.perdure.store.postgres;

import io.perdure.core.store.Hint;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;

/** A way to hear of what other processes did. Used by one thread, but for {@link #wake}. */
interface Hearing {
    /** Begins over a new connection. What happens from now on is heard; what happened before may have been missed. */
    void begin(Connection connection) throws SQLException;

    /** Waits a while for news and answers them; empty where there were none. */
    Set<Hint> hear(Connection connection) throws SQLException, InterruptedException;

    /** Says that somebody begins to wait, who would have news soon. */
    void wake();
}
