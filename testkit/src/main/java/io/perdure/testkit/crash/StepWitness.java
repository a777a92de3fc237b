package io.perdure.testkit.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** What steps did outside, in the order they did it: a line for each, on the disk before the step goes on. */
public final class StepWitness implements AutoCloseable {
    private final FileChannel channel;

    private StepWitness(FileChannel channel) {
        this.channel = channel;
    }

    /** A witness that adds to what is in the file. */
    public static StepWitness at(Path file) throws IOException {
        return new StepWitness(
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
    }

    /** Says a line. */
    public synchronized void say(String line) throws IOException {
        ByteBuffer bytes = StandardCharsets.US_ASCII.encode(line + "\n");
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        channel.force(false);
    }

    /** All that was said, by whomever. */
    public static List<String> heard(Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file, StandardCharsets.US_ASCII) : List.of();
    }

    /** Lets nobody say anything any more, as the end of the process would. */
    synchronized void silence() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
