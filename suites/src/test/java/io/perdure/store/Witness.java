package io.perdure.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * A record outside the database of what processes were told. A line that {@link #say} returned from is on the disk: it survives
 * the process and the machine. All processes of a test add to one file, each time by one write at its end, so that the order of
 * the lines is an order in which things can have happened.
 */
public final class Witness implements AutoCloseable {
    /** What happened to message or run {@code number}. */
    public record Fact(String what, long number) {
        static Fact of(String line) {
            int blank = line.indexOf(' ');
            return new Fact(line.substring(0, blank), Long.parseLong(line.substring(blank + 1)));
        }
    }

    private final FileChannel channel;

    private Witness(FileChannel channel) {
        this.channel = channel;
    }

    /** One that adds to a file, which is made where there is none. */
    public static Witness at(Path file) throws IOException {
        return new Witness(
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
    }

    /** Notes that the same happened to many; returns when that is on the disk. */
    public void say(String what, List<Long> numbers) throws IOException {
        say(numbers.stream().map(number -> new Fact(what, number)).toList());
    }

    /** Notes what happened, by one write; returns when that is on the disk. */
    public synchronized void say(List<Fact> facts) throws IOException {
        StringBuilder lines = new StringBuilder();
        facts.forEach(fact ->
                lines.append(fact.what()).append(' ').append(fact.number()).append('\n'));
        ByteBuffer bytes = StandardCharsets.US_ASCII.encode(lines.toString());
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        channel.force(false);
    }

    /** Everything that was said, in its order. A line that a killed process did not finish was never said. */
    public static List<Fact> heard(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.US_ASCII);
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        return whole.lines().map(Fact::of).toList();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
