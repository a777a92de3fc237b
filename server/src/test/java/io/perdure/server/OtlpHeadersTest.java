package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtlpHeadersTest {
    @Test
    void theyAreReadAsOpenTelemetryWritesThem() {
        assertThat(OtlpHeaders.parse("api-key=s3cret").values()).isEqualTo(Map.of("api-key", "s3cret"));
        assertThat(OtlpHeaders.parse(" Authorization = Basic%20dXNlcjo+cGFzcw== ,x-scope=a%2Cb%25")
                        .values())
                .isEqualTo(Map.of("Authorization", "Basic dXNlcjo+cGFzcw==", "x-scope", "a,b%"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s3cret                         | header 1 is no name=value",
                "''                             | header 1 is no name=value",
                "a=s3cret,                      | header 2 is no name=value",
                "a=1,s3cret                     | header 2 is no name=value",
                "=s3cret                        | the name of header 1 is none",
                "s3 cret=1                      | the name of header 1 is none",
                "a=1,b=                         | header 2 has no value",
                "a=s3cret%                      | header 1 has a % that",
                "a=s3cret%zz                    | header 1 has a % that",
                "a=s3cret%0D%0AHost:%20elsewhere | the value of header 1 has characters",
                "a=s3cret%C3%BC                 | the value of header 1 has characters",
                "a=%20s3cret                    | the value of header 1 has characters",
                "a=s3cret,A=s3cret              | header 2 has the name of one before it",
                "Content-Type=s3cret            | header 1 has a name that says how",
                "host=s3cret                    | header 1 has a name that says how"
            })
    void whatIsWrongIsSaidWithoutTheSecret(String text, String why) {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> OtlpHeaders.parse(text))
                .satisfies(thrown -> {
                    assertThat(thrown.code()).isEqualTo(ErrorCode.SERVER_SETTINGS);
                    assertThat(thrown.what()).contains(why).doesNotContain("s3").doesNotContain("elsewhere");
                    assertThat(thrown).hasNoCause();
                });
    }

    @Test
    void thereAreBounds() {
        assertThat(many(32)).isNotNull();
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> many(33))
                .withMessageContaining("more than 32 headers");
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> OtlpHeaders.parse("a=" + "x".repeat(8_191)))
                .withMessageContaining("longer than 8192 characters");
    }

    private static OtlpHeaders many(int headers) {
        return OtlpHeaders.parse(
                IntStream.range(0, headers).mapToObj(i -> "h" + i + "=1").collect(Collectors.joining(",")));
    }

    @Test
    void whoPrintsTheOptionsPrintsNoSecret() {
        ServerOptions options =
                ServerOptions.of("jdbc:sqlite:app.db").otlpHeaders(OtlpHeaders.parse("api-key=s3cret,x-scope=s3cret"));
        assertThat(options.toString()).contains("[api-key, x-scope]").doesNotContain("s3cret");
    }
}
