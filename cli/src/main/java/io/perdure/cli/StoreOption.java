package io.perdure.cli;

import io.perdure.core.Perdure;
import io.perdure.core.store.StoreMigration;
import io.perdure.core.store.Stores;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The {@code --store} that every command which opens one shares. */
final class StoreOption {
    static final String DEFAULT = "jdbc:sqlite:perdure.db";
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
        return found(url(terminal), Perdure::open);
    }

    /** What it takes to make the store that was asked for ready. */
    StoreMigration migration(Terminal terminal) {
        return found(url(terminal), Stores::migration);
    }

    /** Does something with the store of a URL; where that is none, the error says what was meant. */
    static <T> T found(String asked, Function<String, T> by) {
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

    String url(Terminal terminal) {
        if (url != null) {
            return url;
        }
        String variable = terminal.environment().getOrDefault(VARIABLE, "");
        return variable.isEmpty() ? DEFAULT : variable;
    }

    boolean isGiven() {
        return url != null;
    }

    /**
     * What to add to a command that is to find the same store, with a blank before it; nothing where it would anyway. A password
     * is left to be filled in: this is printed.
     */
    String repeated() {
        return url == null ? "" : " --store " + ShellWord.of(Stores.shown(url));
    }
}
