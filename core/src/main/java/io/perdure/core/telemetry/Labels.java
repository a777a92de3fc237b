package io.perdure.core.telemetry;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The values of one label. They are few, whatever users name things: a store of time series pays for each of them for ever. Numbers in a name are
 * folded, and names that come after so many others are all one.
 */
final class Labels {
    /** What stands for all that there is no room for. */
    static final String OTHER = "other";

    private static final Pattern ID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    private final int most;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    Labels(int most) {
        this.most = most;
    }

    /** The name itself while there is room for it. */
    String of(String name) {
        if (known.contains(name)) {
            return name;
        }
        // Two that come at once may both find room: the bound is not that exact.
        return known.size() < most && known.add(name) ? name : known.contains(name) ? name : OTHER;
    }

    /** The name of a step: {@code charge-17} is {@code charge-#}. */
    String ofNumbered(String name) {
        return of(folded(name));
    }

    static String folded(String name) {
        return name.chars().noneMatch(Labels::isDigit) ? name : foldedAll(name);
    }

    private static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }

    private static String foldedAll(String name) {
        return NUMBER.matcher(ID.matcher(name).replaceAll("#")).replaceAll("#");
    }
}
