package io.perdure.testkit.queue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A file to which all processes of a test add what they see, each time by one write at its end: so what was said outlives whoever
 * said it, a question stands before anything that came of it, and an answer after it, perhaps long after. Safe for many threads.
 */
final class Journal implements AutoCloseable {
    private final FileChannel channel;

    private Journal(FileChannel channel) {
        this.channel = channel;
    }

    static Journal at(Path file) throws IOException {
        return new Journal(
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
    }

    /** Says lines that belong together. */
    synchronized void say(List<String> lines) throws IOException {
        ByteBuffer bytes = StandardCharsets.US_ASCII.encode(String.join("\n", lines) + "\n");
        if (channel.write(bytes) < bytes.limit()) {
            throw new IOException(
                    "The journal took only a part of its lines, and another process may have come in between.");
        }
    }

    /** Everything that was said. A line that a killed process did not finish was never said. */
    static List<String> heard(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.US_ASCII);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
