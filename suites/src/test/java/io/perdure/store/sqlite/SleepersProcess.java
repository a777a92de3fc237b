package io.perdure.store.sqlite;

import io.perdure.core.Perdure;
import io.perdure.sdk.workflow.Workflow;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.locks.LockSupport;

/** Another process, with little memory, that puts many runs to sleep and says what they cost it. */
final class SleepersProcess {
    private static final int STARTERS = 500;
    private static final int FIRST = 2_000;

    /** What is in use before varies by some megabytes; a hundred bytes for each run, kept by mistake, would be ten. */
    static final long MOST_HEAP_BYTES = 5_000_000;

    /** Carriers of virtual threads come and go. */
    static final int MOST_THREADS = 8;

    private static final int LOOKS = 600;

    private SleepersProcess() {}

    /**
     * What sleepers cost.
     *
     * @param heapBytes what is in use after a collection, more than before
     * @param threads live threads of the platform, more than before
     * @param millis how long it took to put them to sleep
     */
    record Cost(int runs, long heapBytes, int threads, long millis) {
        private static Cost of(String line) {
            try (Scanner words = new Scanner(line)) {
                return new Cost(words.nextInt(), words.nextLong(), words.nextInt(), words.nextLong());
            }
        }

        boolean isSmall() {
            return heapBytes < MOST_HEAP_BYTES && threads < MOST_THREADS;
        }

        @Override
        public String toString() {
            return runs + " " + heapBytes + " " + threads + " " + millis;
        }
    }

    /** What runs in the other process: database, and how many. */
    public static void main(String[] arguments) throws InterruptedException {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        int runs = Integer.parseInt(arguments[1]);
        Workflow<String, String> sleeper = Workflow.named("sleeper").run(String.class, String.class, (ctx, _) -> {
            ctx.sleep("hour", Duration.ofHours(1));
            return "awake";
        });
        try (Perdure perdure =
                Perdure.open("jdbc:sqlite:" + arguments[0]).register(sleeper).start()) {
            // The first make everything that is made once: threads, connections, caches.
            sleep(perdure, sleeper, FIRST);
            long heap = heapBytes();
            int threads = ManagementFactory.getThreadMXBean().getThreadCount();
            long begun = System.nanoTime();
            sleep(perdure, sleeper, runs);
            long millis = Duration.ofNanos(System.nanoTime() - begun).toMillis();
            Cost cost = cost(runs, heap, threads, millis);
            // What a busy machine has not yet let go of is no cost of a sleeper.
            for (int look = 0; look < LOOKS && !cost.isSmall(); look++) {
                LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
                cost = cost(runs, heap, threads, millis);
            }
            answers.println(cost);
        }
    }

    private static Cost cost(int runs, long heapBefore, int threadsBefore, long millis) {
        return new Cost(
                runs,
                heapBytes() - heapBefore,
                ManagementFactory.getThreadMXBean().getThreadCount() - threadsBefore,
                millis);
    }

    private static void sleep(Perdure perdure, Workflow<String, String> sleeper, int runs) throws InterruptedException {
        List<Thread> starters = new ArrayList<>();
        for (int starter = 0; starter < STARTERS; starter++) {
            starters.add(Thread.startVirtualThread(() -> {
                for (int number = 0; number < runs / STARTERS; number++) {
                    perdure.start(sleeper, "");
                }
            }));
        }
        for (Thread starter : starters) {
            starter.join();
        }
        while (perdure.working() > 0) {
            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
        }
    }

    private static long heapBytes() {
        // The second finds what the first left to finish.
        System.gc();
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Runs it to its end. */
    static Cost run(Path database, int runs) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SleepersProcess.class.getName(),
                        database.toString(),
                        Integer.toString(runs))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            if (line == null) {
                throw new IllegalStateException("The process ended without an answer.");
            }
            return Cost.of(line);
        } finally {
            process.destroyForcibly().onExit().join();
        }
    }
}
