package io.perdure.server.connection;

import io.helidon.common.socket.HelidonSocket;
import io.perdure.sdk.Limits;
import io.perdure.sdk.RestLimits;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a caller sends, read by the connection's thread. While that thread waits for something else, another one may {@link #watch} for the end of
 * the connection. What the watcher reads instead is the beginning of the next request, and is handed over.
 */
final class RequestBytes implements Supplier<byte @Nullable []> {
    private static final RestLimits LIMITS = Limits.defaults().rest();
    private static final byte[] LINE_END = {'\n'};
    private static final byte[] HEAD_END = {'\r', '\n', '\r', '\n'};

    private final HelidonSocket socket;
    private final Runnable arrived;
    private final Consumer<UncheckedIOException> broken;
    private boolean first = true;
    private volatile @Nullable CompletableFuture<byte @Nullable []> watched;

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
        CompletableFuture<byte @Nullable []> handedOver = watched;
        watched = null;
        byte[] bytes = handedOver == null ? read() : handedOver.join();
        if (bytes != null) {
            arrived.run();
        }
        return bytes;
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

        /** The same with a head of HTTP/1.1. */
        byte[] asNew(int headEnd) {
            byte[] head = OldRequest.asNew(new String(bytes, 0, headEnd, StandardCharsets.ISO_8859_1));
            int body = headEnd + HEAD_END.length;
            byte[] all = Arrays.copyOf(head, head.length + count - body);
            System.arraycopy(bytes, body, all, head.length, count - body);
            return all;
        }
    }

    /**
     * Reads on another thread, in order to notice the end of the connection. To be called only while the connection's thread does not read; a second call before
     * that thread has read again does nothing.
     *
     * @param gone is run if the caller has closed the connection
     */
    void watch(Runnable gone) {
        if (watched == null) {
            CompletableFuture<byte @Nullable []> handedOver = new CompletableFuture<>();
            watched = handedOver;
            Thread.ofVirtual().name("perdure-connection-watch").start(() -> {
                byte[] bytes = read();
                handedOver.complete(bytes);
                if (bytes == null) {
                    gone.run();
                }
            });
        }
    }
}
