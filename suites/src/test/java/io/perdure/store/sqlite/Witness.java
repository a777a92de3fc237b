package io.perdure.store.sqlite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A record outside the database of what a process was told. A line that {@link #say} returned from is on the disk: it survives
 * the process and the machine.
 */
final class Witness implements AutoCloseable {
    /** What happened to message {@code number}. */
    record Fact(String what, long number) {
        static Fact of(String line) {
            int blank = line.indexOf(' ');
            return new Fact(line.substring(0, blank), Long.parseLong(line.substring(blank + 1)));
        }
    }

    private final FileChannel channel;

    private Witness(FileChannel channel) {
        this.channel = channel;
    }

    static Witness at(Path file) throws IOException {
        return new Witness(
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND));
    }

    synchronized void say(List<Fact> facts) throws IOException {
        StringBuilder lines = new StringBuilder();
        facts.forEach(fact ->
                lines.append(fact.what()).append(' ').append(fact.number()).append('\n'));
        ByteBuffer bytes = StandardCharsets.US_ASCII.encode(lines.toString());
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        channel.force(false);
    }

    /** Everything that was said. A line that a killed process did not finish was never said. */
    static List<Fact> heard(Path file) throws IOException {
        String text = Files.readString(file, StandardCharsets.US_ASCII);
        List<Fact> facts = new ArrayList<>();
        int end = text.lastIndexOf('\n');
        if (end >= 0) {
            text.substring(0, end).lines().forEach(line -> facts.add(Fact.of(line)));
        }
        return facts;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
