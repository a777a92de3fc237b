package io.perdure.server.telemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.resources.Resource;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.logging.Logs;
import io.perdure.server.http.Percent;
import io.perdure.server.http.Release;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Which process spans come from, so that servers, releases and places can be told apart. */
final class Origin {
    private static final System.Logger LOG = Logs.of(Origin.class);
    private static final String NAME = "service.name";
    private static final String NAME_VARIABLE = "OTEL_SERVICE_NAME";
    private static final String ATTRIBUTES_VARIABLE = "OTEL_RESOURCE_ATTRIBUTES";

    private Origin() {}

    /**
     * This process, with what OpenTelemetry's own variables say of it, which goes before what is known here.
     *
     * @param variables those of the process
     */
    static Resource of(Map<String, String> variables) {
        Map<String, String> said = new LinkedHashMap<>();
        said.put(NAME, "perdure");
        said.put("service.version", Release.running());
        said.put("service.instance.id", UUID.randomUUID().toString());
        said.putAll(attributes(variables.getOrDefault(ATTRIBUTES_VARIABLE, "")));
        String name = variables.getOrDefault(NAME_VARIABLE, "");
        if (!name.isBlank()) {
            said.put(NAME, name);
        }
        AttributesBuilder attributes = Attributes.builder();
        said.forEach(attributes::put);
        return Resource.getDefault().merge(Resource.create(attributes.build()));
    }

    /** What is malformed is dropped as a whole, as the standard has it: other programs read the variable, too, and it is not worth a start. */
    private static Map<String, String> attributes(String text) {
        if (text.isBlank()) {
            return Map.of();
        }
        Map<String, String> read = new LinkedHashMap<>();
        for (String pair : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? "" : pair.substring(0, equals).strip();
            if (key.isEmpty()) {
                return dropped(read.size() + 1);
            }
            try {
                read.put(
                        Percent.decode(key),
                        Percent.decode(pair.substring(equals + 1).strip()));
            } catch (InvalidValueException _) {
                return dropped(read.size() + 1);
            }
        }
        return read;
    }

    private static Map<String, String> dropped(int place) {
        LOG.log(
                Level.WARNING,
                "Variable %s is not taken: pair %s of it is no key=value with a percent-encoded value."
                        .formatted(ATTRIBUTES_VARIABLE, place));
        return Map.of();
    }
}
