package io.perdure.store.postgres;

import io.perdure.core.store.Hint;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Hears notifications. It blocks on the socket, so that a process for whom there is no news sends nothing but a small query
 * now and then, by which it finds out whether the server is still there and still the primary.
 */
final class Listening implements Hearing {
    /**
     * Between two such queries. The driver takes it for the time limit of the socket while it waits, in place of
     * {@code socketTimeout}, which holds for all else.
     */
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final String channel;
    private final UUID self;

    Listening(String channel, UUID self) {
        this.channel = channel;
        this.self = self;
    }

    @Override
    public void begin(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("LISTEN \"" + channel + "\"");
        }
    }

    @Override
    public Set<Hint> hear(Connection connection) throws SQLException {
        PGNotification[] notifications =
                connection.unwrap(PGConnection.class).getNotifications(Math.toIntExact(SILENCE.toMillis()));
        if (notifications.length == 0) {
            // A server that was the primary would keep who listens, and have nothing to tell.
            Pools.requireWritable(connection);
        }
        Set<Hint> heard = new LinkedHashSet<>();
        for (PGNotification notification : notifications) {
            Notice notice = Notice.of(notification.getParameter());
            if (!self.equals(notice.sender())) {
                heard.addAll(notice.hints());
            }
        }
        return heard;
    }

    /** Whoever begins to wait has looked; what comes after is heard at once. */
    @Override
    public void wake() {}
}
