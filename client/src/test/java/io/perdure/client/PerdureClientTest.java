package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.Deque;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connecting, working and closing. */
class PerdureClientTest {
    private static final Workflow<String, String> ECHO =
            Workflow.named("echo").run(String.class, String.class, (_, text) -> text);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "jdbc:sqlite:app.db",
                "ftp://host",
                "http://",
                "http://a b",
                "http://host/?x=1",
                "http://host/#x",
                "http://user:secret@host"
            })
    void aUrlThatIsNoneIsRefusedAtOnce(String url) {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> PerdureClient.connect(url))
                .returns(ErrorCode.INVALID_FIELD, PerdureException::code)
                .withMessageNotContaining("secret");
    }

    @Test
    void aServerNeedNotBeThereToConnect() {
        try (PerdureClient client = PerdureClient.connect("http://127.0.0.1:9/perdure/")) {
            assertThat(client.working()).isZero();
        }
    }

    @Test
    void aServerCanBeUnderAPath() {
        try (ScriptedServer server = new ScriptedServer().then("{\"count\":1}");
                PerdureClient client = PerdureClient.connect(server.url() + "/perdure/")) {
            client.count(RunFilter.all());
            ScriptedServer.Asked asked = server.only();
            assertThat(asked.line()).isEqualTo("GET /perdure/v1/runs/count");
            assertThat(asked.key()).isNull();
        }
    }

    @Test
    void optionsAreHeldToTheirBounds() {
        ConnectOptions options = ConnectOptions.defaults();
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> options.patience(Duration.ofMinutes(3)))
                .returns(ErrorCode.OUT_OF_BOUNDS, PerdureException::code);
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> options.concurrency(0))
                .returns(ErrorCode.OUT_OF_BOUNDS, PerdureException::code);
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> options.drain(Duration.ofSeconds(-1)))
                .returns(ErrorCode.OUT_OF_BOUNDS, PerdureException::code);
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> options.key("pd_secret\r\nX: y"))
                .returns(ErrorCode.INVALID_KEY, PerdureException::code)
                .withMessageNotContaining("secret");
        assertThat(options.key("pd_secret").toString()).doesNotContain("secret");
        assertThat(options.patience()).isEqualTo(Duration.ofSeconds(30));
    }

    /** Work that is only counted. */
    private static final class Work implements RemoteWork {
        private final AtomicInteger closed = new AtomicInteger();

        @Override
        public int working() {
            return 3;
        }

        @Override
        public void leave() {}

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    @Test
    void workBeginsOnceAndEndsWithTheClient() {
        Work work = new Work();
        AtomicInteger begun = new AtomicInteger();
        PerdureClient client = PerdureClient.over(
                "http://127.0.0.1:9", ConnectOptions.defaults(), new SystemEnvironment(), (_, registry, _) -> {
                    assertThat(registry.served()).hasSize(1);
                    begun.incrementAndGet();
                    return work;
                });
        assertThatExceptionOfType(WorkflowCodeException.class)
                .isThrownBy(client::start)
                .returns(ErrorCode.REGISTRATION, PerdureException::code);
        client.register(ECHO);
        assertThatExceptionOfType(WorkflowCodeException.class).isThrownBy(() -> client.register(ECHO));

        client.start().start();

        assertThat(begun).hasValue(1);
        assertThat(client.working()).isEqualTo(3);
        assertThatExceptionOfType(WorkflowCodeException.class)
                .isThrownBy(() -> client.register(Workflow.named("late").run(String.class, String.class, (_, t) -> t)))
                .returns(ErrorCode.REGISTRATION, PerdureException::code);
        client.close();
        client.close();
        assertThat(work.closed).hasValue(1);
        assertThat(client.working()).isZero();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(client::start)
                .returns(ErrorCode.STORE_CLOSED, PerdureException::code);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(client::queues)
                .returns(ErrorCode.STORE_CLOSED, PerdureException::code);
    }

    @Test
    void waitsEndBeforeTheWorkDoesAndAllElseGoesOnUntilThen() {
        try (ScriptedServer server = new ScriptedServer()) {
            CountDownLatch never = new CountDownLatch(1);
            server.then(RunVerbsTest.run(RunVerbsTest.RUN, "running", ""))
                    .then(ScriptedServer.held(never, ScriptedServer.answer(202, "{\"status\":\"running\"}")))
                    .then("{\"count\":5}");
            Later<ErrorCode> heard = new Later<>();
            AtomicLong counted = new AtomicLong();
            Deque<PerdureClient> clients = new ConcurrentLinkedDeque<>();
            PerdureClient client = PerdureClient.over(
                    server.url(), ConnectOptions.defaults(), new SystemEnvironment(), (_, _, _) -> new RemoteWork() {
                        @Override
                        public int working() {
                            return 1;
                        }

                        @Override
                        public void leave() {}

                        @Override
                        public void close() {
                            assertThat(heard.await()).isEqualTo(ErrorCode.STORE_CLOSED);
                            counted.set(clients.getFirst().count(RunFilter.all()));
                        }
                    });
            clients.add(client);
            Run<Json> run = client.register(ECHO).start().run(RunVerbsTest.RUN);
            new SystemEnvironment()
                    .start(
                            "waiter",
                            () -> heard.complete(() -> {
                                try {
                                    return ErrorCode.valueOf(
                                            run.result(Duration.ofMinutes(5)).text());
                                } catch (StoreException e) {
                                    return e.code();
                                }
                            }));
            Eventually.holds(() -> server.asked().size() == 2);

            client.close();

            assertThat(counted).hasValue(5);
            never.countDown();
        }
    }

    @Test
    void noEngineAndNoStoreCameAlong() {
        for (String name : new String[] {"io.perdure.core.Perdure", "io.perdure.core.store.Store"}) {
            assertThatThrownBy(() -> Class.forName(name)).isInstanceOf(ClassNotFoundException.class);
        }
        assertThat(ServiceLoader.load(java.sql.Driver.class)).isEmpty();
    }
}
