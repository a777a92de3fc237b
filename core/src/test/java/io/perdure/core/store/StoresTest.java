package io.perdure.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoresTest {
    @ParameterizedTest
    @CsvSource({
        "jdbc:sqlite:app@home.db, jdbc:sqlite:app@home.db",
        "postgres://me:secret@db/app, postgres://***@db/app",
        "postgres://me:se@cret/@db/app?x=1, postgres://***@db/app?x=1",
        "jdbc:x://db/app?user=me&password=secret&a=b, jdbc:x://db/app?user=me&password=***&a=b",
        "jdbc:x://db/app?sslPassword=secret, jdbc:x://db/app?sslPassword=***",
    })
    void aUrlIsShownWithoutItsPassword(String url, String shown) {
        assertThat(Stores.shown(url)).isEqualTo(shown);
    }

    @Test
    void anUnknownUrlIsRefusedWithoutItsPassword() {
        assertThatThrownBy(() -> Stores.migration("nosuch://me:secret@db/app"))
                .hasMessageStartingWith("PD-210 No store opens \"nosuch://***@db/app\".");
    }
}
