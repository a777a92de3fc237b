package io.perdure.server.http;

import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Nearest;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The parameters behind the question mark of a request. What is wrong with one is an error that names it. */
public final class Query {
    private static final Pattern WHOLE = Pattern.compile("-?[0-9]{1,18}");
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,3})?");
    private static final String ANY_NAME = ".<";

    private final Map<String, List<String>> values;

    private Query(Map<String, List<String>> values) {
        this.values = values;
    }

    /** Reads what a request line has there; {@code PD-609} where it is not percent-encoded UTF-8. */
    public static Query parse(String raw) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (String pair : raw.split("&", -1)) {
            if (!pair.isEmpty()) {
                int equals = pair.indexOf('=');
                String name = Percent.decode((equals < 0 ? pair : pair.substring(0, equals)).replace('+', ' '));
                String value = equals < 0
                        ? ""
                        : Percent.decode(pair.substring(equals + 1).replace('+', ' '));
                values.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
            }
        }
        return new Query(values);
    }

    /**
     * Answers this, or throws {@code PD-609} naming a parameter that is none of these and the one that may be meant. A name such as
     * {@code tag.<name>} stands for all that begin with {@code tag.}.
     */
    public Query requireOnly(List<String> known) {
        for (String name : values.keySet()) {
            if (known.stream().noneMatch(one -> isMeant(one, name))) {
                String hint = Nearest.to(name, known)
                        .map("did you mean \"%s\"?"::formatted)
                        .orElseGet(() -> known.isEmpty()
                                ? "no parameters are."
                                : "these are: " + String.join(", ", known) + ".");
                throw InvalidValueException.ofField(name, "is not known here; " + hint);
            }
        }
        return this;
    }

    private static boolean isMeant(String known, String name) {
        int open = known.indexOf(ANY_NAME);
        return open < 0
                ? known.equals(name)
                : name.startsWith(known.substring(0, open + 1)) && name.length() > open + 1;
    }

    /** The names that were given. */
    public Set<String> names() {
        return values.keySet();
    }

    /** All values of a parameter that may be repeated. */
    public List<String> all(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** A parameter; {@code PD-609} where it is repeated. */
    public Optional<String> text(String name) {
        List<String> all = all(name);
        if (all.size() > 1) {
            throw InvalidValueException.ofField(name, "is there more than once.");
        }
        return all.stream().findFirst();
    }

    /** What a parameter means; an error of that bears the parameter's name. */
    public <T> Optional<T> parsed(String name, Function<String, T> parse) {
        return text(name).map(value -> read(name, value, parse));
    }

    /** What the values of a parameter mean that may be repeated. */
    public <T> List<T> allParsed(String name, Function<String, T> parse) {
        return all(name).stream().map(value -> read(name, value, parse)).toList();
    }

    private static <T> T read(String name, String value, Function<String, T> parse) {
        try {
            return parse.apply(value);
        } catch (InvalidValueException e) {
            throw e.field().isPresent() ? e : e.in(name);
        }
    }

    /** A whole number within bounds. */
    public long number(String name, long least, long most, long unlessGiven) {
        return parsed(name, value -> {
                    if (WHOLE.matcher(value).matches()) {
                        long number = Long.parseLong(value);
                        if (number >= least && number <= most) {
                            return number;
                        }
                    }
                    throw InvalidValueException.ofField(
                            name, "must be a whole number from " + least + " to " + most + ".");
                })
                .orElse(unlessGiven);
    }

    /** A number of seconds, at most so many; zero unless it is given. */
    public Duration seconds(String name, Duration most) {
        return parsed(name, value -> {
                    if (SECONDS.matcher(value).matches()) {
                        Duration seconds = Duration.ofMillis(
                                new BigDecimal(value).movePointRight(3).longValueExact());
                        if (seconds.compareTo(most) <= 0) {
                            return seconds;
                        }
                    }
                    throw InvalidValueException.ofField(
                            name, "must be a number of seconds from 0 to " + most.toSeconds() + ".");
                })
                .orElse(Duration.ZERO);
    }

    /** True or false; false unless it is given. */
    public boolean flag(String name) {
        return parsed(name, value -> switch (value) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw InvalidValueException.ofField(name, "must be true or false.");
                })
                .orElse(false);
    }
}
