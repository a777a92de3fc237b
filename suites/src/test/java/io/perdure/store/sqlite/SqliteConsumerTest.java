package io.perdure.store.sqlite;

import io.perdure.testkit.queue.ConsumerContract;
import io.perdure.testkit.workflow.Opening;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

/** Consumers over SQLite, each test on a file of its own. */
final class SqliteConsumerTest extends ConsumerContract {
    private static final AtomicInteger FILES = new AtomicInteger();

    @TempDir
    static Path folder;

    SqliteConsumerTest() {
        super(Opening.embedded(() -> "jdbc:sqlite:" + folder.resolve("consumers-" + FILES.incrementAndGet() + ".db")));
    }
}
