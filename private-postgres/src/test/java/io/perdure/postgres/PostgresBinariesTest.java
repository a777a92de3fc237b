package io.perdure.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PostgresBinariesTest {
    static List<PostgresBinaries> installed() {
        return PostgresBinaries.installed();
    }

    @Test
    void theBundledOneIsOfTheVersionInThePom() {
        assertThat(PostgresBinaries.bundled().majorVersion()).isEqualTo(18);
        assertThat(PostgresBinaries.bundled())
                .hasToString(PostgresBinaries.bundled().toString());
    }

    @Test
    void severalMayUnpackAtOnceAndWhatWasLostIsUnpackedAgain(@TempDir Path folder) throws Exception {
        List<Path> places;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Path>> both = Stream.of(1, 2)
                    .map(_ -> threads.submit(() -> BinariesArchive.unpackedBelow(folder)))
                    .toList();
            places = List.of(both.get(0).get(), both.get(1).get());
        }
        Path postgres = places.getFirst().resolve("bin/postgres");
        assertThat(places).containsOnly(places.getFirst());
        assertThat(postgres).isExecutable();

        Files.delete(postgres);
        assertThat(BinariesArchive.unpackedBelow(folder)).isEqualTo(places.getFirst());

        assertThat(postgres).isExecutable();
        assertThat(entries(folder)).containsExactly(places.getFirst());
    }

    @Test
    void theNewestInstalledComesFirst() {
        assertThat(PostgresBinaries.installed())
                .isSortedAccordingTo(
                        Comparator.comparingInt(PostgresBinaries::majorVersion).reversed());
    }

    /** On a machine without any, there is nothing that could fail to start. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("installed")
    void everyInstalledOneStarts(PostgresBinaries binaries) throws SQLException {
        try (PrivatePostgres server = PrivatePostgres.start(binaries, PrivatePostgres.WITHOUT_DURABILITY)) {
            assertThat(SharedServer.ask(server.url(), "show server_version")).startsWith(binaries.majorVersion() + ".");
        }
    }

    private static List<Path> entries(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        }
    }
}
