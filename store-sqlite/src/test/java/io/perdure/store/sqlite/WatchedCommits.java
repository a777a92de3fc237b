package io.perdure.store.sqlite;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A writer's connection that tells, right before each commit, how many rows the transaction has changed. */
final class WatchedCommits {
    /** Hears of a transaction on the writer's thread. What it throws fails the commit. */
    interface Watcher {
        void beforeCommit(long rows) throws SQLException;
    }

    private final Connection real;
    private final Watcher watcher;
    private long changesBefore;

    private WatchedCommits(Connection real, Watcher watcher) {
        this.real = real;
        this.watcher = watcher;
    }

    /** Opens a session on a file that has its tables. */
    static Session open(Path file, Watcher watcher) throws SQLException {
        Connection real = DriverManager.getConnection("jdbc:sqlite:" + file);
        return new Session(new WatchedCommits(real, watcher).connection(), file);
    }

    private Connection connection() {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (_, method, arguments) -> {
                    Object answer = call(real, method, arguments);
                    return answer instanceof PreparedStatement statement && arguments[0].equals("COMMIT")
                            ? watched(statement)
                            : answer;
                });
    }

    private PreparedStatement watched(PreparedStatement commit) {
        return (PreparedStatement) Proxy.newProxyInstance(
                PreparedStatement.class.getClassLoader(),
                new Class<?>[] {PreparedStatement.class},
                (_, method, arguments) -> {
                    if (method.getName().equals("execute")) {
                        long changes = changes();
                        long rows = changes - changesBefore;
                        changesBefore = changes;
                        watcher.beforeCommit(rows);
                    }
                    return call(commit, method, arguments);
                });
    }

    private long changes() throws SQLException {
        try (Statement statement = real.createStatement();
                ResultSet result = statement.executeQuery("SELECT total_changes()")) {
            result.next();
            return result.getLong(1);
        }
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
