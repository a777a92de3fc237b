package io.perdure.server.connection;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.SocketWriter;
import io.helidon.common.socket.SocketWriterException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

/**
 * The bytes that are sent to a caller. If the connection breaks, all that follows is dropped: a caller who has gone is no fault of the server's, and what its request
 * began is done to the end.
 */
final class AnswerBytes implements DataWriter {
    private final SocketWriter writer;
    private final Consumer<RuntimeException> broken;
    private volatile boolean dropped;

    /**
     * Writes to the socket of a writer.
     *
     * @param broken is given what the first write threw that failed
     */
    AnswerBytes(SocketWriter writer, Consumer<RuntimeException> broken) {
        this.writer = writer;
        this.broken = broken;
    }

    private void write(Runnable what) {
        if (dropped) {
            return;
        }
        try {
            what.run();
        } catch (SocketWriterException | UncheckedIOException e) {
            dropped = true;
            broken.accept(e);
        }
    }

    @Override
    public void write(BufferData... buffers) {
        write(() -> writer.write(buffers));
    }

    @Override
    public void write(BufferData buffer) {
        write(() -> writer.write(buffer));
    }

    @Override
    public void writeNow(BufferData... buffers) {
        write(() -> writer.writeNow(buffers));
    }

    @Override
    public void writeNow(BufferData buffer) {
        write(() -> writer.writeNow(buffer));
    }

    @Override
    public void flush() {
        write(writer::flush);
    }

    @Override
    public void close() {
        write(writer::close);
    }
}
