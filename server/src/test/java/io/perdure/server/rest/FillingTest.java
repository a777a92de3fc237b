package io.perdure.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.json.Json;
import org.junit.jupiter.api.Test;

class FillingTest {
    private static final Json LONG = Json.string("é".repeat(9 * 1024 * 1024));

    private final Filling filling = new Filling();

    @Test
    void theFirstIsTakenHoweverLongItIs() {
        assertThat(LONG.bytes()).isGreaterThan(16 * 1024 * 1024);
        assertThat(filling.add(LONG)).isTrue();
        assertThat(filling.add(Json.NULL)).isFalse();
        assertThat(filling.array().text()).isEqualTo("[" + LONG.text() + "]");
    }

    @Test
    void whatComesAfterIsTakenAsFarAsItFits() {
        assertThat(filling.add(Json.NULL)).isTrue();
        assertThat(filling.add(LONG)).isFalse();
        assertThat(filling.add(Json.NULL)).isTrue();
        assertThat(filling.size()).isEqualTo(2);
    }
}
