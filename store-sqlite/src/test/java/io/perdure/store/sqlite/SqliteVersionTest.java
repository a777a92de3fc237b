package io.perdure.store.sqlite;

import static io.perdure.store.sqlite.Refusal.refuses;

import io.perdure.sdk.ErrorCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteVersionTest {
    @ParameterizedTest
    @ValueSource(strings = {"3.51.2", "3.9.9", "3.51", "2.99.99", "", "unknown", "3.51.x"})
    void anOldOrOddLibraryIsRefused(String version) {
        refuses(() -> SqliteVersion.check(version), ErrorCode.STORE_FAILED)
                .hasMessageContaining("version " + version + ";")
                .hasMessageContaining("3.51.3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.51.3", "3.51.10", "3.52.0", "3.53.4", "3.100.0", "4.0.0"})
    void aSoundOneIsTaken(String version) {
        SqliteVersion.check(version);
    }
}
