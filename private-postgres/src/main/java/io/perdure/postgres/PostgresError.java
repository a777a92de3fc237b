package io.perdure.postgres;

/** The server said no. The message is its own. */
final class PostgresError extends IllegalStateException {
    private static final long serialVersionUID = 1;

    private final String sqlState;

    PostgresError(String sqlState, String message) {
        super("Postgres answered %s: %s".formatted(sqlState, message));
        this.sqlState = sqlState;
    }

    String sqlState() {
        return sqlState;
    }
}
