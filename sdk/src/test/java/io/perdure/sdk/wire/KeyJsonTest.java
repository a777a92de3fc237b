package io.perdure.sdk.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.id.KeyName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.key.ApiKey;
import io.perdure.sdk.key.NewKey;
import io.perdure.sdk.key.RevokedKey;
import io.perdure.sdk.key.Role;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class KeyJsonTest {
    private static final Instant MADE = Instant.parse("2026-01-01T00:00:00Z");
    private static final ApiKey ENDLESS = new ApiKey(
            new KeyId("a".repeat(16)), new TenantId("acme"), new KeyName("shop \"1\""), Role.WORKER, MADE, null, null);
    private static final ApiKey ENDED = new ApiKey(
            new KeyId("b".repeat(16)),
            TenantId.DEFAULT,
            new KeyName("boss"),
            Role.ADMIN,
            MADE,
            MADE.plusSeconds(90),
            MADE.plusSeconds(60));

    @Test
    void aKeyComesBackAsItself() {
        assertThat(KeyJson.key(KeyJson.write(ENDLESS))).isEqualTo(ENDLESS);
        assertThat(KeyJson.key(KeyJson.write(ENDED))).isEqualTo(ENDED);
        assertThat(JsonObject.parse(KeyJson.write(ENDLESS)).names())
                .containsExactly("id", "name", "role", "tenant", "createdAt");
    }

    @Test
    void whatWasMadeOrRevokedComesBackAsItself() {
        NewKey made = new NewKey(ENDLESS, "pd_secret");
        assertThat(KeyJson.made(KeyJson.write(made))).isEqualTo(made);
        for (boolean now : new boolean[] {true, false}) {
            RevokedKey revoked = new RevokedKey(ENDED, now);
            assertThat(KeyJson.revoked(KeyJson.write(revoked))).isEqualTo(revoked);
        }
    }

    @Test
    void whatIsAskedForComesBackAsItself() {
        KeyJson.Creation brief = new KeyJson.Creation(new KeyName("shop"), Role.WORKER, Duration.ofMillis(1_500));
        assertThat(brief.write().text()).isEqualTo("{\"name\":\"shop\",\"role\":\"worker\",\"expiresAfter\":1.5}");
        assertThat(KeyJson.Creation.read(brief.write())).isEqualTo(brief);
        assertThat(KeyJson.Creation.read(Json.of("{\"name\":\"shop\"}")))
                .isEqualTo(new KeyJson.Creation(new KeyName("shop"), Role.CLIENT, null));
    }

    @Test
    void aFieldThatIsNotKnownIsRefused() {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> KeyJson.Creation.read(Json.of("{\"name\":\"shop\",\"tenant\":\"acme\"}")))
                .returns(ErrorCode.INVALID_FIELD, PerdureException::code)
                .withMessageContaining("tenant");
    }
}
