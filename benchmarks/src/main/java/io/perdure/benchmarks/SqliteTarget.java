package io.perdure.benchmarks;

import io.perdure.benchmarks.Stopwatch.Measured;
import io.perdure.core.store.Effort;
import io.perdure.sdk.id.WorkflowName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Files in a folder that goes with them. */
final class SqliteTarget implements Target {
    /** What Linux counts of this process. */
    private static final Path COUNTED = Path.of("/proc/self/io");

    /** Before the bytes that were given to write calls, whether they have reached a disk or not. */
    private static final String WRITTEN = "wchar: ";

    private final WorkFolder folder;

    private SqliteTarget(WorkFolder folder) {
        this.folder = folder;
    }

    /** Files in a new folder within another, which must be there. */
    static SqliteTarget in(Path parent) {
        return new SqliteTarget(WorkFolder.in(parent));
    }

    @Override
    public String fresh() {
        folder.clear();
        return "jdbc:sqlite:" + folder.newFile();
    }

    @Override
    public JobTable jobTable(int connections) {
        return SqliteJobTable.open(fresh(), connections);
    }

    @Override
    public List<Integer> poolSizes() {
        return List.of(1, 2, 4, 8);
    }

    @Override
    public List<Integer> loneLanes() {
        return List.of(1);
    }

    /** A file has one writer. */
    @Override
    public String fresh(int lanes) {
        return fresh();
    }

    /** A file does not know what was done to it; the store that has it open does. */
    @Override
    public Effort effort() {
        return new Effort(0, 0);
    }

    @Override
    public Measured settled(Measured measured, Effort before) {
        return measured;
    }

    /** Of this process, into whatever file: a page goes into the log, and later into the file itself. */
    @Override
    public OptionalLong bytesWritten() {
        try (Stream<String> lines = Files.lines(COUNTED)) {
            return lines.filter(line -> line.startsWith(WRITTEN))
                    .mapToLong(line -> Long.parseLong(line.substring(WRITTEN.length())))
                    .findFirst();
        } catch (IOException | UncheckedIOException e) {
            // Another system, or one where it may not be read.
            return OptionalLong.empty();
        }
    }

    @Override
    public void retire(String store, WorkflowName workflow) {
        try (Connection connection = DriverManager.getConnection(store);
                PreparedStatement update = connection.prepareStatement(
                        "UPDATE run SET retires_at = 1 WHERE workflow = ? AND retires_at IS NOT NULL")) {
            update.setString(1, workflow.value());
            update.executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException("The runs cannot be retired.", e);
        }
    }

    @Override
    public void rest() {
        // Who closed it last has brought everything into the file.
    }

    @Override
    public String description() {
        return "files on " + folder.fileSystem();
    }

    @Override
    public void close() {
        folder.close();
    }
}
