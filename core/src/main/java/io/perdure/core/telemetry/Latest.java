package io.perdure.core.telemetry;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Remembers so many, and lets go of what nobody asked for the longest. */
final class Latest<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;
    private static final int AT_FIRST = 64;
    private static final float LOAD = 0.75f;

    private final int most;

    private Latest(int most) {
        super(AT_FIRST, LOAD, true);
        this.most = most;
    }

    /** An empty one, for any thread. */
    static <K, V> Map<K, V> of(int most) {
        return Collections.synchronizedMap(new Latest<>(most));
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
