package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class TurnsTest {
    private final List<List<Integer>> calls = new CopyOnWriteArrayList<>();
    private final CountDownLatch firstIsUnderWay = new CountDownLatch(1);
    private final CountDownLatch firstMayEnd = new CountDownLatch(1);

    /** Answers ten times the number. The first call waits until it may end, and one with a 13 fails. */
    private List<Integer> call(List<Integer> questions) {
        calls.add(questions);
        if (calls.size() == 1) {
            firstIsUnderWay.countDown();
            await(firstMayEnd);
        }
        if (questions.contains(14)) {
            throw new StoreException(ErrorCode.STORE_BUSY, "Fourteen.");
        }
        if (questions.contains(13)) {
            throw new IllegalStateException("thirteen");
        }
        return questions.stream().map(question -> 10 * question).toList();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Asks 0, and the others while that is under way. */
    private List<CompletableFuture<Integer>> asked(Turns<Integer, Integer> turns, List<Integer> others) {
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        answers.add(ask(turns, 0));
        await(firstIsUnderWay);
        for (int other : others) {
            answers.add(ask(turns, other));
        }
        while (turns.waiting() < others.size()) {
            Thread.onSpinWait();
        }
        firstMayEnd.countDown();
        return answers;
    }

    private static CompletableFuture<Integer> ask(Turns<Integer, Integer> turns, int question) {
        return CompletableFuture.supplyAsync(() -> turns.take(question), Thread::startVirtualThread);
    }

    @Test
    void aLoneCallerGoesAtOnce() {
        firstMayEnd.countDown();
        Turns<Integer, Integer> turns = new Turns<>(4, this::call);

        assertThat(turns.take(1)).isEqualTo(10);
        assertThat(turns.take(2)).isEqualTo(20);
        assertThat(calls).containsExactly(List.of(1), List.of(2));
        assertThat(turns.isIdle()).isTrue();
    }

    @Test
    void thoseWhoComeMeanwhileGoTogether() {
        List<CompletableFuture<Integer>> answers = asked(
                new Turns<>(4, this::call), IntStream.rangeClosed(1, 6).boxed().toList());

        assertThat(answers).extracting(CompletableFuture::join).containsExactly(0, 10, 20, 30, 40, 50, 60);
        assertThat(calls).extracting(List::size).containsExactly(1, 4, 2);
    }

    @Test
    void aCallThatFailsFailsForAllInItAndForNobodyElse() {
        Turns<Integer, Integer> turns = new Turns<>(4, this::call);
        List<CompletableFuture<Integer>> answers = asked(turns, List.of(13, 1, 2));

        assertThat(answers.getFirst().join()).isZero();
        assertThat(answers.subList(1, 4))
                .allSatisfy(answer -> assertThatThrownBy(answer::join).hasRootCauseMessage("thirteen"));
        assertThat(turns.take(5)).isEqualTo(50);
    }

    /** One that they shared would show the stack of one to all of them, and collect what each suppresses. */
    @Test
    void eachOfThemIsToldByAnErrorOfItsOwn() {
        List<CompletableFuture<Integer>> answers = asked(new Turns<>(4, this::call), List.of(14, 1, 2));

        List<Throwable> told = answers.subList(1, 4).stream()
                .map(answer -> answer.handle((_, thrown) -> thrown.getCause()).join())
                .toList();
        assertThat(told)
                .doesNotHaveDuplicates()
                .allSatisfy(error ->
                        assertThat(error).isInstanceOf(StoreException.class).hasMessageContaining("PD-205 Fourteen."));
    }
}
