package io.perdure.store.sqlite;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The right of one process to run the workers of a database: a lock of the operating system on the file {@code <database>-owner}.
 * However its holder dies, the system frees it. The file is left where it is: if it were deleted, two processes could each lock
 * a file of that name.
 *
 * <p>A process that closes any channel of a file loses its locks on it (POSIX). So this process opens the lock's file only while
 * it does not hold the lock; a table of what is held, guarded by its own monitor, sees to that. The table is of one class
 * loader, as is the driver's copy of SQLite, which has the same trouble with a second one.
 */
final class OwnerLock implements AutoCloseable {
    static final String SUFFIX = "-owner";

    /** Far behind the text, because on Windows nobody else can read what is locked. */
    private static final long LOCKED_BYTE = 1L << 30;

    private static final int TEXT_BYTES = 200;
    private static final Pattern TEXT = Pattern.compile("pid (\\d{1,19})\nstarted (\\S{1,40})\n");
    private static final Map<Object, OwnerLock> HELD = new HashMap<>();

    private final Object key;
    private final FileChannel channel;

    private OwnerLock(Object key, FileChannel channel) {
        this.key = key;
        this.channel = channel;
    }

    /** Takes the lock; throws {@code PD-211} while another process, or another store in this one, has it. Does not wait. */
    static OwnerLock take(DatabaseFile database) {
        Path at = database.path();
        Path file = at.resolveSibling(at.getFileName() + SUFFIX);
        synchronized (HELD) {
            try {
                Object key = create(file);
                if (HELD.containsKey(key)) {
                    throw owned(at, "Another store of this process");
                }
                OwnerLock lock = lock(key, at, file);
                HELD.put(key, lock);
                return lock;
            } catch (IOException e) {
                throw new StoreException(
                        ErrorCode.STORE_UNREACHABLE, "The file %s cannot be locked: %s.".formatted(file, e), e);
            }
        }
    }

    /**
     * Who runs the workers of a database, in words, as far as the lock's file tells; empty where nobody does. The lock itself is not tried: whoever wants it
     * just then would be refused.
     */
    static Optional<String> holder(DatabaseFile database) {
        Path at = database.path();
        Path file = at.resolveSibling(at.getFileName() + SUFFIX);
        synchronized (HELD) {
            try {
                Object key =
                        Files.readAttributes(file, BasicFileAttributes.class).fileKey();
                if (HELD.containsKey(Objects.requireNonNullElseGet(key, () -> file))) {
                    return Optional.of("A store of this process");
                }
                Matcher words = TEXT.matcher(Files.readString(file, StandardCharsets.US_ASCII));
                return words.matches() && isAlive(words.group(1), words.group(2))
                        ? Optional.of("Process " + words.group(1) + ", started " + words.group(2) + ",")
                        : Optional.empty();
            } catch (NoSuchFileException e) {
                return Optional.empty();
            } catch (IOException e) {
                throw new StoreException(
                        ErrorCode.STORE_UNREACHABLE, "The file %s cannot be read: %s.".formatted(file, e), e);
            }
        }
    }

    /** The number may have gone to another process since, which started at another time. This one has let go of what is not in its table. */
    private static boolean isAlive(String pid, String started) {
        return ProcessHandle.of(Long.parseLong(pid))
                .filter(process -> process.isAlive() && !process.equals(ProcessHandle.current()))
                .flatMap(process -> process.info().startInstant())
                .filter(start -> start.toString().equals(started))
                .isPresent();
    }

    /** Lets go. Doing so again changes nothing. */
    @Override
    public void close() {
        synchronized (HELD) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new StoreException(ErrorCode.STORE_FAILED, "The owner's lock could not be closed.", e);
            } finally {
                HELD.remove(key, this);
            }
        }
    }

    /** Makes sure that the file is there; answers what it is, by whatever name it was found. */
    private static Object create(Path file) throws IOException {
        try {
            Files.createFile(file);
        } catch (FileAlreadyExistsException e) {
            // From an earlier owner, or of the present one. It was not opened.
        }
        Object key = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        return Objects.requireNonNullElseGet(key, () -> file);
    }

    private static OwnerLock lock(Object key, Path database, Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock(LOCKED_BYTE, 1, false) == null) {
                throw owned(database, described(channel));
            }
            write(channel);
            return new OwnerLock(key, channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Tells people who has the lock. Nothing is decided by it: it stays behind when the process dies. */
    private static void write(FileChannel channel) throws IOException {
        ProcessHandle process = ProcessHandle.current();
        String started = process.info().startInstant().map(Object::toString).orElse("unknown");
        ByteBuffer text = StandardCharsets.US_ASCII.encode("pid " + process.pid() + "\nstarted " + started + "\n");
        channel.truncate(0);
        while (text.hasRemaining()) {
            channel.write(text);
        }
    }

    private static String described(FileChannel channel) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(TEXT_BYTES);
        channel.read(text, 0);
        Matcher words = TEXT.matcher(StandardCharsets.US_ASCII.decode(text.flip()));
        return words.matches()
                ? "Process %s, started %s,".formatted(words.group(1), words.group(2))
                : "Another process";
    }

    private static StoreException owned(Path database, String owner) {
        return new StoreException(ErrorCode.STORE_OWNED, "%s runs the workers of %s.".formatted(owner, database));
    }
}
