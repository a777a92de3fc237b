package io.perdure.benchmarks;

import java.util.Locale;

/** What a figure was measured on. */
final class Machine {
    private Machine() {}

    static String describe(Target target) {
        Runtime runtime = Runtime.getRuntime();
        return String.format(
                Locale.ROOT,
                "%d cores, %s %s, Java %s, %s",
                runtime.availableProcessors(),
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                Runtime.version(),
                target.description());
    }
}
