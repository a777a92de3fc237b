package io.perdure.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A folder for a benchmark's files, gone when it is done. */
final class WorkFolder implements AutoCloseable {
    private final Path folder;
    private int files;

    private WorkFolder(Path folder) {
        this.folder = folder;
    }

    /** Makes a folder within another, which must be there. */
    static WorkFolder in(Path parent) {
        try {
            return new WorkFolder(Files.createTempDirectory(parent, "perdure-bench-"));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot make a folder in " + parent.toAbsolutePath() + ".", e);
        }
    }

    /** A file that is not there yet. */
    Path newFile() {
        files++;
        return folder.resolve("bench-" + files + ".db");
    }

    /** What kind of file system it is on: in memory, a flush costs nothing. */
    String fileSystem() {
        try {
            return Files.getFileStore(folder).type();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes what the last run left. */
    void clear() {
        try (Stream<Path> list = Files.list(folder)) {
            List<Path> left = list.toList();
            for (Path file : left) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        clear();
        try {
            Files.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
