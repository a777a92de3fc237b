package io.perdure.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A running server program: a direct child of this process, so that its end is seen and nothing is left to reap. */
final class Daemon {
    private static final long ASK_EVERY_MILLIS = 10;
    private static final int MOST_QUESTIONS = 6_000;
    private static final String CANNOT_CONNECT_NOW = "57P03";

    private final Process process;
    private final Path log;
    private final Path idFile;

    private Daemon(Process process, Path log, Path idFile) {
        this.process = process;
        this.log = log;
        this.idFile = idFile;
    }

    /** Starts a program that says in one file what it has to say, and writes its process id to another. */
    static Daemon start(List<String> words, Path log, Path idFile) throws IOException {
        return new Daemon(Command.start(words, log), log, idFile);
    }

    /** Waits until a session can be opened; throws with the end of the log when the program ends, or takes a minute. */
    void awaitAnswer(int port, String database) {
        CompletableFuture<Process> end = process.onExit();
        for (int question = 0; question < MOST_QUESTIONS; question++) {
            if (answers(port, database)) {
                return;
            }
            try {
                end.get(ASK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
                throw new IllegalStateException("%s ended with %s before it answered at port %s:\n%s"
                        .formatted(program(), process.exitValue(), port, Command.tail(log)));
            } catch (TimeoutException e) {
                // It lives: ask again.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while %s started.".formatted(program()), e);
            } catch (ExecutionException e) {
                throw new IllegalStateException("The end of %s cannot be seen.".formatted(program()), e);
            }
        }
        throw new IllegalStateException("%s did not answer at port %s within %s ms:\n%s"
                .formatted(program(), port, ASK_EVERY_MILLIS * MOST_QUESTIONS, Command.tail(log)));
    }

    private static boolean answers(int port, String database) {
        try (PlainSession _ = PlainSession.open(port, database)) {
            return true;
        } catch (PostgresError e) {
            if (e.sqlState().equals(CANNOT_CONNECT_NOW)) {
                return false;
            }
            throw e;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    long processId() {
        return process.pid();
    }

    Stream<Long> descendants() {
        return process.descendants().map(ProcessHandle::pid);
    }

    /** Sends the signal and waits for the end. The one that has ended stays so. */
    void end(String signal) {
        if (process.isAlive()) {
            Command.signal(signal, List.of(process.pid()));
        }
        process.onExit().join();
        try {
            // Where it was killed it could not do so itself, and the watchdog would signal whoever has the id by then.
            Files.deleteIfExists(idFile);
        } catch (IOException e) {
            throw new UncheckedIOException("%s could not be deleted.".formatted(idFile), e);
        }
    }

    private String program() {
        return process.info().command().orElse("The program");
    }
}
