package io.perdure.core.store;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.Environment;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Finds the store that a URL names among the modules that are there. */
public final class Stores {
    /** To the last @, because a password may contain one that nobody escaped. */
    private static final Pattern USER = Pattern.compile("//.*@");

    private static final Pattern PASSWORD = Pattern.compile("(?i)(password)=[^&]*");

    private Stores() {}

    /** Opens the store; throws {@code PD-210} where no module knows such a URL. */
    public static Store open(String url, Environment environment, Limits limits) {
        return provider(url).open(url, environment, limits);
    }

    /** What it takes to make the store ready; throws {@code PD-210} where no module knows such a URL. */
    public static StoreMigration migration(String url) {
        return provider(url).migration(url);
    }

    /** Looks the store over and changes nothing; throws {@code PD-210} where no module knows such a URL. */
    public static List<Finding> examine(String url, Environment environment) {
        return provider(url).examine(url, environment);
    }

    /** A URL as it may be shown: without a password, wherever in it that stands. */
    public static String shown(String url) {
        String beforeHost = USER.matcher(url).replaceFirst("//***@");
        return PASSWORD.matcher(beforeHost).replaceAll("$1=***");
    }

    private static StoreProvider provider(String url) {
        Objects.requireNonNull(url, "url");
        List<StoreProvider> providers = providers(ServiceLoader.load(StoreProvider.class));
        if (providers.isEmpty()) {
            // The thread's own class loader may know nothing of us, as in some servers.
            providers = providers(ServiceLoader.load(StoreProvider.class, Stores.class.getClassLoader()));
        }
        List<StoreProvider> known = providers;
        return known.stream()
                .filter(provider -> provider.opens(url))
                .findFirst()
                .orElseThrow(() -> unknown(url, known));
    }

    private static List<StoreProvider> providers(ServiceLoader<StoreProvider> loader) {
        return loader.stream().map(ServiceLoader.Provider::get).toList();
    }

    private static StoreException unknown(String url, List<StoreProvider> providers) {
        String known = providers.isEmpty()
                ? "There is no store module on the class path or module path."
                : providers.stream()
                        .map(StoreProvider::form)
                        .sorted()
                        .collect(Collectors.joining(", ", "The stores that are here open ", "."));
        return new StoreException(ErrorCode.STORE_URL, "No store opens \"%s\". %s".formatted(shown(url), known));
    }
}
