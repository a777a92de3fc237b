package io.perdure.architecture.offenders.world;

import java.util.List;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Every method takes a thread from the system. */
public final class TakesThreads {
    Thread newThread(Runnable task) {
        return new Thread(task);
    }

    ThreadFactory newThreadByReference() {
        return Thread::new;
    }

    void start(Thread thread) {
        thread.start();
    }

    Thread startVirtual(Runnable task) {
        return Thread.startVirtualThread(task);
    }

    Thread ofVirtual(Runnable task) {
        return Thread.ofVirtual().unstarted(task);
    }

    Thread ofPlatform(Runnable task) {
        return Thread.ofPlatform().unstarted(task);
    }

    ExecutorService executors() {
        return Executors.newVirtualThreadPerTaskExecutor();
    }

    ExecutorService threadPool() {
        return new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
    }

    ExecutorService commonPool() {
        return ForkJoinPool.commonPool();
    }

    ExecutorService forkJoinPool() {
        return new ForkJoinPool();
    }

    Object scheduledExecutor() {
        return new ScheduledThreadPoolExecutor(1);
    }

    boolean usesScheduledExecutor(ScheduledExecutorService executor) {
        return executor.isShutdown();
    }

    Object timer() {
        return new Timer();
    }

    CompletableFuture<Void> runAsync(Runnable task) {
        return CompletableFuture.runAsync(task);
    }

    CompletableFuture<Integer> thenApplyAsync(CompletableFuture<String> future) {
        return future.thenApplyAsync(String::length);
    }

    long parallelStream(List<String> values) {
        return values.parallelStream().count();
    }

    long parallel(List<String> values) {
        return values.stream().parallel().count();
    }
}
