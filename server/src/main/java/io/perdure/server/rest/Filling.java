package io.perdure.server.rest;

import io.perdure.sdk.Limits;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import java.util.ArrayList;
import java.util.List;

/** The elements of one answer: about 16 MiB of them, and at least one however long it is. For one thread. */
final class Filling {
    /** How many are read from the store at once: each may have a value of 1 MiB, or several. */
    static final int LOOK = 50;

    private static final int MOST_BYTES = Limits.defaults().rest().pageBytes();

    private final List<Json> elements = new ArrayList<>();
    private long bytes;

    /** Adds an element, unless the answer would grow too long with it; answers whether it was added. */
    boolean add(Json element) {
        long with = bytes + element.bytes() + 1;
        if (with > MOST_BYTES && !elements.isEmpty()) {
            return false;
        }
        bytes = with;
        elements.add(element);
        return true;
    }

    int size() {
        return elements.size();
    }

    /** The array of what was added. */
    Json array() {
        return JsonArray.of(elements);
    }
}
