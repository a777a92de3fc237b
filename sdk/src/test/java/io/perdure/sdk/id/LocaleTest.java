package io.perdure.sdk.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.sdk.json.Json;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Some locales have digits of their own; patterns and messages must not take them. */
class LocaleTest {
    @Test
    void namesAndMessagesAreTheSameInEveryLocale() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("ar-EG"));

            assertThat(Names.pattern("[a-z]", 48).pattern()).isEqualTo("[a-z]{1,48}");
            assertThatThrownBy(() -> Json.of("\"abcdefgh\"").within(4, "Input"))
                    .hasMessageStartingWith("PD-003 Input has 10 bytes; at most 4 fit.");
            assertThatThrownBy(() -> new GroupKey("x".repeat(300))).hasMessageContaining("it has 300 bytes");
        } finally {
            Locale.setDefault(before);
        }
    }
}
