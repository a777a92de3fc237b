package io.perdure.store.postgres;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Says what an error of Postgres, its driver or the pool means to a user of Perdure. */
final class PostgresErrors {
    /** The server ended the session: by an administrator, in a crash, while it starts or stops, or because it was idle. */
    private static final Set<String> ENDED = Set.of("57P01", "57P02", "57P03", "57P04", "57P05", "25P03", "25P04");

    /** Deadlock, serialization, lock and statement timeouts, an object in use: the server undid the statement. */
    private static final Set<String> BUSY = Set.of("40P01", "40001", "55P03", "57014", "55006");

    private static final Set<String> DAMAGED = Set.of("XX001", "XX002");
    private static final String DISK_FULL = "53100";
    static final String READ_ONLY = "25006";
    private static final String NO_DATABASE = "3D000";
    private static final String NOT_ALLOWED = "42501";

    /** A schema, table, function or column is not there, or is not what this release made. */
    private static final Set<String> SCHEMA_LACKS = Set.of("3F000", "42P01", "42883", "42703");

    static final String NOT_SUPPORTED = "0A000";

    private PostgresErrors() {}

    /** Translates an error that came while nothing was being written. */
    static StoreException of(SQLException e, PostgresUrl url) {
        ErrorCode code = code(e);
        return told(code, what(code, e), e, url);
    }

    /**
     * Translates an error that came to a store that is open, while nothing was being written. What does not pass by itself is
     * {@code PD-213}, so that callers hear of it at once: {@code PD-208} is waited out.
     *
     * @param replaced whether a failover may be in progress: then a server that refuses the user, or lacks the database, may not be
     *     set up yet, which passes
     */
    static StoreException atWork(SQLException e, PostgresUrl url, boolean replaced) {
        boolean stays = isRefusal(e) ? !replaced : state(e).equals(NOT_ALLOWED);
        return stays ? told(ErrorCode.STORE_FAILED, unreachable(e), e, url) : of(e, url);
    }

    /**
     * Translates an error that came while something was being written or committed. What the server answered is certain: it undid
     * what was asked. Where it did not answer, it may have done it.
     *
     * @param replaced as in {@link #atWork}
     */
    static StoreException whileWriting(SQLException e, PostgresUrl url, boolean replaced) {
        return isLost(e)
                ? told(ErrorCode.OUTCOME_UNKNOWN, "did not answer whether what was written is kept", e, url)
                : atWork(e, url, replaced);
    }

    /** Translates an error that came while connecting, when a value that is refused is one of the URL's. */
    static StoreException whileConnecting(SQLException e, PostgresUrl url) {
        return isAboutValues(e) ? told(ErrorCode.STORE_URL, "was given a bad parameter", e, url) : of(e, url);
    }

    /**
     * Translates why the pool gave no connection; if it met no error, others had them all.
     *
     * @param most the number of connections for this use
     * @param replaced as in {@link #atWork}
     */
    static StoreException whileWaiting(SQLException e, PostgresUrl url, int most, boolean replaced) {
        if (state(e).isEmpty() && !comesFromTheNetwork(e)) {
            String share =
                    most == url.connections() ? "all " + most : "all %s of the %s".formatted(most, url.connections());
            return told(
                    ErrorCode.STORE_BUSY,
                    "has %s connections that perdure.connections allows in use".formatted(share),
                    e,
                    url);
        }
        return isAboutValues(e) ? whileConnecting(e, url) : atWork(e, url, replaced);
    }

    /** Whether the connection is gone, and with it the answer to what was asked over it. */
    static boolean isLost(SQLException e) {
        String state = state(e);
        return state.startsWith("08") || ENDED.contains(state) || (state.isEmpty() && comesFromTheNetwork(e));
    }

    /**
     * Whether no connection to that server is of use any more: it is lost, or the server cannot write, as one that was the primary
     * until a moment ago.
     */
    static boolean endsSessions(SQLException e) {
        return isLost(e) || state(e).equals(READ_ONLY);
    }

    /** Whether the server does not let this user in, or does not have the database. */
    private static boolean isRefusal(SQLException e) {
        return stateClass(e).equals("28") || state(e).equals(NO_DATABASE);
    }

    /**
     * Whether an error is about what was to be written, or a fault in a rule of ours, and not about the database as a whole:
     * then what came before and after it is not concerned.
     */
    static boolean isAboutValues(SQLException e) {
        return switch (stateClass(e)) {
            case "22", "23", "54" -> true;
            default -> false;
        };
    }

    private static ErrorCode code(SQLException e) {
        String state = state(e);
        if (isLost(e) || state.equals(READ_ONLY) || state.equals(NO_DATABASE) || state.equals(NOT_ALLOWED)) {
            return ErrorCode.STORE_UNREACHABLE;
        }
        if (BUSY.contains(state)) {
            return ErrorCode.STORE_BUSY;
        }
        if (DAMAGED.contains(state)) {
            return ErrorCode.STORE_DAMAGED;
        }
        return switch (stateClass(e)) {
            case "28" -> ErrorCode.STORE_UNREACHABLE;
            case "53" -> state.equals(DISK_FULL) ? ErrorCode.STORE_FULL : ErrorCode.STORE_BUSY;
            default -> ErrorCode.STORE_FAILED;
        };
    }

    private static String what(ErrorCode code, SQLException e) {
        return switch (code) {
            case STORE_FULL -> "has no room to grow";
            case STORE_BUSY -> stateClass(e).equals("53") ? "has no resources left for now" : "was held up by others";
            case STORE_DAMAGED -> "is damaged";
            case STORE_UNREACHABLE -> unreachable(e);
            default -> failed(e);
        };
    }

    private static String failed(SQLException e) {
        String state = state(e);
        if (state.equals(NOT_SUPPORTED)) {
            return "does not support what was asked";
        }
        return SCHEMA_LACKS.contains(state)
                ? "lacks a part of the schema; `perdure doctor` shows what is missing"
                : "failed";
    }

    private static String unreachable(SQLException e) {
        String state = state(e);
        if (stateClass(e).equals("28")) {
            return "refused the user or the password; correct them in the URL, or what pg_hba.conf allows";
        }
        return switch (state) {
            case READ_ONLY -> "is a standby, or was made read-only; name the primary";
            case NO_DATABASE -> "does not exist; create it, or correct the URL";
            case NOT_ALLOWED ->
                "does not allow this role what it needs; docs/reference/postgres.md lists the privileges";
            case "57P03" -> "is starting, stopping or recovering";
            default -> "cannot be reached";
        };
    }

    private static StoreException told(ErrorCode code, String what, SQLException e, PostgresUrl url) {
        String state = state(e);
        return new StoreException(
                code,
                "The database \"%s\" on %s %s: %s%s."
                        .formatted(
                                url.database(),
                                url.server(),
                                what,
                                sentence(e),
                                state.isEmpty() ? "" : " (SQLSTATE " + state + ")"),
                e);
    }

    /** The server's sentence alone: its details may quote values, and those are none of a log's business. */
    private static String sentence(SQLException e) {
        ServerErrorMessage answer = e instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
        String message = String.valueOf(answer == null ? e.getMessage() : answer.getMessage());
        return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
    }

    private static String stateClass(SQLException e) {
        String state = state(e);
        return state.substring(0, Math.min(2, state.length()));
    }

    /** Of the error itself or of what caused it: the pool wraps what it met. */
    private static String state(SQLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && stated(sql.getSQLState())) {
                return sql.getSQLState();
            }
        }
        return "";
    }

    private static boolean stated(@Nullable String state) {
        return state != null && !state.isEmpty();
    }

    private static boolean comesFromTheNetwork(SQLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException) {
                return true;
            }
        }
        return false;
    }
}
