package io.perdure.testkit.crash;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the steps of one process do outside; nothing any more once it is dead. Safe for many threads. */
final class Effects {
    private final Map<String, List<String>> lines = new TreeMap<>();
    private boolean dead;

    static String line(String step, int attempt) {
        return step + "#" + attempt;
    }

    /** An attempt of a program's step does what it does. */
    synchronized void see(String program, String step, int attempt) throws IOException {
        if (dead) {
            throw new IOException("The process is dead.");
        }
        lines.computeIfAbsent(program, _ -> new ArrayList<>()).add(line(step, attempt));
    }

    synchronized void silence() {
        dead = true;
    }

    /** Those of one program, in order. */
    synchronized List<String> of(String program) {
        return List.copyOf(lines.getOrDefault(program, List.of()));
    }
}
