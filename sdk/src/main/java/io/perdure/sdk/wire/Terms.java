package io.perdure.sdk.wire;

import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a server tells a worker before they begin.
 *
 * @param protocols the versions of this protocol that the server speaks
 * @param server its release
 * @param lease how long a claimed run stays with its worker without an extension
 */
public record Terms(Set<Integer> protocols, String server, Duration lease) {
    /** The header by which a worker names the version that it speaks. */
    public static final String PROTOCOL_HEADER = "Perdure-Protocol";

    /** The header by which a worker names itself, from its start to its end. */
    public static final String WORKER_HEADER = "Perdure-Worker";

    /** The version that this release speaks. */
    public static final int PROTOCOL = 1;

    public Terms {
        protocols = Set.copyOf(protocols);
    }

    /** The newest version that both sides speak. */
    public Optional<Integer> agree(Collection<Integer> ours) {
        return ours.stream().filter(protocols::contains).max(Integer::compare);
    }

    public Json json() {
        List<Json> numbers = new TreeSet<>(protocols).stream().map(Json::number).toList();
        return JsonObject.builder()
                .put("protocols", JsonArray.of(numbers))
                .put("server", server)
                .put("lease", lease.toString())
                .build();
    }

    public static Terms read(Json json) {
        JsonObject object = JsonObject.parse(json);
        return new Terms(
                JsonArray.parse(object.value("protocols")).stream()
                        .map(Terms::protocol)
                        .collect(Collectors.toSet()),
                object.string("server"),
                Fields.duration(object, "lease"));
    }

    private static int protocol(Json json) {
        try {
            return Integer.parseInt(json.text());
        } catch (NumberFormatException e) {
            throw InvalidValueException.ofField("protocols", "holds what is no number of a protocol.");
        }
    }
}
