package io.perdure.cli.demo;

import io.perdure.cli.demo.WitnessLine.What;
import io.perdure.sdk.workflow.Attempt;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.List;

/**
 * The journal in which the steps of the demo write down what they do: a plain file, outside of the engine's store, and on disk when
 * a write returns. It stands for the world outside, so a step also asks it what was done before.
 */
final class Witness {
    static final String FILE = "witness.txt";

    private final Path file;
    private final InstantSource clock;

    Witness(Path folder, InstantSource clock) {
        this.file = folder.resolve(FILE);
        this.clock = clock;
    }

    void write(Attempt attempt, What what) throws IOException {
        WitnessLine line = new WitnessLine(
                clock.instant(),
                ProcessHandle.current().pid(),
                attempt.step().value(),
                attempt.number(),
                what,
                attempt.idempotencyKey());
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(line + "\n");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    /** Whether the effect of this step has happened, in whatever process. */
    boolean hasSeen(Attempt attempt) throws IOException {
        return lines().stream()
                .anyMatch(line -> line.what() == What.DID && line.key().equals(attempt.idempotencyKey()));
    }

    /** All that is written whole. */
    List<WitnessLine> lines() throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        String text = Files.readString(file);
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .map(WitnessLine::parse)
                .toList();
    }
}
