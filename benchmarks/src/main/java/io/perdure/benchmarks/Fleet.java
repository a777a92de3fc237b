package io.perdure.benchmarks;

import io.perdure.cli.Main;
import io.perdure.sdk.environment.SystemEnvironment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Processes that work on one queue at once, each with senders and receivers of its own. They speak by their pipes: the URL, which
 * may hold a password, goes in there too; each says when it is warm; all are told when to count from and to.
 */
final class Fleet implements AutoCloseable {
    static final String COMMAND = "fleet-member";
    static final String WARM = "warm";

    private static final String COUNT = "count";
    private static final String STOP = "stop";

    private final List<Member> members = new ArrayList<>();

    private record Member(Process process, BufferedReader says, PrintWriter hears) {
        static Member start() throws IOException {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            // SQLite is native code.
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Main.class.getName(),
                            "bench",
                            COMMAND)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return new Member(
                    process,
                    process.inputReader(StandardCharsets.UTF_8),
                    new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true));
        }

        String line() {
            try {
                String line = says.readLine();
                if (line == null) {
                    throw new IllegalStateException("A process of the benchmark ended before its time.");
                }
                return line;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private Fleet() {}

    /** Starts processes that begin to work at once. In flight there is as much altogether as with one of them. */
    static Fleet start(int size, String url, Duration warmUp) {
        Fleet fleet = new Fleet();
        try {
            for (int started = 0; started < size; started++) {
                Member member = Member.start();
                fleet.members.add(member);
                member.hears().println(url);
                // All of them compile their code at once, on the same cores.
                member.hears().println(warmUp.multipliedBy(2L * size).toMillis());
                member.hears().println(Trips.IN_FLIGHT / size);
            }
            return fleet;
        } catch (IOException e) {
            fleet.close();
            throw new UncheckedIOException("The processes of the benchmark cannot be started.", e);
        }
    }

    /** What all of them got done in a second of a span that begins once the last is warm. */
    double perSecond(Duration span) {
        for (Member member : members) {
            if (!member.line().equals(WARM)) {
                throw new IllegalStateException("A process of the benchmark is out of step.");
            }
        }
        members.forEach(member -> member.hears().println(COUNT));
        try {
            new SystemEnvironment().sleep(span);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The benchmark was interrupted.", e);
        }
        members.forEach(member -> member.hears().println(STOP));
        return members.stream()
                .mapToDouble(member -> Double.parseDouble(member.line()))
                .sum();
    }

    @Override
    public void close() {
        members.forEach(member -> member.process().destroyForcibly().onExit().join());
    }
}
