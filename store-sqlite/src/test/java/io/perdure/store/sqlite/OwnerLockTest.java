package io.perdure.store.sqlite;

import static io.perdure.store.sqlite.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnerLockTest {
    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void create() {
        file = folder.resolve("app.db");
        DatabaseFile.at(file).openWriter().close();
    }

    @Test
    void oneOfAProcessAtATime() {
        OwnerLock first = take();

        refuses(this::take, ErrorCode.STORE_OWNED)
                .hasMessageContaining("Another store of this process runs the workers of " + file);

        first.close();
        OwnerLock second = take();
        first.close();
        refuses(this::take, ErrorCode.STORE_OWNED);
        second.close();
    }

    @Test
    void theFileStays() {
        take().close();

        assertThat(folder.resolve("app.db-owner")).isRegularFile();
        take().close();
    }

    @Test
    void oneProcessAtATime() throws Exception {
        try (OwnerLock _ = take();
                OwnerProcess other = OwnerProcess.start(file)) {
            assertThat(other.answer())
                    .startsWith("PD-211 Process " + ProcessHandle.current().pid() + ", started ")
                    .contains(file.toString());
        }
        try (OwnerProcess other = OwnerProcess.start(file)) {
            assertThat(other.holds()).isTrue();
        }
    }

    @Test
    void theOwnerIsNamedWithItsStart() throws Exception {
        try (OwnerProcess other = OwnerProcess.start(file)) {
            assertThat(other.holds()).isTrue();

            String started = ProcessHandle.of(other.pid())
                    .flatMap(process -> process.info().startInstant())
                    .orElseThrow()
                    .toString();
            refuses(this::take, ErrorCode.STORE_OWNED)
                    .hasMessageContaining(
                            "Process " + other.pid() + ", started " + started + ", runs the workers of " + file);

            other.letGo();
            take().close();
        }
    }

    @Test
    void aKilledOwnerOwnsNothing() throws Exception {
        try (OwnerProcess other = OwnerProcess.start(file)) {
            assertThat(other.holds()).isTrue();
            refuses(this::take, ErrorCode.STORE_OWNED);

            other.kill();

            take().close();
        }
    }

    /** A second channel of this process, once closed, would take the lock of the first one along. */
    @Test
    void askingInVainDoesNotFreeWhatIsHeld() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link.db"), file);
        try (OwnerLock _ = take()) {
            refuses(this::take, ErrorCode.STORE_OWNED);
            refuses(() -> OwnerLock.take(DatabaseFile.at(link)), ErrorCode.STORE_OWNED);

            try (OwnerProcess other = OwnerProcess.start(file)) {
                assertThat(other.answer()).startsWith("PD-211 ");
            }
        }
    }

    /** SQLite's own locks are on other files: taking and freeing this one must leave them. */
    @Test
    void aTransactionOutlivesTheLock() {
        DatabaseFile database = DatabaseFile.at(file);
        try (Session writer = database.openWriter();
                Session other = database.openWriter()) {
            writer.execute("BEGIN IMMEDIATE");
            take().close();

            other.execute("PRAGMA busy_timeout = 0");
            refuses(() -> other.execute("BEGIN IMMEDIATE"), ErrorCode.STORE_BUSY);
            writer.execute("COMMIT");
        }
    }

    @Test
    void ofManyThreadsOneGetsIt() throws Exception {
        int takers = 8;
        CyclicBarrier start = new CyclicBarrier(takers);
        List<Future<OwnerLock>> taken;
        try (ExecutorService threads = Executors.newFixedThreadPool(takers)) {
            taken = IntStream.range(0, takers)
                    .mapToObj(taker -> threads.submit(() -> {
                        start.await();
                        return take();
                    }))
                    .toList();
        }

        List<OwnerLock> locks = taken.stream()
                .filter(future -> future.state() == Future.State.SUCCESS)
                .map(Future::resultNow)
                .toList();
        assertThat(locks).hasSize(1);
        locks.getFirst().close();
    }

    @Test
    void rubbishInTheFileIsNobodysName() throws Exception {
        try (OwnerProcess other = OwnerProcess.start(file)) {
            assertThat(other.holds()).isTrue();
            Files.writeString(folder.resolve("app.db-owner"), "\u001b[31m".repeat(1000));

            refuses(this::take, ErrorCode.STORE_OWNED).hasMessageContaining("PD-211 Another process runs the workers");
        }
    }

    @Test
    void aLockThatCannotBeOpenedIsAnError() throws IOException {
        Files.createDirectory(folder.resolve("app.db-owner"));

        refuses(this::take, ErrorCode.STORE_UNREACHABLE).hasMessageContaining("app.db-owner cannot be locked");
    }

    private OwnerLock take() {
        return OwnerLock.take(DatabaseFile.at(file));
    }
}
