package io.perdure.core.store;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Unmodifiable copies in a fixed order. Those of {@code Map.copyOf} come in another order in every process, and the trace of
 * one seed would differ from run to run.
 */
final class Ordered {
    private Ordered() {}

    static <V> Map<String, V> copy(Map<String, V> map) {
        return map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(map));
    }

    static <T extends Comparable<T>> Set<T> copy(Set<T> set) {
        return set.isEmpty() ? Set.of() : Collections.unmodifiableSet(new TreeSet<>(set));
    }
}
