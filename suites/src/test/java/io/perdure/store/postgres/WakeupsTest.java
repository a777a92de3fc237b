package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Hint;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Two processes, as far as the server can tell. */
class WakeupsTest {
    private static final Hint ANYTHING = new Hint.Anything();
    private static final Hint MARK = ready("mark");
    private static final String LISTENERS =
            "FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'";

    private FreshDatabase database = new FreshDatabase();
    private Connections connections = Connections.to(database.url());
    private Wakeups here = new Wakeups(connections, new SystemEnvironment());
    private Wakeups there = new Wakeups(connections, new SystemEnvironment());
    private Heard heard = new Heard();

    @AfterEach
    void close() {
        here.close();
        there.close();
        connections.close();
        database.close();
    }

    private static Hint ready(String queue) {
        return new Hint.Ready(TenantId.DEFAULT, new QueueName(queue));
    }

    private void listen() throws InterruptedException {
        here.watch(heard);
        heard.await(ANYTHING);
    }

    @Test
    void whoWatchesHearsOfOtherProcesses() throws Exception {
        listen();
        Hint ended = new Hint.Ended(TenantId.DEFAULT, new RunId(UUID.randomUUID()));

        there.tell(Set.of(ended));
        heard.await(ended);
        there.tell(Set.of(ready("mail.dlq")));
        heard.await(ready("mail.dlq"));
    }

    @Test
    void nobodyListensBeforeSomebodyWatches() throws Exception {
        here.tell(Set.of(ready("mail")));
        assertThat(database.read("SELECT count(*)::text " + LISTENERS)).isEqualTo("0");

        listen();
        here.watch(new Heard());

        assertThat(database.read("SELECT count(*)::text " + LISTENERS)).isEqualTo("1");
    }

    @Test
    void aThousandHintsAreAFewNotifications() throws Exception {
        try (Ear ear = new Ear(database.url())) {
            Set<Hint> told = new HashSet<>();
            long began = System.nanoTime();
            for (int time = 0; time < 1_000; time++) {
                Hint hint = ready("queue_" + time % 7);
                told.add(hint);
                there.tell(Set.of(hint));
            }
            there.tell(Set.of(MARK));

            List<Notice> notices = ear.until(MARK);

            told.add(MARK);
            // One in 5 ms, so a machine that takes long to tell a thousand has more of them.
            long paces = Duration.ofNanos(System.nanoTime() - began).dividedBy(Notifier.PACE);
            assertThat((long) notices.size()).isLessThan(Math.max(100, paces + 2));
            Set<Hint> all = new HashSet<>();
            notices.forEach(notice -> all.addAll(notice.hints()));
            assertThat(all).isEqualTo(told);
        }
    }

    @Test
    void whatAProcessToldItDoesNotHearAgain() throws Exception {
        try (Ear ear = new Ear(database.url())) {
            listen();
            here.tell(Set.of(ready("mail")));
            ear.until(ready("mail"));

            there.tell(Set.of(MARK));

            assertThat(heard.await(MARK)).containsExactly(ready("mail"));
        }
    }

    @Test
    void tooMuchToTellIsAnything() throws Exception {
        listen();
        Set<Hint> many = new HashSet<>();
        for (int run = 0; run < 400; run++) {
            many.add(new Hint.Ended(TenantId.DEFAULT, new RunId(UUID.randomUUID())));
        }

        there.tell(many);

        assertThat(heard.await(ANYTHING)).isEmpty();
    }

    @Test
    void whatSomebodyElseWritesIsAnything() throws Exception {
        listen();

        database.run("SELECT pg_notify('perdure_perdure', 'what is this?')");
        heard.await(ANYTHING);
        database.run("NOTIFY perdure_perdure");
        heard.await(ANYTHING);

        there.tell(Set.of(MARK));
        heard.await(MARK);
    }

    @Test
    void afterTheConnectionIsLostAnythingMayHaveHappened() throws Exception {
        listen();

        for (int time = 0; time < 3; time++) {
            database.run("SELECT pg_terminate_backend(pid) " + LISTENERS);
            heard.await(ANYTHING);
            there.tell(Set.of(MARK));
            heard.await(MARK);
        }
    }

    @Test
    void afterItsConnectionIsLostANotifierGoesOn() throws Exception {
        listen();
        there.tell(Set.of(ready("mail")));
        heard.await(ready("mail"));

        database.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_notify(%' AND pid <> pg_backend_pid()");
        there.tell(Set.of(MARK));

        heard.await(MARK);
    }

    @Test
    void whoEndsSaysWhatIsLeftToSay() throws Exception {
        listen();

        there.tell(Set.of(MARK));
        there.close();

        heard.await(MARK);
    }

    /** The driver's limit is for answers; who listens waits for none. Where the machine stands still, an answer may take that long as well. */
    @Test
    void whoListensLongerThanTheSocketTimeoutIsNotDisturbed() throws Exception {
        try (Connections impatient = Connections.to(database.url("socketTimeout=1"));
                Wakeups listener = new Wakeups(impatient, new SystemEnvironment())) {
            listener.watch(heard);
            heard.await(ANYTHING);
            int times = 1;
            while (!listensOn(Duration.ofSeconds(2))) {
                assertThat(times).as("times that the session was lost").isLessThan(5);
                times++;
            }

            there.tell(Set.of(MARK));

            heard.await(MARK);
        }
    }

    /** Whether one session listens, and is the same after the given time. */
    private boolean listensOn(Duration time) throws InterruptedException {
        String session = "SELECT coalesce(string_agg(pid::text, ' '), 'none') " + LISTENERS;
        String before = database.read(session);
        assertThat(new CountDownLatch(1).await(time.toSeconds(), TimeUnit.SECONDS))
                .isFalse();
        return !before.equals("none") && before.equals(database.read(session));
    }

    @Test
    void schemasAreToldApart() throws Exception {
        listen();
        try (Connections others = Connections.to(database.url("perdure.schema=other"));
                Wakeups other = new Wakeups(others, new SystemEnvironment());
                Ear ear = new Ear(database.url("perdure.schema=other"))) {
            other.tell(Set.of(ready("mail")));
            ear.until(ready("mail"));
        }

        there.tell(Set.of(MARK));

        assertThat(heard.await(MARK)).isEmpty();
    }

    /** Listens without any of what is tested. */
    private static final class Ear implements AutoCloseable {
        private final Connection connection;

        Ear(PostgresUrl url) throws SQLException {
            connection = TestPostgres.connect(url);
            try (Statement statement = connection.createStatement()) {
                statement.execute("LISTEN \"" + Wakeups.channel(url.schema()) + "\"");
            }
        }

        List<Notice> until(Hint last) throws SQLException {
            List<Notice> notices = new ArrayList<>();
            while (notices.stream().noneMatch(notice -> notice.hints().contains(last))) {
                PGNotification[] got = connection.unwrap(PGConnection.class).getNotifications(60_000);
                assertThat(got).as("%s, after %s", last, notices).isNotEmpty();
                for (PGNotification one : got) {
                    notices.add(Notice.of(one.getParameter()));
                }
            }
            return notices;
        }

        @Override
        public void close() throws SQLException {
            connection.close();
        }
    }
}
