package io.perdure.store.postgres;

import static io.perdure.store.postgres.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.StoreProvider;
import io.perdure.sdk.ErrorCode;
import io.perdure.store.postgres.PostgresUrl.Migrate;
import io.perdure.store.postgres.PostgresUrl.Pooler;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresUrlTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:postgresql://db/app | jdbc:postgresql://db:5432/app",
                "jdbc:postgresql://db:6000/app?user=me&password=x | jdbc:postgresql://db:6000/app",
                "jdbc:postgresql://a,b:6001,c/app | jdbc:postgresql://a:5432,b:6001,c:5432/app",
                "jdbc:postgresql://[::1]:6000/app | jdbc:postgresql://[::1]:6000/app",
                "jdbc:postgresql://db/my%20app? | jdbc:postgresql://db:5432/my app",
                "postgresql://db/app | jdbc:postgresql://db:5432/app",
                "postgres://me:se%40cret@db:6000/app?sslmode=require | jdbc:postgresql://db:6000/app",
            })
    void serverAndDatabaseAreWhatPeopleAreTold(String text, String shown) {
        assertThat(PostgresUrl.parse(text)).hasToString(shown);
    }

    @Test
    void whatIsNotSaidIsChosen() {
        PostgresUrl url = PostgresUrl.parse("jdbc:postgresql://db/app");

        assertThat(url.schema()).isEqualTo("perdure");
        assertThat(url.pooler()).isEqualTo(Pooler.NONE);
        assertThat(url.migrate()).isEqualTo(Migrate.AUTO);
        assertThat(url.connections()).isEqualTo(8);
        assertThat(url.driver())
                .containsEntry("ApplicationName", "perdure")
                .containsEntry("prepareThreshold", "1")
                .containsEntry("tcpKeepAlive", "true")
                .containsEntry("connectTimeout", "5")
                .containsEntry("socketTimeout", "25")
                .containsEntry("binaryTransfer", "true")
                .doesNotContainKeys("targetServerType", "user", "password");
    }

    @Test
    void ourOwnParametersDoNotReachTheDriver() {
        PostgresUrl url = PostgresUrl.parse("jdbc:postgresql://db/app?perdure.schema=jobs_1&perdure.pooler=transaction"
                + "&perdure.migrate=check&perdure.connections=20&ApplicationName=shop&user=me&password=a+b%2Bc");

        assertThat(url.schema()).isEqualTo("jobs_1");
        assertThat(url.pooler()).isEqualTo(Pooler.TRANSACTION);
        assertThat(url.migrate()).isEqualTo(Migrate.CHECK);
        assertThat(url.connections()).isEqualTo(20);
        assertThat(url.driver())
                .containsEntry("ApplicationName", "shop")
                .containsEntry("prepareThreshold", "0")
                .containsEntry("user", "me")
                .containsEntry("password", "a b+c")
                .allSatisfy((key, value) -> assertThat(key).doesNotStartWith("perdure"));
    }

    @Test
    void whatPlatformsHandOutIsTranslated() {
        PostgresUrl url = PostgresUrl.parse("postgres://me%3A:p%40ss:+word@db.example.com/app"
                + "?sslmode=verify-full&channel_binding=require&connect_timeout=3&application_name=shop");

        assertThat(url.driver())
                .containsEntry("user", "me:")
                .containsEntry("password", "p@ss:+word")
                .containsEntry("sslmode", "verify-full")
                .containsEntry("channelBinding", "require")
                .containsEntry("connectTimeout", "3")
                .containsEntry("ApplicationName", "shop");
    }

    @Test
    void ofSeveralHostsThePrimaryIsMeant() {
        assertThat(PostgresUrl.parse("jdbc:postgresql://a,b/app").driver())
                .containsEntry("targetServerType", "primary");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "jdbc:postgresql:app | names no server",
                "jdbc:postgresql:///app | names no server",
                "jdbc:postgresql://db | names no database",
                "jdbc:postgresql://db/ | names no database",
                "jdbc:postgresql://db/a/b | \"a/b\" after the server is not one database",
                "jdbc:postgresql://a,,b/app | \"\" is not a host",
                "jdbc:postgresql://db:x/app | \"db:x\" is not a host or host:port",
                "jdbc:postgresql://db:0/app | The port 0 is not within 1 to 65535",
                "jdbc:postgresql://db:65536/app | The port 65536 is not within",
                "jdbc:postgresql://::1/app | \"::1\" is not a host",
                "jdbc:postgresql://db/app#top | written %23",
                "jdbc:postgresql://db/app%0 | no two hexadecimal digits follow",
                "jdbc:postgresql://db/app%00 | a control character",
                "jdbc:postgresql://db/app?sslmode | The parameter \"sslmode\" has no value",
                "jdbc:postgresql://db/app?user=a&user=b | gives \"user\" twice",
                "postgres://a@db/app?user=b | gives \"user\" twice",
                "jdbc:postgresql://db/app?sslmod=require | \"sslmod\" is not known. Did you mean \"sslmode\"?",
                "jdbc:postgresql://db/app?application_name=x | Did you mean \"ApplicationName\"?",
                "jdbc:postgresql://db/app?qqqqqqqqqq=x | \"qqqqqqqqqq\" is not known.",
                "jdbc:postgresql://db/app?sslmode=maybe | sslmode is \"maybe\", but must be disable or allow or prefer",
                "jdbc:postgresql://db/app?readOnly=true | \"readOnly\" cannot be used",
                "jdbc:postgresql://db/app?PGHOST=x | \"PGHOST\" cannot be used",
                "jdbc:postgresql://db/app?perdure.shema=x | Did you mean \"perdure.schema\"?",
                "jdbc:postgresql://db/app?Perdure.Schema=x | Did you mean \"perdure.schema\"?",
                "jdbc:postgresql://db/app?perdure.x=1 | There are perdure.schema, perdure.pooler, perdure.migrate",
                "postgres://me:a/b@db/app | write / ? # and @ as %2F, %3F, %23 and %40",
                "postgres://me:a?b@db/app | write / ? # and @ as %2F, %3F, %23 and %40",
                "jdbc:postgresql://db/app?perdure.schema= | perdure.schema is \"\", but must be 1 to 48",
                "jdbc:postgresql://db/app?perdure.schema=Jobs | perdure.schema is \"Jobs\"",
                "jdbc:postgresql://db/app?perdure.schema=1a | perdure.schema is \"1a\"",
                "jdbc:postgresql://db/app?perdure.schema=a%22b | perdure.schema is \"a\"b\"",
                "jdbc:postgresql://db/app?perdure.schema=pg_jobs | belongs to Postgres itself",
                "jdbc:postgresql://db/app?perdure.pooler=session | perdure.pooler is \"session\", but must be none or transaction",
                "jdbc:postgresql://db/app?perdure.migrate=never | perdure.migrate is \"never\", but must be auto or check",
                "jdbc:postgresql://db/app?perdure.connections=1 | is \"1\", but must be a number within 2 to 100",
                "jdbc:postgresql://db/app?perdure.connections=101 | within 2 to 100",
                "jdbc:postgresql://db/app?perdure.connections=99999999999 | within 2 to 100",
                "jdbc:postgresql://db/app?perdure.connections=ten | is \"ten\"",
                "jdbc:mysql://db/app | does not begin with jdbc:postgresql:",
            })
    void whatIsWrongIsNamed(String url, String why) {
        refuses(() -> PostgresUrl.parse(url), ErrorCode.STORE_URL).hasMessageContaining(why);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgres://me:secret@db/app?x=1",
                "postgres://me:secret@db",
                "postgres://me:secret/@db/app",
                "postgres://me:secret?@db/app/x",
                "postgres://me:secret#@db/app",
                "postgres://me:secret@x@db/app?perdure.connections=0",
                "jdbc:postgresql://db/app?user=me&password=secret&x=1",
                "jdbc:postgresql:db/app?password=secret",
                "jdbc:postgresql://db/app?password=secret%",
                "jdbc:postgresql://db/app?password=secret#",
            })
    void noErrorShowsAPassword(String url) {
        refuses(() -> PostgresUrl.parse(url), ErrorCode.STORE_URL).hasMessageNotContaining("secret");
    }

    @Test
    void noTextShowsAPassword() {
        PostgresUrl url = PostgresUrl.parse("postgres://me:secret@db/app?sslpassword=secret");

        assertThat(url.toString() + url.shown() + url.jdbc() + url.server()).doesNotContain("secret", "me");
    }

    @Test
    void controlCharactersDoNotReachALog() {
        refuses(() -> PostgresUrl.parse("postgres://db\u001B[31m/app"), ErrorCode.STORE_URL)
                .hasMessageContaining("db\uFFFD[31m/app");
    }

    @Test
    void theModuleIsFoundByItsUrl() {
        assertThat(ServiceLoader.load(StoreProvider.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(provider -> provider.opens("postgres://db/app")))
                .singleElement()
                .satisfies(provider -> assertThat(provider.form()).isEqualTo("jdbc:postgresql://<host>/<database>"));
    }
}
