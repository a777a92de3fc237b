package io.perdure.cli;

import io.perdure.core.Perdure;
import io.perdure.core.store.StoreMigration;
import io.perdure.core.store.Stores;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The {@code --store} that every command which needs one shares. */
final class StoreOption {
    private static final String DEFAULT = "jdbc:sqlite:perdure.db";
    private static final String VARIABLE = "PERDURE_STORE";

    /** A single letter before the colon is a drive. */
    private static final Pattern SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]+:");

    @Option(
            names = "--store",
            paramLabel = "URL",
            description = {
                "Where the data is: jdbc:sqlite:app.db, created where there is none, or jdbc:postgresql://host/database.",
                "Without it: what PERDURE_STORE says, or else " + DEFAULT + ", a file in this folder."
            })
    private @Nullable String url;

    /** Opens the store that was asked for; the caller closes it. */
    Perdure open(Terminal terminal) {
        return found(terminal, Perdure::open);
    }

    /** What it takes to make the store that was asked for ready. */
    StoreMigration migration(Terminal terminal) {
        return found(terminal, Stores::migration);
    }

    private <T> T found(Terminal terminal, Function<String, T> by) {
        String asked = url(terminal);
        try {
            return by.apply(asked);
        } catch (StoreException e) {
            // Most who are refused here wrote the name of a file.
            if (e.code() != ErrorCode.STORE_URL
                    || asked.isBlank()
                    || SCHEME.matcher(asked).lookingAt()) {
                throw e;
            }
            throw new StoreException(e.code(), e.what() + " Did you mean jdbc:sqlite:" + asked + "?", e);
        }
    }

    /** Opens the store for what is done with one queue; where there is no such queue, the error says where it was looked for. */
    <T> T with(String name, Terminal terminal, Function<Perdure, T> work) {
        // A bad name is wrong usage, which must not leave a new store behind.
        QueueName queue = new QueueName(name);
        try (Perdure perdure = open(terminal)) {
            return work.apply(perdure);
        } catch (RefusedException e) {
            throw e.code() == ErrorCode.NO_SUCH_QUEUE ? lookedIn(terminal, queue, e) : e;
        }
    }

    /** Opens the store for what is done with one run; where there is no such run, the error says where it was looked for. */
    void withRun(String id, Terminal terminal, Consumer<Run<Json>> work) {
        // A bad id is wrong usage, which must not leave a new store behind.
        RunId run = RunId.parse(id);
        withRunOf(terminal, perdure -> work.accept(perdure.run(run)));
    }

    /** The same for what is done to a run through the engine; the caller knows its id. */
    void withRunOf(Terminal terminal, Consumer<Perdure> work) {
        try (Perdure perdure = open(terminal)) {
            work.accept(perdure);
        } catch (RefusedException e) {
            throw e.code() == ErrorCode.NO_SUCH_RUN
                    ? new RefusedException(e.code(), e.what() + " " + lookedIn(terminal) + ".", e)
                    : e;
        }
    }

    private String lookedIn(Terminal terminal) {
        return "It was looked for in %s, seen from the folder %s"
                .formatted(Stores.shown(url(terminal)), System.getProperty("user.dir"));
    }

    private RefusedException lookedIn(Terminal terminal, QueueName queue, RefusedException e) {
        String next = queue.holdsRuns()
                ? "\"perdure runs list%s\" is for runs".formatted(repeated())
                : "\"perdure queue create %s%s\" creates it there"
                        .formatted(QueueText.ofDeadLetters(queue.value()), repeated());
        return new RefusedException(e.code(), "%s %s; %s.".formatted(e.what(), lookedIn(terminal), next), e);
    }

    String url(Terminal terminal) {
        if (url != null) {
            return url;
        }
        String variable = terminal.environment().getOrDefault(VARIABLE, "");
        return variable.isEmpty() ? DEFAULT : variable;
    }

    /**
     * What to add to a command that is to find the same store, with a blank before it; nothing where it would anyway. A password
     * is left to be filled in: this is printed.
     */
    String repeated() {
        return url == null ? "" : " --store " + ShellWord.of(Stores.shown(url));
    }
}
