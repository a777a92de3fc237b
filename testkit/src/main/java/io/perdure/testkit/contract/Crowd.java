package io.perdure.testkit.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntFunction;

/** Many threads that begin at the same moment: platform threads, so that none can keep the others from running. */
final class Crowd {
    private Crowd() {}

    /** Runs the task once per member, all at once, and answers what each of them answered. */
    static <T> List<T> of(int members, IntFunction<T> task) {
        CountDownLatch everybodyIsHere = new CountDownLatch(members);
        List<CompletableFuture<T>> answers = new ArrayList<>();
        for (int member = 0; member < members; member++) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            int number = member;
            answers.add(answer);
            Thread.ofPlatform().daemon().start(() -> {
                everybodyIsHere.countDown();
                try {
                    everybodyIsHere.await();
                    answer.complete(task.apply(number));
                } catch (Throwable failure) {
                    answer.completeExceptionally(failure);
                }
            });
        }
        return answers.stream().map(CompletableFuture::join).toList();
    }
}
