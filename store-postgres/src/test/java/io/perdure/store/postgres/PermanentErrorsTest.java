package io.perdure.store.postgres;

import static io.perdure.store.postgres.Refusal.refuses;

import io.perdure.core.Perdure;
import io.perdure.sdk.ErrorCode;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors that stay until their cause is repaired: an engine that takes them for an outage reports PD-208 in the end. */
@Timeout(60)
final class PermanentErrorsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final FreshDatabase database = new FreshDatabase();
    private final String role = "role_" + database.name();

    @AfterEach
    void drop() {
        database.close();
    }

    private Perdure engine(String url) {
        return Perdure.open(url, Mailroom.options(PATIENCE).drain(Duration.ofMillis(100)));
    }

    private String asRole() {
        return database.text().replaceAll("user=[^&]*", "user=" + role);
    }

    /** An engine of a role that may do all, which has written already. */
    private Perdure working() {
        database.run("CREATE ROLE " + role + " LOGIN; GRANT CREATE ON DATABASE " + database.name() + " TO " + role);
        Perdure perdure = engine(asRole());
        perdure.createQueue("work");
        return perdure;
    }

    @Test
    void send_withoutPrivilege_failsAtOnceWithTheCause() {
        try (Perdure perdure = working()) {
            database.run("REVOKE ALL ON SCHEMA perdure FROM " + role + "; ALTER SCHEMA perdure OWNER TO perdure");

            refuses(() -> perdure.createQueue("more"), ErrorCode.STORE_FAILED)
                    .hasMessageContaining("does not allow this role what it needs")
                    .hasMessageContaining("SQLSTATE 42501");
            refuses(perdure::queues, ErrorCode.STORE_FAILED).hasMessageContaining("SQLSTATE 42501");
        }
    }

    @Test
    void send_withoutSchema_failsAtOnceWithTheCause() {
        try (Perdure perdure = working()) {
            database.run("ALTER SCHEMA perdure RENAME TO elsewhere");

            refuses(() -> perdure.createQueue("more"), ErrorCode.STORE_FAILED)
                    .hasMessageContaining("lacks a part of the schema");
            refuses(perdure::queues, ErrorCode.STORE_FAILED).hasMessageContaining("lacks a part of the schema");
        }
    }

    /** A pool that took this for a lost connection would make it an outage. */
    @Test
    void read_ofWhatTheServerDoesNotSupport_failsAtOnceWithTheCause() {
        database.run("""
            CREATE FUNCTION unsupported() RETURNS int LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'not here' USING ERRCODE = '0A000'; END $$\
            """);
        try (Connections connections = Connections.to(database.url())) {
            refuses(() -> connections.write(session -> session.number("SELECT unsupported()")), ErrorCode.STORE_FAILED)
                    .hasMessageContaining("does not support what was asked")
                    .hasMessageContaining("SQLSTATE 0A000");
        }
    }

    @Test
    void read_afterTheUserMayNotLogIn_failsAtOnceWithTheCause() {
        database.run("CREATE ROLE " + role + " LOGIN");
        try (Connections connections = Connections.to(PostgresUrl.parse(asRole()))) {
            database.run("ALTER ROLE " + role + " NOLOGIN");

            refuses(() -> connections.read(session -> session.number("SELECT 1")), ErrorCode.STORE_FAILED)
                    .hasMessageContaining("refused the user or the password")
                    .hasMessageContaining("SQLSTATE 28000");
        }
    }
}
