package io.perdure.server;

import io.perdure.testkit.workflow.ComputingStepsContract;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

/** What a client and its worker at the other end of HTTP still do while steps that compute hold every carrier. */
final class SqliteHttpComputingStepsTest extends ComputingStepsContract {
    private static final AtomicInteger FILES = new AtomicInteger();

    @TempDir
    static Path folder;

    SqliteHttpComputingStepsTest() {
        super(HttpOpening.withServerProcesses(
                () -> "jdbc:sqlite:" + folder.resolve("computing-" + FILES.incrementAndGet() + ".db")));
    }
}
