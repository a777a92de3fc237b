package io.perdure.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.core.store.Hint;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.rows.Watches;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.SentMessage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How work shares a transaction, and what happens to the rest when one piece fails. */
final class WriterTest {
    @TempDir
    Path folder;

    private static SentMessage only(Outcome outcome) {
        return ((Outcome.Sent) outcome).messages().getFirst();
    }

    @Test
    void aMessageSentAgainAmongManyIsNotThereTwiceAndItsNeighboursAreSent() {
        try (Mailroom room = Mailroom.at(folder.resolve("app.db"))) {
            MessageId early = Mailroom.IDS.messageId();
            room.commit(Mailroom.send(early, "first"));
            List<Send> sends = new ArrayList<>(Mailroom.sends(80, "hello"));
            sends.add(40, Mailroom.send(early, "again"));
            List<Outcome> outcomes = room.commit(sends);
            assertThat(only(outcomes.get(40))).isEqualTo(new SentMessage(early, false));
            assertThat(outcomes.stream().filter(outcome -> only(outcome).created()))
                    .hasSize(80);
            assertThat(room.drain()).isEqualTo(81);
        }
    }

    @Test
    void sendingAndSettlingOneMessageInOneBatchKeepsTheirOrder() {
        try (Mailroom room = Mailroom.at(folder.resolve("app.db"))) {
            room.commit(Mailroom.sends(1, "hello"));
            Delivery delivery = room.receive(1).getFirst();
            MessageId id = delivery.message().id();
            List<Outcome> outcomes = room.commit(List.of(
                    Mailroom.send(id, "while it is there"),
                    Mailroom.done(delivery.receipt()),
                    Mailroom.send(id, "when it is gone"),
                    Mailroom.done(delivery.receipt())));
            assertThat(only(outcomes.get(0)).created()).isFalse();
            assertThat(outcomes.get(1)).isEqualTo(new Outcome.Settled(Fate.DONE));
            assertThat(only(outcomes.get(2)).created()).isTrue();
            assertThat(outcomes.get(3)).isEqualTo(new Outcome.LeaseLost(null));
            assertThat(room.drain()).isEqualTo(1);
        }
    }

    @Test
    void aPieceThatFailsAfterItChangedSomethingFailsAloneAndChangesNothing() throws Exception {
        DatabaseFile file = DatabaseFile.at(folder.resolve("app.db"));
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch together = new CountDownLatch(1);
        try (Writer writer = writer(file);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Integer> first = callers.submit(() -> writer.write(_ -> awaitIn(together, busy)));
            busy.await();
            Future<Integer> good = callers.submit(() -> writer.write(transaction -> put(transaction, "good")));
            Future<Integer> bad = callers.submit(() -> writer.write(transaction -> {
                put(transaction, "bad");
                throw new IllegalStateException("on purpose");
            }));
            Future<Integer> also = callers.submit(() -> writer.write(transaction -> put(transaction, "also good")));
            together.countDown();
            assertThat(first.get()).isZero();
            assertThat(good.get()).isEqualTo(1);
            assertThat(also.get()).isEqualTo(1);
            assertThatThrownBy(bad::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IllegalStateException.class);
            assertThat(writer.<Long>write(transaction -> transaction.session.number("SELECT count(*) FROM run_count")))
                    .isEqualTo(2);
        }
    }

    private static int awaitIn(CountDownLatch gate, CountDownLatch inside) {
        inside.countDown();
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return 0;
    }

    private static int put(Transaction transaction, String workflow) {
        return transaction.session.update(
                "INSERT INTO run_count (tenant, workflow, status, runs) VALUES ('acme', ?, 'running', 1)", workflow);
    }

    private static Writer writer(DatabaseFile file) {
        return writer(file, new Watches());
    }

    private static Writer writer(DatabaseFile file, Watches hints) {
        return new Writer(file, file.openWriter(), new SystemEnvironment().clock(), Limits.defaults(), hints);
    }

    @Test
    void aCommitThatProvesImpossibleIsRefusedAndItsNeighboursAreApplied() {
        DatabaseFile file = DatabaseFile.at(folder.resolve("app.db"));
        Session session = file.openWriter();
        // No store of ours would: a constraint that a body can break.
        session.execute("CREATE UNIQUE INDEX one_of_each ON message (body)");
        try (Mailroom room = Mailroom.at(file, session)) {
            List<Outcome> outcomes = room.commit(List.of(
                    Mailroom.send(Mailroom.IDS.messageId(), "first"),
                    Mailroom.send(Mailroom.IDS.messageId(), "first"),
                    Mailroom.send(Mailroom.IDS.messageId(), "second")));
            assertThat(only(outcomes.get(0)).created()).isTrue();
            assertThat(((Outcome.Refused) outcomes.get(1)).why()).isEqualTo(Refusal.BAD_VALUE);
            assertThat(only(outcomes.get(2)).created()).isTrue();
            assertThat(room.store
                            .figures(Mailroom.TENANT, Mailroom.QUEUE)
                            .orElseThrow()
                            .in())
                    .isEqualTo(2);
            assertThat(room.drain()).isEqualTo(2);
        }
    }

    @Test
    void aWriterThatDiedIsSaidToHaveDiedAndTheStoreIsNotThereAnyMore() {
        try (Mailroom room = Mailroom.at(folder.resolve("app.db"))) {
            assertThat(room.store.now()).isNotNull();
            room.store.watch(_ -> {
                throw new LinkageError("planted");
            });
            room.commit(Mailroom.sends(1, "the last one"));

            assertDied(() -> room.commit(Mailroom.sends(1, "hello")));
            assertDied(room.store::now);
        }
    }

    @Test
    void write_waitingWhenTheWriterDies_throwsWhatALaterWriteThrows() throws Exception {
        DatabaseFile file = DatabaseFile.at(folder.resolve("app.db"));
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch die = new CountDownLatch(1);
        Watches hints = new Watches();
        hints.add(_ -> {
            awaitIn(die, taken);
            throw new LinkageError("planted");
        });
        try (Writer writer = writer(file, hints);
                ExecutorService callers = Executors.newSingleThreadExecutor()) {
            writer.write(transaction -> {
                transaction.hint(new Hint.Anything());
                return put(transaction, "the last one");
            });
            taken.await();
            AtomicReference<Thread> caller = new AtomicReference<>();
            Future<Integer> waiting = callers.submit(() -> {
                caller.set(Thread.currentThread());
                return writer.write(transaction -> put(transaction, "hello"));
            });
            while (caller.get() == null || caller.get().getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            die.countDown();

            assertThatThrownBy(waiting::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .satisfies(error -> assertDied(() -> {
                        throw error;
                    }));
            assertDied(() -> writer.write(transaction -> put(transaction, "too late")));
        }
    }

    private static void assertDied(ThrowingCallable call) {
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(call)
                .withMessageContaining("app.db died of java.lang.LinkageError")
                .withCauseInstanceOf(LinkageError.class)
                .returns(ErrorCode.STORE_FAILED, StoreException::code);
    }

    @Test
    void aFullDiskIsSaidAndNothingIsLost() {
        DatabaseFile file = DatabaseFile.at(folder.resolve("app.db"));
        Session session = file.openWriter();
        session.execute("PRAGMA max_page_count = 400");
        try (Mailroom room = Mailroom.at(file, session)) {
            String large = "x".repeat(10_000);
            int sent = 0;
            StoreException full = null;
            while (full == null) {
                try {
                    room.commit(Mailroom.sends(10, large));
                    sent += 10;
                } catch (StoreException e) {
                    full = e;
                }
            }
            assertThat(full.code()).isEqualTo(ErrorCode.STORE_FULL);
            assertThat(sent).isPositive();
            assertThat(room.drain()).isEqualTo(sent);
            assertThat(only(room.commit(Mailroom.send(Mailroom.IDS.messageId(), large)))
                            .created())
                    .isTrue();
        }
    }
}
