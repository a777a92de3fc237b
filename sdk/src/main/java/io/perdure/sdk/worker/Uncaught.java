package io.perdure.sdk.worker;

/** For threads that must go on whatever a task of theirs throws. Even who writes the log may throw. */
final class Uncaught {
    private Uncaught() {}

    /** Runs a task. What it throws is handed to whoever hears of exceptions that nobody caught; the thread goes on. */
    static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
