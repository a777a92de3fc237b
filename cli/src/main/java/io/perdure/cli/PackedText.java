package io.perdure.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Pages of {@code docs/} that the build puts into the jar. */
final class PackedText {
    private PackedText() {}

    /** The page's text; empty where the jar has no such page. */
    static String of(String resource) {
        try (InputStream page = PackedText.class.getResourceAsStream(resource)) {
            return page == null ? "" : new String(page.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
