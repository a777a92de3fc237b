package io.perdure.server.rest;

import io.perdure.sdk.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The OpenAPI document, as it lies beside the classes of the server. */
final class Document {
    private static final String PLACE = "/io/perdure/server/openapi.json";

    private Document() {}

    static Json read() {
        try (InputStream in = Objects.requireNonNull(Document.class.getResourceAsStream(PLACE), PLACE)) {
            return Json.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
