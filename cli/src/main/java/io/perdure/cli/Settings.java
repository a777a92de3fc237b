package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Nearest;
import io.perdure.server.OtlpHeaders;
import io.perdure.server.ServerOptions;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/** The settings of a server, gathered from flags, the environment and a file. What is wrong says where it came from. */
final class Settings {
    /** With what the names of our variables begin, and nobody else's. */
    private static final List<String> OURS = List.of("PERDURE_", "WORKFLOWS_");

    /** The same where others may have theirs: what is near to one of ours is a slip, and all else is not for us. */
    private static final String SHARED = "OTLP_";

    /** Where a collector listens as a rule. */
    private static final URI COLLECTOR = URI.create("http://localhost:4318");

    /** Variables that mean something to other commands, or to the launcher. */
    private static final Set<String> OTHERS = Set.of(
            "PERDURE_SERVER",
            "PERDURE_KEY",
            "PERDURE_CONFIG",
            "PERDURE_STACKTRACE",
            "PERDURE_JAVA_OPTS",
            "PERDURE_AOT",
            "PERDURE_MAVEN",
            "PERDURE_MAVEN_SETTINGS",
            "PERDURE_MAVEN_REPOSITORY",
            "PERDURE_MAVEN_OFFLINE");

    private final Map<Setting, Given> given = new EnumMap<>(Setting.class);

    /** A value, and where it was found. */
    private record Given(String value, String where) {}

    private Settings() {}

    /**
     * Gathers them; a name in the file or the environment that is not known is refused, with the nearest that is.
     *
     * @param file where more of them are; absent where there is no file
     */
    static Settings of(Map<Setting, String> flags, Map<String, String> environment, @Nullable Path file) {
        return of(flags, environment, file, wrong -> {
            throw wrong;
        });
    }

    /**
     * The same, where what is refused is told, each by itself, and left out.
     *
     * @param refuse may throw what it is told
     */
    static Settings of(
            Map<Setting, String> flags,
            Map<String, String> environment,
            @Nullable Path file,
            Consumer<InvalidValueException> refuse) {
        Settings settings = new Settings();
        if (file != null) {
            settings.addFile(file, refuse);
        }
        settings.addEnvironment(environment, refuse);
        flags.forEach((setting, value) -> settings.given.put(setting, new Given(value, "--" + setting.key())));
        return settings;
    }

    private void addFile(Path file, Consumer<InvalidValueException> refuse) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            refuse.accept(refused("The settings cannot be read from the file %s.".formatted(file), e));
            return;
        }
        for (String key : properties.stringPropertyNames()) {
            Setting.ofKey(key)
                    .ifPresentOrElse(
                            setting -> given.put(
                                    setting, new Given(properties.getProperty(key), "\"" + key + "\" in " + file)),
                            () -> refuse.accept(unknown(
                                    "Setting \"%s\" in %s".formatted(key, file),
                                    key,
                                    Arrays.stream(Setting.values())
                                            .map(Setting::key)
                                            .toList())));
        }
    }

    private void addEnvironment(Map<String, String> environment, Consumer<InvalidValueException> refuse) {
        List<String> known = Stream.concat(Arrays.stream(Setting.values()).map(Setting::variable), OTHERS.stream())
                .toList();
        environment.keySet().stream()
                .filter(name -> !known.contains(name))
                .filter(name -> OURS.stream().anyMatch(name::startsWith)
                        || (name.startsWith(SHARED) && Nearest.to(name, known).isPresent()))
                .sorted()
                .forEach(name -> refuse.accept(unknown("Variable " + name, name, known)));
        for (Setting setting : Setting.values()) {
            String value = environment.getOrDefault(setting.variable(), "");
            if (!value.isEmpty()) {
                given.put(setting, new Given(value, setting.variable()));
            }
        }
    }

    private static InvalidValueException unknown(String what, String name, Collection<String> known) {
        String hint = Nearest.to(name, known)
                .map(near -> " Did you mean " + near + "?")
                .orElse(" There are: " + String.join(", ", known) + ".");
        return refused(what + " is not known." + hint, null);
    }

    /** Which were given, and where each was found. */
    Map<Setting, String> places() {
        Map<Setting, String> places = new EnumMap<>(Setting.class);
        given.forEach((setting, found) -> places.put(setting, found.where()));
        return places;
    }

    /** Of these settings only those that fit. */
    Settings only(Predicate<Setting> fits) {
        Settings some = new Settings();
        given.forEach((setting, found) -> {
            if (fits.test(setting)) {
                some.given.put(setting, found);
            }
        });
        return some;
    }

    /** The store that is served, if one was named. */
    @Nullable
    String store() {
        Given store = given.get(Setting.STORE);
        return store == null ? null : store.value().strip();
    }

    /** What a server over this store is started with. */
    ServerOptions options(String store) {
        ServerOptions options = ServerOptions.of(store);
        options = with(options, Setting.HOST, Function.identity(), ServerOptions::host);
        options = with(options, Setting.PORT, Settings::number, ServerOptions::port);
        options = with(options, Setting.BEHIND_PROXY, Settings::flag, ServerOptions::behindProxy);
        options = with(options, Setting.DRAIN, DurationText::parse, ServerOptions::drain);
        options = with(options, Setting.MAX_BODY_BYTES, Settings::number, ServerOptions::maxBodyBytes);
        options = with(options, Setting.MAX_WAITING, Settings::number, ServerOptions::maxWaiting);
        options = with(options, Setting.MAX_REQUESTS, Settings::number, ServerOptions::maxRequests);
        options = with(options, Setting.MAX_RETENTION_DAYS, Settings::number, ServerOptions::maxRetentionDays);
        options = with(options, Setting.MAX_RUN_EVENTS, Settings::number, ServerOptions::maxRunEvents);
        options = with(options, Setting.MAX_RUN_BYTES, Settings::number, ServerOptions::maxRunBytes);
        options = with(
                options,
                Setting.SWEEPER_INTERVAL_MS,
                text -> Duration.ofMillis(number(text)),
                ServerOptions::sweeperInterval);
        return withTls(withOtlp(options));
    }

    /** Spans are sent where that is said, and not for an address alone. */
    private ServerOptions withOtlp(ServerOptions options) {
        // An address or a header that cannot be taken is said, whether it is used or not.
        ServerOptions there = with(
                options.otlpEndpoint(COLLECTOR), Setting.OTLP_ENDPOINT, Settings::url, ServerOptions::otlpEndpoint);
        ServerOptions sending = with(there, Setting.OTLP_HEADERS, OtlpHeaders::parse, ServerOptions::otlpHeaders);
        return with(options, Setting.OTLP_ENABLED, Settings::flag, (quiet, yes) -> yes ? sending : quiet);
    }

    private ServerOptions withTls(ServerOptions options) {
        Given certificate = given.get(Setting.TLS_CERTIFICATE);
        Given key = given.get(Setting.TLS_KEY);
        if (certificate == null && key == null) {
            return options;
        }
        if (certificate == null || key == null) {
            throw refused(
                    "%s and %s go together; only one of them was given."
                            .formatted(Setting.TLS_CERTIFICATE.key(), Setting.TLS_KEY.key()),
                    null);
        }
        return options.tls(path(certificate), path(key));
    }

    /** How the server logs. */
    LogOptions log() {
        LogOptions options =
                with(LogOptions.DEFAULTS, Setting.LOG_FORMAT, LogOptions.Format::parse, LogOptions::format);
        return with(options, Setting.LOG_LEVEL, LogOptions.Threshold::parse, LogOptions::threshold);
    }

    private <O, T> O with(O options, Setting setting, Function<String, T> parse, BiFunction<O, T, O> change) {
        Given asked = given.get(setting);
        if (asked == null) {
            return options;
        }
        try {
            return change.apply(options, parse.apply(asked.value().strip()));
        } catch (TypeConversionException e) {
            throw refused("%s cannot be read: %s.".formatted(asked.where(), e.getMessage()), e);
        } catch (IllegalArgumentException e) {
            throw refused("%s is \"%s\". %s".formatted(asked.where(), asked.value(), e.getMessage()), e);
        } catch (InvalidValueException e) {
            throw refused("%s: %s".formatted(asked.where(), e.what()), e);
        }
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("A whole number is expected.", e);
        }
    }

    private static URI url(String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException _) {
            // What it says has the text, in which there may be a password.
            throw new InvalidValueException(ErrorCode.SERVER_SETTINGS, "A URL is expected, such as " + COLLECTOR + ".");
        }
    }

    private static boolean flag(String text) {
        return switch (text) {
            case "true", "1", "yes" -> true;
            case "false", "0", "no" -> false;
            default -> throw new IllegalArgumentException("Either true or false is expected.");
        };
    }

    private static Path path(Given file) {
        try {
            return Path.of(file.value().strip());
        } catch (InvalidPathException e) {
            throw refused("%s names no file.".formatted(file.where()), e);
        }
    }

    private static InvalidValueException refused(String what, @Nullable Throwable cause) {
        return new InvalidValueException(ErrorCode.SERVER_SETTINGS, what, cause);
    }
}
