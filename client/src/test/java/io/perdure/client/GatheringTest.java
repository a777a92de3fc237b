package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.SystemEnvironment;
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

/** Callers that share requests hear of nothing but their own. */
class GatheringTest {
    private static final int WIDE = 1_000;

    private final Calls calls = new Calls(
            new Transport(URI.create("http://127.0.0.1:1"), null, new SystemEnvironment()), Duration.ofSeconds(1));
    private final ConcurrentLinkedQueue<List<String>> asked = new ConcurrentLinkedQueue<>();
    private final Semaphore let = new Semaphore(0);

    @AfterEach
    void close() {
        calls.close();
    }

    private Gathering<String, String> gathering(int count, int bytes, Function<List<String>, List<String>> ask) {
        return gathering(1, count, bytes, ask);
    }

    private Gathering<String, String> gathering(
            int lanes, int count, int bytes, Function<List<String>, List<String>> ask) {
        return new Gathering<>(calls, "test", new Gathering.Bound(lanes, count, bytes), some -> {
            asked.add(some);
            let.acquireUninterruptibly();
            return ask.apply(some);
        });
    }

    private static List<String> shouted(List<String> some) {
        return some.stream().map(one -> one + "!").toList();
    }

    private static Later<String> hand(Gathering<String, String> gathering, String what) {
        return gathering.hand(what, 1, what.length());
    }

    /** Hands over a first one, which is under way, and then the others. */
    private List<Later<String>> handAll(Gathering<String, String> gathering, String... others) {
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

    @Test
    void whatWouldBeRefusedToEverybodyIsAskedOnce() {
        List<Later<String>> answers = handAll(
                gathering(WIDE, WIDE, _ -> {
                    throw new RefusedException(ErrorCode.TOO_MANY_REQUESTS, "Too many.");
                }),
                "a",
                "b",
                "c");
        let.release(WIDE);

        assertThat(answers).allSatisfy(answer -> assertThat(code(answer)).isEqualTo(ErrorCode.TOO_MANY_REQUESTS));
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
        Gathering<String, String> gathering = gathering(WIDE, WIDE, some -> {
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
        Gathering<String, String> gathering = gathering(3, WIDE, WIDE, GatheringTest::shouted);
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
        Gathering<String, String> gathering = gathering(7, WIDE, GatheringTest::shouted);
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
}
