package io.perdure.architecture.offenders.world;

import java.time.Duration;
import java.util.Date;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Every method waits with a time limit that no environment gave it. */
@SuppressWarnings({"WaitNotInLoop", "LockNotBeforeTry"})
public final class WaitsInTime {
    void sleep() throws InterruptedException {
        Thread.sleep(1);
    }

    void sleepDuration() throws InterruptedException {
        Thread.sleep(Duration.ofMillis(1));
    }

    void sleepUnit() throws InterruptedException {
        TimeUnit.SECONDS.sleep(1);
    }

    void joinMillis(Thread thread) throws InterruptedException {
        thread.join(1);
    }

    boolean joinDuration(Thread thread) throws InterruptedException {
        return thread.join(Duration.ofMillis(1));
    }

    synchronized void waitMillis() throws InterruptedException {
        wait(1);
    }

    void parkNanos() {
        LockSupport.parkNanos(1);
    }

    void parkUntil() {
        LockSupport.parkUntil(1);
    }

    Object get(Future<String> future) throws Exception {
        return future.get(1, TimeUnit.SECONDS);
    }

    Object getOfCompletableFuture(CompletableFuture<String> future) throws Exception {
        return future.get(1, TimeUnit.SECONDS);
    }

    CompletableFuture<String> orTimeout(CompletableFuture<String> future) {
        return future.orTimeout(1, TimeUnit.SECONDS);
    }

    CompletableFuture<String> completeOnTimeout(CompletableFuture<String> future) {
        return future.completeOnTimeout("", 1, TimeUnit.SECONDS);
    }

    Executor delayedExecutor() {
        return CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);
    }

    boolean awaitCondition(Condition condition) throws InterruptedException {
        return condition.await(1, TimeUnit.SECONDS);
    }

    long awaitNanos(Condition condition) throws InterruptedException {
        return condition.awaitNanos(1);
    }

    boolean awaitUntil(Condition condition, Date date) throws InterruptedException {
        return condition.awaitUntil(date);
    }

    Object poll(BlockingQueue<String> queue) throws InterruptedException {
        return queue.poll(1, TimeUnit.SECONDS);
    }

    Object pollOfSubtype(ArrayBlockingQueue<String> queue) throws InterruptedException {
        return queue.poll(1, TimeUnit.SECONDS);
    }

    Object pollFirst(BlockingDeque<String> queue) throws InterruptedException {
        return queue.pollFirst(1, TimeUnit.SECONDS);
    }

    boolean offer(BlockingQueue<String> queue) throws InterruptedException {
        return queue.offer("", 1, TimeUnit.SECONDS);
    }

    boolean awaitLatch(CountDownLatch latch) throws InterruptedException {
        return latch.await(1, TimeUnit.SECONDS);
    }

    int awaitBarrier(CyclicBarrier barrier) throws Exception {
        return barrier.await(1, TimeUnit.SECONDS);
    }

    boolean tryAcquire(Semaphore semaphore) throws InterruptedException {
        return semaphore.tryAcquire(1, TimeUnit.SECONDS);
    }

    boolean tryLock(Lock lock) throws InterruptedException {
        return lock.tryLock(1, TimeUnit.SECONDS);
    }

    boolean tryLockOfSubtype(ReentrantLock lock) throws InterruptedException {
        return lock.tryLock(1, TimeUnit.SECONDS);
    }

    boolean awaitTermination(ExecutorService executor) throws InterruptedException {
        return executor.awaitTermination(1, TimeUnit.SECONDS);
    }

    boolean waitForProcess(Process process) throws InterruptedException {
        return process.waitFor(1, TimeUnit.SECONDS);
    }
}
