package io.perdure.store.sqlite;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Checks where a database is to be, by what can be told without opening anything. */
final class Place {
    /** What SQLite, and the owner's lock, add to a database's name for files of their own. */
    private static final List<String> SIDE_FILES = List.of("-wal", "-shm", "-journal", OwnerLock.SUFFIX);

    private Place() {}

    /** The path made absolute and freed of symbolic links, as SQLite does it, so that all who open the file name it alike. */
    static Path check(Path path) {
        Path named = path.toAbsolutePath();
        Path folder = named.getParent();
        if (folder == null) {
            throw unreachable("%s is a folder.", named);
        }
        if (SIDE_FILES.stream().anyMatch(named.toString()::endsWith)) {
            throw unreachable(
                    "%s has the name of a file that is kept beside a database, and would be taken for it.", named);
        }
        if (!Files.isDirectory(folder)) {
            throw unreachable(whyNoFolder(folder), folder);
        }
        Path real = real(named, folder);
        checkFile(real);
        checkFolder(Objects.requireNonNull(real.getParent(), "a file is in a folder"));
        return real;
    }

    /**
     * Throws {@code PD-212} where SQLite's log is there but the database is not: opening it would begin an empty database and
     * delete the log, and with it what was answered as done.
     */
    static void refuseOrphanedLog(Path path) {
        Path log = path.resolveSibling(path.getFileName() + "-wal");
        // The log is looked at first: a database that is just being created has its first page before it has a log.
        if (size(log) > 0 && size(path) == 0) {
            throw new StoreException(
                    ErrorCode.STORE_DAMAGED,
                    "The database %s is %s, but its log %s holds data. To begin anew, remove the log as well."
                            .formatted(path, Files.exists(path) ? "empty" : "gone", log.getFileName()));
        }
    }

    private static String whyNoFolder(Path folder) {
        if (Files.exists(folder)) {
            return "%s, where the database would be, is not a folder.";
        }
        return Files.notExists(folder)
                ? "The folder %s does not exist; Perdure creates files, not folders."
                : "This process may not look at the folder %s.";
    }

    private static Path real(Path named, Path folder) {
        try {
            if (Files.exists(named)) {
                return named.toRealPath();
            }
            if (Files.isSymbolicLink(named)) {
                throw unreachable("%s is a symbolic link to what is not there.", named);
            }
            return folder.toRealPath().resolve(named.getFileName());
        } catch (IOException e) {
            throw new StoreException(
                    ErrorCode.STORE_UNREACHABLE, "The path %s cannot be followed.".formatted(named), e);
        }
    }

    private static void checkFile(Path file) {
        if (!Files.exists(file)) {
            return;
        }
        if (Files.isDirectory(file)) {
            throw unreachable("%s is a folder.", file);
        }
        if (!Files.isRegularFile(file)) {
            throw unreachable("%s is not a file on a disk.", file);
        }
        if (!Files.isReadable(file) || !Files.isWritable(file)) {
            throw unreachable("This process may not read and write the file %s.", file);
        }
    }

    private static void checkFolder(Path folder) {
        if (!Files.isWritable(folder)) {
            throw unreachable("This process may not create files in the folder %s, as SQLite has to.", folder);
        }
        type(folder).filter(NetworkFileSystems::has).ifPresent(type -> {
            throw new StoreException(
                    ErrorCode.NETWORK_FILE_SYSTEM,
                    "The folder %s is on a file system of type %s, where SQLite's locks do not hold."
                            .formatted(folder, type));
        });
    }

    /** What file system it is; nothing where the system does not tell, as happens in some containers. */
    private static Optional<String> type(Path folder) {
        // Windows gives a share the type that its disk has on the server.
        if (folder.toString().startsWith("\\\\")) {
            return Optional.of("smb");
        }
        try {
            return Optional.of(Files.getFileStore(folder).type());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (NoSuchFileException e) {
            return 0;
        } catch (IOException e) {
            throw new StoreException(ErrorCode.STORE_UNREACHABLE, "The size of %s cannot be read.".formatted(file), e);
        }
    }

    private static StoreException unreachable(String form, Path what) {
        return new StoreException(ErrorCode.STORE_UNREACHABLE, form.formatted(what));
    }
}
