package io.perdure.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.SentMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** A ledger before a {@link FaultyStore}, on real threads, and a queue to send to. */
final class LedgerFixture implements AutoCloseable {
    static final TenantId TENANT = TenantId.DEFAULT;
    static final QueueName ORDERS = new QueueName("orders");
    static final Duration PATIENCE = Duration.ofMillis(60);
    /** One lane, so that a test knows what lies in a batch; room for everything. */
    static final Limits.Ledger ONE_LANE = new Limits.Ledger(1, 2_000, 1 << 20, 20_000, 1 << 26, Duration.ofMinutes(5));

    final Environment environment;
    final FaultyStore store;
    final Ledger ledger;
    private final List<CountDownLatch> held = new ArrayList<>();

    LedgerFixture(Limits.Ledger limits) {
        this(Limits.defaults().with(limits));
    }

    LedgerFixture(Limits limits) {
        this(new SystemEnvironment(), limits);
    }

    LedgerFixture(Environment environment, Limits limits) {
        this.environment = environment;
        store = new FaultyStore(environment);
        ledger = Ledger.open(store, environment, limits);
        ledger.commit(new Create(TENANT, ORDERS, QueueSettings.defaults()));
        store.attempts.clear();
    }

    /** One lane whose patience is over soon. */
    static LedgerFixture impatient() {
        return new LedgerFixture(patient(PATIENCE));
    }

    static Limits.Ledger patient(Duration patience) {
        return new Limits.Ledger(1, 2_000, 1 << 20, 20_000, 1 << 26, patience);
    }

    Send send() {
        return send(null, "x");
    }

    Send send(@Nullable String group, String text) {
        GroupKey key = group == null ? null : new GroupKey(group);
        return new Send(
                TENANT,
                List.of(new NewMessage(
                        environment.ids().messageId(), ORDERS, Json.string(text), Map.of(), Duration.ZERO, key, null)));
    }

    List<Send> sends(int count) {
        List<Send> sends = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sends.add(send());
        }
        return sends;
    }

    /** What a send is answered: its own message, created. */
    static Outcome sent(Send send) {
        return new Outcome.Sent(
                List.of(new SentMessage(send.messages().getFirst().id(), true)));
    }

    /** Holds the lane in the store with one commit, until {@link #release}; what comes meanwhile gathers. */
    Pending hold() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        held.add(go);
        store.faults.add((batch, real) -> {
            entered.countDown();
            await(go);
            return real.commit(batch);
        });
        Pending first = ledger.hand(send());
        await(entered);
        return first;
    }

    void release() {
        held.forEach(CountDownLatch::countDown);
    }

    /** Lets the next attempts end with these errors, before the store has seen them. */
    void failNext(RuntimeException... errors) {
        for (RuntimeException error : errors) {
            store.faults.add((_, _) -> {
                throw error;
            });
        }
    }

    /** Lets the next attempt be applied and its answer be lost. */
    void loseNextAnswer() {
        store.faults.add((batch, real) -> {
            real.commit(batch);
            throw error(ErrorCode.OUTCOME_UNKNOWN);
        });
    }

    /** Lets every attempt from now on end with the error. */
    void failFromNowOn(RuntimeException error) {
        store.faults.add((_, _) -> {
            failFromNowOn(error);
            throw error;
        });
    }

    void recover() {
        store.faults.clear();
    }

    long messages() {
        return store.messages(new MessageQuery(TENANT, ORDERS, false, null, 10_000))
                .size();
    }

    static StoreException error(ErrorCode code) {
        return new StoreException(code, "It was planted.");
    }

    static PerdureException assertFails(ErrorCode code, ThrowingCallable call) {
        PerdureException thrown = catchThrowableOfType(PerdureException.class, call);
        assertThat(thrown).isNotNull();
        assertThat(thrown.code()).isEqualTo(code);
        return thrown;
    }

    /** Starts a thread that must not throw; {@link Running#join} tells if it did. */
    static Running start(Runnable task) {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = Thread.ofVirtual().unstarted(task);
        thread.setUncaughtExceptionHandler((_, e) -> thrown.set(e));
        thread.start();
        return new Running(thread, thrown);
    }

    record Running(Thread thread, AtomicReference<Throwable> thrown) {
        void join() {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            assertThat(thrown.get()).isNull();
        }
    }

    /** Looks until it holds: for states that no latch can tell of. The test's time limit ends it if it never does. */
    static void until(BooleanSupplier holds) {
        while (!holds.getAsBoolean()) {
            LockSupport.parkNanos(20_000);
        }
    }

    static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        release();
        ledger.close();
        store.close();
    }
}
