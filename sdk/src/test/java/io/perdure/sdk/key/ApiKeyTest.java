package io.perdure.sdk.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.id.KeyName;
import io.perdure.sdk.id.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiKeyTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Duration MOMENT = Duration.ofNanos(1_000);

    private static ApiKey key(@Nullable Instant expiresAt) {
        return new ApiKey(
                new KeyId("abcdefghijkl2345"),
                TenantId.DEFAULT,
                new KeyName("billing"),
                Role.CLIENT,
                NOON,
                expiresAt,
                null);
    }

    @Test
    void aKeyCountsUntilItExpires() {
        assertThat(key(NOON).stateAt(NOON.minus(MOMENT))).isEqualTo(ApiKey.State.ACTIVE);
        assertThat(key(NOON).stateAt(NOON)).isEqualTo(ApiKey.State.EXPIRED);
        assertThat(key(null).stateAt(Instant.MAX)).isEqualTo(ApiKey.State.ACTIVE);
    }

    @Test
    void aRevokedKeyIsRevokedAtAnyTime() {
        ApiKey revoked = key(NOON).revoked(NOON);
        assertThat(revoked.stateAt(Instant.MIN)).isEqualTo(ApiKey.State.REVOKED);
        assertThat(revoked.stateAt(Instant.MAX)).isEqualTo(ApiKey.State.REVOKED);
        assertThat(revoked.revokedAt()).isEqualTo(NOON);
    }

    @Test
    void aNewKeyDoesNotPrintItsToken() {
        NewKey made = new NewKey(key(null), "pd_abcdefghijkl2345_hush");
        assertThat(made.toString()).contains("billing").doesNotContain("hush");
    }

    @ParameterizedTest
    @EnumSource
    void rolesAreReadAsTheyAreWritten(Role role) {
        assertThat(Role.parse(role.word())).isEqualTo(role);
        refused(ErrorCode.OUT_OF_BOUNDS, () -> Role.parse(role.name()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abcdefghijkl234", "abcdefghijkl23456", "abcdefghijkl2341", "ABCDEFGHIJKL2345"})
    void whatIsNoIdIsRefusedAndNotShown(String text) {
        refused(ErrorCode.INVALID_ID, () -> new KeyId(text));
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> new KeyId("pd_abcdefghijkl2345_hush"))
                .withMessageNotContaining("hush");
    }

    @Test
    void aNameIsTextOfSoManyBytes() {
        for (String name : List.of("a", "é".repeat(64), "the \"shop\" 🐟")) {
            assertThat(new KeyName(name)).hasToString(name);
        }
        for (String name : List.of("", "é".repeat(64) + "x", "a\nb", "a\0", "\ud83d")) {
            refused(ErrorCode.INVALID_NAME, () -> new KeyName(name));
        }
    }

    private static void refused(ErrorCode code, ThrowingCallable call) {
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(call)
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(code));
    }
}
