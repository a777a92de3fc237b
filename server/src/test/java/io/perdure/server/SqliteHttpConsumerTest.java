package io.perdure.server;

import io.perdure.testkit.queue.ConsumerContract;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

/** Everything a consumer promises, at the other end of HTTP, over SQLite. */
final class SqliteHttpConsumerTest extends ConsumerContract {
    private static final AtomicInteger FILES = new AtomicInteger();

    @TempDir
    static Path folder;

    SqliteHttpConsumerTest() {
        super(new HttpOpening(() -> "jdbc:sqlite:" + folder.resolve("consumers-" + FILES.incrementAndGet() + ".db")));
    }
}
