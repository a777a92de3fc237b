package io.perdure.cli;

import io.perdure.client.ConnectOptions;
import io.perdure.client.PerdureClient;
import io.perdure.core.Perdure;
import io.perdure.core.store.Stores;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where the data is of every command that works with it: the {@code --store} that it opens itself, or the {@code --server} that it asks. */
final class WhereOption {
    private static final String SERVER_VARIABLE = "PERDURE_SERVER";
    private static final String KEY_VARIABLE = "PERDURE_KEY";

    /** A command is for somebody who waits: a server that is away is soon said to be. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    @Mixin
    private StoreOption store = new StoreOption();

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = {
                "Asks a server instead of opening a store, such as http://127.0.0.1:7450. Without it: what PERDURE_SERVER says,",
                "unless there is a --store. Its key is taken from PERDURE_KEY, or from --key-file."
            })
    private @Nullable String server;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "A file that holds nothing but the key for the server; only where a server is asked.")
    private @Nullable Path keyFile;

    /** Opens the store, or connects to the server; the caller closes it. */
    Engine open(Terminal terminal) {
        String url = server(terminal);
        return url == null ? store.open(terminal) : connect(url, terminal);
    }

    /** Does what a store and a server are asked for in different words. */
    <T> T either(Terminal terminal, Function<Perdure, T> ofStore, Function<PerdureClient, T> ofServer) {
        String url = server(terminal);
        if (url == null) {
            try (Perdure opened = store.open(terminal)) {
                return ofStore.apply(opened);
            }
        }
        try (PerdureClient connected = connect(url, terminal)) {
            return ofServer.apply(connected);
        }
    }

    /** The store that the flag names, if it does. */
    Optional<String> storeFlag(Terminal terminal) {
        return store.isGiven() ? Optional.of(store.url(terminal)) : Optional.empty();
    }

    /** Whether a server is asked. */
    boolean isServer(Terminal terminal) {
        return server(terminal) != null;
    }

    private PerdureClient connect(String url, Terminal terminal) {
        return PerdureClient.connect(url, options(terminal));
    }

    private ConnectOptions options(Terminal terminal) {
        ConnectOptions options = ConnectOptions.defaults().patience(PATIENCE);
        String key = key(terminal);
        return key == null ? options : options.key(key);
    }

    /** The key to show to a server; absent where there is none. */
    @Nullable
    String key(Terminal terminal) {
        if (keyFile != null) {
            try {
                return Files.readString(keyFile).strip();
            } catch (IOException e) {
                throw new InvalidValueException(
                        ErrorCode.USAGE, "The key cannot be read from the file %s.".formatted(keyFile), e);
            }
        }
        String variable = terminal.environment().getOrDefault(KEY_VARIABLE, "");
        return variable.isEmpty() ? null : variable;
    }

    /** The server to ask; absent where a store is opened. */
    @Nullable
    String server(Terminal terminal) {
        if (server != null) {
            if (store.isGiven()) {
                throw new InvalidValueException(ErrorCode.USAGE, "--store and --server exclude each other.");
            }
            return server;
        }
        String variable = terminal.environment().getOrDefault(SERVER_VARIABLE, "");
        if (!store.isGiven() && !variable.isEmpty()) {
            return variable;
        }
        if (keyFile != null) {
            throw new InvalidValueException(
                    ErrorCode.USAGE, "--key-file is for a server: name it with --server, or leave the file out.");
        }
        return null;
    }

    /** Where the data is, for messages. */
    String shown(Terminal terminal) {
        String url = server(terminal);
        return url == null ? Stores.shown(store.url(terminal)) : url;
    }

    /** Opens the engine for what is done with one queue; where there is no such queue, the error says where it was looked for. */
    <T> T with(String name, Terminal terminal, Function<Engine, T> work) {
        // A bad name is wrong usage, which must not leave a new store behind.
        QueueName queue = new QueueName(name);
        try (Engine engine = open(terminal)) {
            return work.apply(engine);
        } catch (RefusedException e) {
            throw e.code() == ErrorCode.NO_SUCH_QUEUE ? lookedIn(terminal, queue, e) : e;
        }
    }

    /** Opens the engine for what is done with one run; where there is no such run, the error says where it was looked for. */
    void withRun(String id, Terminal terminal, Consumer<Run<Json>> work) {
        // A bad id is wrong usage, which must not leave a new store behind.
        RunId run = RunId.parse(id);
        withRunOf(terminal, engine -> work.accept(engine.run(run)));
    }

    /** The same for what is done to a run through the engine; the caller knows its id. */
    void withRunOf(Terminal terminal, Consumer<Engine> work) {
        try (Engine engine = open(terminal)) {
            work.accept(engine);
        } catch (RefusedException e) {
            throw e.code() == ErrorCode.NO_SUCH_RUN
                    ? new RefusedException(e.code(), e.what() + " " + lookedIn(terminal) + ".", e)
                    : e;
        }
    }

    private String lookedIn(Terminal terminal) {
        return server(terminal) == null
                ? "It was looked for in %s, seen from the folder %s"
                        .formatted(shown(terminal), System.getProperty("user.dir"))
                : "The server at %s was asked".formatted(shown(terminal));
    }

    private RefusedException lookedIn(Terminal terminal, QueueName queue, RefusedException e) {
        String next = queue.holdsRuns()
                ? "\"perdure runs list%s\" is for runs".formatted(repeated())
                : "\"perdure queue create %s%s\" creates it there"
                        .formatted(QueueText.ofDeadLetters(queue.value()), repeated());
        return new RefusedException(e.code(), "%s %s; %s.".formatted(e.what(), lookedIn(terminal), next), e);
    }

    /** What to add to a command that is to find the same data, with a blank before it; nothing where it would anyway. */
    String repeated() {
        if (server == null) {
            return store.repeated();
        }
        return " --server " + ShellWord.of(server)
                + (keyFile == null ? "" : " --key-file " + ShellWord.of(keyFile.toString()));
    }
}
