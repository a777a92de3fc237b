package io.perdure.benchmarks;

import io.perdure.cli.Terminal;
import io.perdure.sdk.environment.SystemEnvironment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import picocli.CommandLine.Command;

/** {@code perdure bench fleet-member}: one process of a {@link Fleet}, which tells it what to do. Nobody else calls it. */
@Command(name = Fleet.COMMAND, hidden = true, header = "One of several processes that are measured together.")
final class FleetMemberCommand implements Runnable {
    private final Terminal terminal;

    FleetMemberCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        BufferedReader orders = new BufferedReader(new InputStreamReader(terminal.in(), StandardCharsets.UTF_8));
        String url = line(orders);
        Duration warmUp = Duration.ofMillis(Long.parseLong(line(orders)));
        int inFlight = Integer.parseInt(line(orders));
        try (Engine engine = Engine.open(url)) {
            Trips trips = new Trips(engine.queue(), inFlight);
            Stopwatch watch = new Stopwatch(
                    () -> {
                        new SystemEnvironment().sleep(warmUp);
                        say(Fleet.WARM);
                        line(orders);
                    },
                    () -> line(orders),
                    trips::wake);
            say(String.valueOf(trips.measure(watch, engine::effort).perSecond()));
        }
    }

    private void say(String line) {
        terminal.out().println(line);
        terminal.out().flush();
    }

    private static String line(BufferedReader orders) {
        try {
            String line = orders.readLine();
            if (line == null) {
                throw new IllegalStateException("Whoever started this process is gone.");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
