package io.perdure.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.ApiKey;
import io.perdure.sdk.key.NewKey;
import io.perdure.sdk.key.RevokedKey;
import io.perdure.sdk.key.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is sent about keys, how its answer is read, and what is sent again. */
class RemoteKeysTest {
    private static final String ID = "a".repeat(16);
    private static final String MADE = "2026-01-01T00:00:00Z";

    private final ScriptedServer server = new ScriptedServer();
    private final SkippingTime time = new SkippingTime();
    private final PerdureClient client = server.client(ConnectOptions.defaults().key("pd_test"), time);

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private static String key(String more) {
        return """
                {"id":"%s","name":"shop","role":"worker","tenant":"acme","createdAt":"%s"%s}""".formatted(ID, MADE, more);
    }

    @Test
    void aKeyIsMadeWithAllThatWasAskedFor() {
        server.then(ScriptedServer.answer(201, "{\"key\":" + key("") + ",\"token\":\"pd_secret\"}"));

        NewKey made = client.keys().create("shop", Role.WORKER, Duration.ofDays(1));

        ScriptedServer.Asked asked = server.only();
        assertThat(asked.line()).isEqualTo("POST /v1/keys");
        assertThat(asked.body()).isEqualTo("{\"name\":\"shop\",\"role\":\"worker\",\"expiresAfter\":86400}");
        assertThat(asked.key()).isEqualTo("Bearer pd_test");
        assertThat(made.token()).isEqualTo("pd_secret");
        assertThat(made.key().tenant()).isEqualTo(new TenantId("acme"));
        assertThat(made.key().role()).isEqualTo(Role.WORKER);
    }

    @Test
    void aKeyThatDoesNotExpireSaysNothingOfIt() {
        server.then(ScriptedServer.answer(201, "{\"key\":" + key("") + ",\"token\":\"pd_secret\"}"));

        assertThat(client.keys().create("shop", Role.CLIENT, null).key().expiresAt())
                .isNull();
        assertThat(server.only().body()).isEqualTo("{\"name\":\"shop\",\"role\":\"client\"}");
    }

    @Test
    void aKeyWhoseAnswerWasLostIsNotMadeTwice() {
        server.then(ScriptedServer.dropped());

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> client.keys().create("shop", Role.CLIENT, null))
                .returns(ErrorCode.OUTCOME_UNKNOWN, PerdureException::code);
        assertThat(server.asked()).hasSize(1);
    }

    @Test
    void aKeyThatWasNotMadeIsAskedForAgain() {
        server.then(
                ScriptedServer.problem(503, new StoreException(ErrorCode.STORE_BUSY, "Busy.")),
                ScriptedServer.answer(201, "{\"key\":" + key("") + ",\"token\":\"pd_secret\"}"));

        assertThat(client.keys().create("shop", Role.CLIENT, null).token()).isEqualTo("pd_secret");
        assertThat(server.asked()).hasSize(2);
    }

    @Test
    void keysAreListed() {
        server.then("{\"keys\":[" + key("") + "," + key(",\"expiresAt\":\"" + MADE + "\"") + "]}");

        List<ApiKey> keys = client.keys().list();

        assertThat(server.only().line()).isEqualTo("GET /v1/keys");
        assertThat(keys).extracting(ApiKey::expiresAt).containsExactly(null, Instant.parse(MADE));
    }

    @Test
    void aKeyIsRevokedAlsoWhereAnAnswerWasLost() {
        server.then(ScriptedServer.dropped())
                .then("{\"revoked\":false,\"key\":" + key(",\"revokedAt\":\"" + MADE + "\"") + "}");

        RevokedKey revoked = client.keys().revoke(ID);

        assertThat(server.asked())
                .extracting(ScriptedServer.Asked::line)
                .containsExactly("DELETE /v1/keys/" + ID, "DELETE /v1/keys/" + ID);
        assertThat(revoked.now()).isFalse();
        assertThat(revoked.key().revokedAt()).isEqualTo(Instant.parse(MADE));
    }

    @Test
    void aKeyThatIsNotThereIsToldAsTheServerDoes() {
        server.then(ScriptedServer.problem(404, new RefusedException(ErrorCode.NO_SUCH_KEY, "None.")));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> client.keys().revoke(ID))
                .returns(ErrorCode.NO_SUCH_KEY, PerdureException::code);
    }

    @Test
    void whatIsNoIdOrNameIsNotSent() {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> client.keys().revoke("../runs"))
                .returns(ErrorCode.INVALID_ID, PerdureException::code);
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> client.keys().create("", Role.CLIENT, null))
                .returns(ErrorCode.INVALID_NAME, PerdureException::code);
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void anAnswerThatCannotBeReadShowsNoToken() {
        server.then(ScriptedServer.answer(201, "{\"key\":7,\"token\":\"pd_secret\"}"));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> client.keys().create("shop", Role.CLIENT, null))
                .returns(ErrorCode.PROTOCOL_MISMATCH, PerdureException::code)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("pd_secret"));
    }
}
