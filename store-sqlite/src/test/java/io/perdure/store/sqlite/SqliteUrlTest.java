package io.perdure.store.sqlite;

import static io.perdure.store.sqlite.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.StoreProvider;
import io.perdure.sdk.ErrorCode;
import java.nio.file.Path;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqliteUrlTest {
    @ParameterizedTest
    @CsvSource({
        "jdbc:sqlite:app.db, app.db",
        "jdbc:sqlite:data/app.db, data/app.db",
        "jdbc:sqlite:/data/app.db, /data/app.db",
        "jdbc:sqlite:../my app#1%20.db, ../my app#1%20.db",
        "jdbc:sqlite:file:app.db, app.db",
        "jdbc:sqlite:file:data/my%20app.db, data/my app.db",
        "jdbc:sqlite:file:/data/app.db, /data/app.db",
        "jdbc:sqlite:file:///data/what%3F.db, /data/what?.db",
    })
    void thePathIsWhatFollows(String url, String path) {
        assertThat(SqliteUrl.path(url)).isEqualTo(Path.of(path));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:sqlite: | names no file",
                "jdbc:sqlite:/ | names no file",
                "jdbc:sqlite:file: | no URI",
                "jdbc:sqlite:file:/ | names no file",
                "jdbc:sqlite::memory: | would keep nothing",
                "jdbc:sqlite:file::memory: | would keep nothing",
                "jdbc:sqlite:file:app.db?mode=memory | would keep nothing",
                "jdbc:sqlite::resource:app.db | names no file",
                "jdbc:sqlite:app.db?busy_timeout=5 | the parameter \"busy_timeout\"",
                "jdbc:sqlite:app.db?cache=shared&mode=rw | the parameter \"cache\"",
                "jdbc:sqlite:app.db? | There is a \"?\"",
                "jdbc:sqlite:file:my app.db | no URI",
                "jdbc:sqlite:file:app.db#top | write a # in a URI as %23",
                "jdbc:sqlite:file://server/app.db | the machine \"server\"",
                "jdbc:sqlite:file:/app%00.db | a control character",
            })
    void whatNamesNoFileIsRefused(String url, String why) {
        refuses(() -> SqliteUrl.path(url), ErrorCode.STORE_URL)
                .hasMessageContaining("\"" + url + "\"")
                .hasMessageContaining(why);
    }

    @Test
    void blanksAreNoName() {
        refuses(() -> SqliteUrl.path("jdbc:sqlite:  "), ErrorCode.STORE_URL).hasMessageContaining("names no file");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\u0000b", "a\nb", "a\u007fb", "a\u0085b"})
    void controlCharactersAreRefusedAndNotShown(String path) {
        refuses(() -> SqliteUrl.path("jdbc:sqlite:" + path), ErrorCode.STORE_URL)
                .hasMessageContaining("a control character")
                .hasMessageContaining("jdbc:sqlite:a\uFFFDb");
    }

    @Test
    void theProviderIsFoundByItsService() {
        assertThat(ServiceLoader.load(StoreProvider.class))
                .hasExactlyElementsOfTypes(SqliteProvider.class)
                .allSatisfy(provider -> {
                    assertThat(provider.form()).isEqualTo("jdbc:sqlite:<file>");
                    assertThat(provider.opens("jdbc:sqlite:app.db")).isTrue();
                    assertThat(provider.opens("jdbc:sqlite::memory:")).isTrue();
                    assertThat(provider.opens("jdbc:postgresql:app")).isFalse();
                });
    }
}
