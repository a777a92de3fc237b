package io.perdure.benchmarks;

import java.util.Locale;

/** What a figure was measured on. */
final class Machine {
    private Machine() {}

    static String describe(WorkFolder folder) {
        Runtime runtime = Runtime.getRuntime();
        return String.format(
                Locale.ROOT,
                "%d cores, %s %s, Java %s, files on %s",
                runtime.availableProcessors(),
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                Runtime.version(),
                folder.fileSystem());
    }
}
