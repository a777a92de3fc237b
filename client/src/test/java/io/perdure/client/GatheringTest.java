package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.workflow.WorkflowIdMismatchException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Callers that share requests hear of nothing but their own. */
class GatheringTest {
    private static final int WIDE = 1_000;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SkippingTime time = new SkippingTime();
    private final Calls calls = calls(PATIENCE);
    private final ConcurrentLinkedQueue<List<String>> asked = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Duration> patiences = new ConcurrentLinkedQueue<>();
    private final Semaphore let = new Semaphore(0);

    @AfterEach
    void close() {
        calls.close();
    }

    private Calls calls(Duration patience) {
        return new Calls(new Transport(URI.create("http://127.0.0.1:1"), null, null, time), patience);
    }

    private Gathering<String, String, String> gathering(
            int count, int bytes, Function<List<String>, List<String>> ask) {
        return gathering(1, count, bytes, ask);
    }

    private Gathering<String, String, String> gathering(
            int lanes, int count, int bytes, Function<List<String>, List<String>> ask) {
        return gathering(calls, Room.asOfLedger(), new Gathering.Requests(lanes, count, bytes), ask);
    }

    private Gathering<String, String, String> gathering(Room room, Function<List<String>, List<String>> ask) {
        return gathering(calls, room, new Gathering.Requests(1, 1, WIDE), ask);
    }

    private Gathering<String, String, String> gathering(
            Calls by, Room room, Gathering.Requests requests, Function<List<String>, List<String>> ask) {
        return new Gathering<>(by, room, _ -> requests, (_, some, patience) -> {
            patiences.add(patience);
            asked.add(some);
            let.acquireUninterruptibly();
            return ask.apply(some);
        });
    }

    private static List<String> shouted(List<String> some) {
        return some.stream().map(one -> one + "!").toList();
    }

    private static Later<String> hand(Gathering<String, String, String> gathering, String what) {
        return gathering.hand("there", what, 1, what.length());
    }

    /** Hands over a first one, which is under way, and then the others. */
    private List<Later<String>> handAll(Gathering<String, String, String> gathering, String... others) {
        List<Later<String>> answers = new ArrayList<>(List.of(hand(gathering, "first")));
        Eventually.holds(() -> asked.size() == 1);
        List.of(others).forEach(one -> answers.add(hand(gathering, one)));
        return answers;
    }

    private static ErrorCode code(Later<String> answer) {
        try {
            throw new AssertionError(answer.await());
        } catch (PerdureException e) {
            return e.code();
        }
    }

    @Test
    void whatComesMeanwhileGoesTogetherAndInOrder() {
        List<Later<String>> answers = handAll(gathering(WIDE, WIDE, GatheringTest::shouted), "a", "b", "c");
        let.release(2);

        assertThat(answers).extracting(Later::await).containsExactly("first!", "a!", "b!", "c!");
        assertThat(asked).containsExactly(List.of("first"), List.of("a", "b", "c"));
    }

    @Test
    void noRequestCarriesMoreThanItMay() {
        List<Later<String>> answers = handAll(
                gathering(3, 10, GatheringTest::shouted), "a", "b", "c", "d", "longest of all", "eeeee", "fffff", "g");
        let.release(WIDE);

        assertThat(answers).allSatisfy(answer -> assertThat(answer.await()).endsWith("!"));
        assertThat(asked)
                .containsExactly(
                        List.of("first"),
                        List.of("a", "b", "c"),
                        List.of("d"),
                        List.of("longest of all"),
                        List.of("eeeee", "fffff"),
                        List.of("g"));
    }

    @Test
    void whereASharedOneIsRefusedEachIsAskedAlone() {
        List<Later<String>> answers = handAll(
                gathering(WIDE, WIDE, some -> {
                    if (some.contains("bad")) {
                        throw new RefusedException(ErrorCode.KEY_REUSED, "It is bad.");
                    }
                    return shouted(some);
                }),
                "a",
                "bad",
                "c");
        let.release(WIDE);

        assertThat(answers.get(1).await()).isEqualTo("a!");
        assertThat(code(answers.get(2))).isEqualTo(ErrorCode.KEY_REUSED);
        assertThat(answers.get(3).await()).isEqualTo("c!");
    }

    @ParameterizedTest
    @EnumSource(names = {"TOO_MANY_REQUESTS", "NO_SUCH_QUEUE", "NO_SUCH_ROUTE", "PROTOCOL_MISMATCH"})
    void whatWouldBeRefusedToEverybodyIsAskedOnce(ErrorCode why) {
        List<Later<String>> answers = handAll(
                gathering(WIDE, WIDE, _ -> {
                    throw new RefusedException(why, "Too bad.");
                }),
                "a",
                "b",
                "c");
        let.release(WIDE);

        assertThat(answers).allSatisfy(answer -> assertThat(code(answer)).isEqualTo(why));
        assertThat(asked).hasSize(2);
    }

    @Test
    void aLoneRefusalIsTheOneThatCame() {
        RefusedException refusal = new WorkflowIdMismatchException(RunVerbsTest.RUN, "It has another one.");
        let.release(1);

        Later<String> answer = hand(
                gathering(WIDE, WIDE, _ -> {
                    throw refusal;
                }),
                "alone");

        assertThatExceptionOfType(WorkflowIdMismatchException.class)
                .isThrownBy(answer::await)
                .isSameAs(refusal);
    }

    @Test
    void anErrorIsToldAndTheNextOnesAreAsked() {
        AtomicBoolean broken = new AtomicBoolean(true);
        let.release(WIDE);
        Gathering<String, String, String> gathering = gathering(WIDE, WIDE, some -> {
            if (broken.getAndSet(false)) {
                throw new StackOverflowError("planted");
            }
            return shouted(some);
        });

        assertThat(code(hand(gathering, "first"))).isEqualTo(ErrorCode.FAULT);
        assertThat(hand(gathering, "second").await()).isEqualTo("second!");
    }

    @Test
    void asManyAreUnderWayAsThereAreLanes() {
        Gathering<String, String, String> gathering = gathering(3, WIDE, WIDE, GatheringTest::shouted);
        List<Later<String>> answers = IntStream.range(0, 6)
                .mapToObj(i -> {
                    Later<String> answer = hand(gathering, "x" + i);
                    Eventually.holds(() -> asked.size() >= Math.min(i + 1, 3));
                    return answer;
                })
                .toList();
        assertThat(asked).hasSize(3);
        let.release(WIDE);

        assertThat(answers).allSatisfy(answer -> assertThat(answer.await()).endsWith("!"));
    }

    @Test
    void whereNobodyKnowsAllHearSoEachWithAnErrorOfItsOwn() {
        List<Later<String>> answers = handAll(
                gathering(WIDE, WIDE, _ -> {
                    throw new StoreException(ErrorCode.OUTCOME_UNKNOWN, "It broke off.");
                }),
                "a",
                "b");
        let.release(WIDE);

        assertThat(answers).allSatisfy(answer -> assertThat(code(answer)).isEqualTo(ErrorCode.OUTCOME_UNKNOWN));
        assertThat(asked).hasSize(2);
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(answers.get(1)::await)
                .isNotSameAs(assertThatExceptionOfType(StoreException.class)
                        .isThrownBy(answers.get(2)::await)
                        .actual());
    }

    @Test
    void nothingThatIsHandedOverIsForgotten() throws Exception {
        let.release(1_000_000);
        Gathering<String, String, String> gathering = gathering(7, WIDE, GatheringTest::shouted);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> answers = IntStream.range(0, 20_000)
                    .mapToObj(i -> threads.submit(() -> hand(gathering, "x" + i).await()))
                    .toList();
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get()).isEqualTo("x" + i + "!");
            }
        }
        assertThat(asked).allSatisfy(some -> assertThat(some).hasSizeLessThanOrEqualTo(7));
    }

    private Thread handing(Gathering<String, String, String> gathering, String what, Later<String> heard) {
        return Thread.startVirtualThread(
                () -> heard.complete(() -> hand(gathering, what).await()));
    }

    @Test
    void whoBringsMoreThanThereIsRoomForWaits() {
        Room room = new Room(3, 8);
        Gathering<String, String, String> gathering = gathering(room, GatheringTest::shouted);
        List<Later<String>> answers = handAll(gathering, "a", "b");
        Later<String> fourth = new Later<>();
        handing(gathering, "d", fourth);
        Eventually.holds(() -> room.queued() == 1);

        let.release(1);
        Eventually.holds(() -> room.queued() == 0);
        let.release(3);
        assertThat(answers).extracting(Later::await).containsExactly("first!", "a!", "b!");
        assertThat(fourth.await()).isEqualTo("d!");

        Later<String> large = new Later<>();
        Later<String> small = hand(gathering, "small");
        handing(gathering, "larger than the room", large);
        Eventually.holds(() -> room.queued() == 1);
        let.release(2);
        assertThat(small.await()).isEqualTo("small!");
        assertThat(large.await()).isEqualTo("larger than the room!");
    }

    @Test
    void whoIsInterruptedWhileItWaitsForRoomWasNotAskedFor() throws InterruptedException {
        Room room = new Room(1, WIDE);
        Gathering<String, String, String> gathering = gathering(room, GatheringTest::shouted);
        List<Later<String>> answers = handAll(gathering);
        Later<String> refused = new Later<>();
        AtomicBoolean flag = new AtomicBoolean();
        Thread waiter = Thread.startVirtualThread(() -> {
            refused.complete(() -> hand(gathering, "no").await());
            flag.set(Thread.currentThread().isInterrupted());
        });
        Eventually.holds(() -> room.queued() == 1);

        waiter.interrupt();
        assertThat(code(refused)).isEqualTo(ErrorCode.SERVER_UNREACHABLE);
        waiter.join();
        assertThat(flag).isTrue();
        let.release(2);
        assertThat(answers.getFirst().await()).isEqualTo("first!");
        assertThat(hand(gathering, "next").await()).isEqualTo("next!");
        assertThat(asked).containsExactly(List.of("first"), List.of("next"));
    }

    @Test
    void whileTheServerIsAwayAllHearItWithTheFirstHoweverManyWait() {
        List<Later<String>> answers = handAll(
                gathering(Room.asOfLedger(), _ -> {
                    time.skip(PATIENCE);
                    throw new StoreException(ErrorCode.OUTCOME_UNKNOWN, "It does not answer.");
                }),
                "a",
                "b",
                "c",
                "d");
        let.release(WIDE);

        assertThat(code(answers.getFirst())).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
        assertThat(answers.stream().skip(1))
                .allSatisfy(answer -> assertThat(code(answer)).isEqualTo(ErrorCode.SERVER_UNREACHABLE));
        assertThat(asked).containsExactly(List.of("first"));
    }

    @Test
    void patienceIsWhatIsLeftOfItSinceItWasHandedOver() {
        List<Later<String>> answers = handAll(
                gathering(Room.asOfLedger(), some -> {
                    time.skip(PATIENCE.dividedBy(2));
                    return shouted(some);
                }),
                "a",
                "b",
                "c");
        let.release(WIDE);

        // Late as they are: a server that is there is asked.
        assertThat(answers).extracting(Later::await).containsExactly("first!", "a!", "b!", "c!");
        List<Duration> left = List.copyOf(patiences);
        assertThat(left.get(1)).isLessThanOrEqualTo(PATIENCE.dividedBy(2)).isPositive();
        assertThat(left.get(2)).isZero();
        assertThat(left.get(3)).isZero();
    }

    @Test
    void withoutPatienceAServerThatWasAwayIsAskedAgainByTheNext() {
        AtomicBoolean away = new AtomicBoolean(true);
        let.release(WIDE);
        try (Calls hasty = calls(Duration.ZERO)) {
            Gathering<String, String, String> gathering =
                    gathering(hasty, Room.asOfLedger(), new Gathering.Requests(1, 1, WIDE), some -> {
                        if (away.getAndSet(false)) {
                            throw new StoreException(ErrorCode.SERVER_UNREACHABLE, "It is away.");
                        }
                        return shouted(some);
                    });

            assertThat(code(hand(gathering, "first"))).isEqualTo(ErrorCode.SERVER_UNREACHABLE);
            assertThat(hand(gathering, "second").await()).isEqualTo("second!");
        }
    }

    @Test
    void placesWhereNothingIsUnderWayAreForgotten() {
        Gathering<String, String, String> gathering = gathering(1, WIDE, GatheringTest::shouted);
        List<Later<String>> answers = IntStream.range(0, 50)
                .mapToObj(i -> gathering.hand("place " + i, "x", 1, 1))
                .toList();
        assertThat(gathering.places()).isEqualTo(50);
        let.release(WIDE);

        answers.forEach(Later::await);
        Eventually.holds(() -> gathering.places() == 0);
    }
}
