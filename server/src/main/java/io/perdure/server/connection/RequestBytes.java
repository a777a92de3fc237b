package io.perdure.server.connection;

import io.helidon.common.socket.HelidonSocket;
import io.perdure.sdk.Limits;
import io.perdure.sdk.RestLimits;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a caller sends, read by the connection's thread. While that thread waits for something else, another one may {@link #watch} for the end of
 * the connection. What the watcher reads instead is the beginning of the next request, and is kept for the connection's thread. Only one of them reads at a time.
 */
final class RequestBytes implements Supplier<byte @Nullable []> {
    private static final int MOST_AHEAD_BYTES = 64 * 1024;
    private static final RestLimits LIMITS = Limits.defaults().rest();
    private static final byte[] LINE_END = {'\n'};
    private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};

    private final HelidonSocket socket;
    private final Runnable arrived;
    private final Consumer<UncheckedIOException> broken;
    private boolean first = true;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition read = lock.newCondition();
    /** What the watcher has read and the connection's thread has not taken. */
    private final Deque<byte[]> ahead = new ArrayDeque<>();

    private int aheadBytes;
    private boolean reading;
    private boolean watching;
    private boolean over;

    /**
     * Reads from a socket.
     *
     * @param arrived is run after each read of the connection's thread that brought bytes
     * @param broken is given what a read threw, which is the end of the bytes
     */
    RequestBytes(HelidonSocket socket, Runnable arrived, Consumer<UncheckedIOException> broken) {
        this.socket = socket;
        this.arrived = arrived;
        this.broken = broken;
    }

    /** Returns the next bytes; null at the end. */
    @Override
    public byte @Nullable [] get() {
        if (!first) {
            return next();
        }
        first = false;
        return firstOfAll();
    }

    private byte @Nullable [] next() {
        byte[] bytes = readAhead();
        if (bytes == null && reading) {
            bytes = read();
            lock.lock();
            try {
                reading = false;
                over = bytes == null;
            } finally {
                lock.unlock();
            }
        }
        if (bytes != null) {
            arrived.run();
        }
        return bytes;
    }

    /** Returns what the watcher has read, and waits for it while it reads. Otherwise it is for this thread to read, unless that is over. */
    private byte @Nullable [] readAhead() {
        lock.lock();
        try {
            reading = true;
            while (ahead.isEmpty() && watching) {
                read.awaitUninterruptibly();
            }
            byte[] bytes = ahead.poll();
            if (bytes != null) {
                aheadBytes -= bytes.length;
            }
            reading = bytes == null && !over;
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    private byte @Nullable [] read() {
        try {
            return socket.get();
        } catch (UncheckedIOException e) {
            broken.accept(e);
            return null;
        }
    }

    /** A request of HTTP/1.0 is read to the end of its headers, and made into one of HTTP/1.1. */
    private byte @Nullable [] firstOfAll() {
        byte[] begun = next();
        if (begun == null) {
            return null;
        }
        Gathered gathered = new Gathered(begun);
        int lineEnd = gathered.readUpTo(LINE_END, LIMITS.lineBytes());
        if (lineEnd < 0 || !OldRequest.isMeant(gathered.bytes, lineEnd)) {
            return gathered.all();
        }
        int headEnd = gathered.readUpTo(HEAD_END, LIMITS.lineBytes() + LIMITS.headersBytes());
        return headEnd < 0 ? gathered.all() : gathered.asNew(headEnd);
    }

    /** What has come of a request. It may come byte by byte: no byte is looked at or moved once for each that follows. */
    private final class Gathered {
        private byte[] bytes;
        private int count;

        Gathered(byte[] begun) {
            this.bytes = begun;
            this.count = begun.length;
        }

        /** Reads on until there is this mark, and returns where; -1 if the bytes end before, or are more than the given number. */
        int readUpTo(byte[] mark, int mostBytes) {
            int from = 0;
            while (true) {
                int at = indexOf(mark, from);
                from = Math.max(0, count - mark.length + 1);
                if (at >= 0 || count >= mostBytes || !readMore()) {
                    return at;
                }
            }
        }

        private int indexOf(byte[] mark, int from) {
            for (int at = from; at <= count - mark.length; at++) {
                if (Arrays.equals(bytes, at, at + mark.length, mark, 0, mark.length)) {
                    return at;
                }
            }
            return -1;
        }

        private boolean readMore() {
            byte[] more = next();
            if (more == null) {
                return false;
            }
            if (count + more.length > bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * (count + more.length));
            }
            System.arraycopy(more, 0, bytes, count, more.length);
            count += more.length;
            return true;
        }

        byte[] all() {
            return Arrays.copyOf(bytes, count);
        }

        /** Returns what has come, with a head of HTTP/1.1. */
        byte[] asNew(int headEnd) {
            byte[] head = OldRequest.asNew(new String(bytes, 0, headEnd, StandardCharsets.ISO_8859_1));
            int body = headEnd + HEAD_END.length;
            byte[] all = Arrays.copyOf(head, head.length + count - body);
            System.arraycopy(bytes, body, all, head.length, count - body);
            return all;
        }
    }

    /**
     * Reads on another thread until the connection ends, in order to notice that; or until the connection's thread wants to read, or there is too much. Does nothing if
     * one of them reads already.
     *
     * @param gone is run if the caller has closed the connection
     */
    void watch(Runnable gone) {
        lock.lock();
        try {
            if (reading || watching || over || aheadBytes >= MOST_AHEAD_BYTES) {
                return;
            }
            watching = true;
        } finally {
            lock.unlock();
        }
        Thread.ofVirtual().name("perdure-connection-watch").start(() -> {
            while (keep(read())) {
                // Until it is kept no more.
            }
            if (isOver()) {
                gone.run();
            }
        });
    }

    /** Keeps what the watcher has read, and returns whether it is to read on. */
    private boolean keep(byte @Nullable [] bytes) {
        lock.lock();
        try {
            if (bytes == null) {
                over = true;
            } else {
                ahead.add(bytes);
                aheadBytes += bytes.length;
            }
            watching = !over && !reading && aheadBytes < MOST_AHEAD_BYTES;
            read.signalAll();
            return watching;
        } finally {
            lock.unlock();
        }
    }

    private boolean isOver() {
        lock.lock();
        try {
            return over;
        } finally {
            lock.unlock();
        }
    }
}
