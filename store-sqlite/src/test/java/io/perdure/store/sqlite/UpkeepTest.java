package io.perdure.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** File and log stay bounded. Sizes are asked for by attribute: nobody but SQLite opens the files. */
final class UpkeepTest {
    private static final int MIB = 1024 * 1024;

    @TempDir
    Path folder;

    @Test
    void theLogIsUsedAgainFromItsStart() throws IOException {
        Path file = folder.resolve("app.db");
        try (Mailroom room = Mailroom.at(file)) {
            String body = "x".repeat(10_000);
            for (int round = 0; round < 60; round++) {
                room.commit(Mailroom.sends(100, body));
                assertThat(room.drain()).isEqualTo(100);
            }
            // 60 MB went through it.
            assertThat(Files.size(folder.resolve("app.db-wal"))).isLessThan(40L * MIB);
            assertThat(Files.size(file)).isLessThan(20L * MIB);
        }
    }

    @Test
    void theFileShrinksAgainOnceItIsQuiet() {
        Path file = folder.resolve("app.db");
        DatabaseFile database = DatabaseFile.at(file);
        try (Mailroom room = Mailroom.at(file)) {
            for (int round = 0; round < 20; round++) {
                room.commit(Mailroom.sends(100, "x".repeat(20_000)));
            }
            room.drain();
        }
        Session session = database.openWriter();
        try (session) {
            long before = session.number("PRAGMA page_count");
            assertThat(before).isGreaterThan(5_000);
            Upkeep upkeep = new Upkeep();
            upkeep.afterCommit(session);
            while (upkeep.idleMillis(false) < 60_000) {
                upkeep.whenIdle(session);
            }
            assertThat(session.number("PRAGMA page_count")).isLessThan(before / 3);
        }
    }
}
