package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.KeyDraft;
import io.perdure.core.store.SecretHash;
import io.perdure.core.store.StoredKey;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.id.KeyName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.ApiKey;
import io.perdure.sdk.key.Role;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** API keys: kept with the hash of their secret, found by id, revoked once. */
abstract class KeyStoreContract extends StoreFixture {
    private static final KeyName NAME = new KeyName("billing");
    private static final SecretHash HASH = SecretHash.of("secret");
    private static final KeyId ID = id('a');
    private static final KeyId OTHER_ID = id('b');

    KeyStoreContract(StoreFactory factory) {
        super(factory);
    }

    private static KeyId id(char letter) {
        return new KeyId(String.valueOf(letter).repeat(KeyId.LENGTH));
    }

    private static KeyDraft key(KeyId id, TenantId tenant, @Nullable Duration expiresAfter) {
        return new KeyDraft(id, tenant, NAME, Role.CLIENT, expiresAfter, HASH);
    }

    private ApiKey added(KeyId id) {
        return store.addKey(key(id, TENANT, null)).orElseThrow();
    }

    private ApiKey found(KeyId id) {
        return store.key(id).orElseThrow().key();
    }

    @Test
    final void aKeyThatWasAddedIsFoundByItsId() {
        ApiKey expected = new ApiKey(ID, TENANT, NAME, Role.CLIENT, NOON, null, null);
        assertThat(added(ID)).isEqualTo(expected);
        assertThat(store.key(ID)).contains(new StoredKey(expected, HASH));
        assertThat(store.key(OTHER_ID)).isEmpty();
    }

    @Test
    final void whatIsKeptOfAKeyComesBackToTheLetter() {
        KeyName name = new KeyName("zürich \"1\"\\n' 🐟 " + "x".repeat(100));
        List<StoredKey> expected = new ArrayList<>();
        for (Role role : Role.values()) {
            KeyId id = id(role.word().charAt(0));
            SecretHash hash = SecretHash.of("secret of " + role);
            store.addKey(new KeyDraft(id, TENANT, name, role, null, hash));
            expected.add(new StoredKey(new ApiKey(id, TENANT, name, role, NOON, null, null), hash));
        }
        assertThat(expected)
                .hasSize(4)
                .allSatisfy(kept -> assertThat(store.key(kept.key().id())).contains(kept));
    }

    @Test
    final void theStoresClockDecidesWhenAKeyExpires() {
        clock.move(MINUTE);
        ApiKey key = store.addKey(key(ID, TENANT, HOUR)).orElseThrow();
        assertThat(key.createdAt()).isEqualTo(NOON.plus(MINUTE));
        assertThat(key.expiresAt()).isEqualTo(NOON.plus(MINUTE).plus(HOUR));
        clock.move(HOUR);
        assertThat(found(ID)).as("it is kept").isEqualTo(key);
        assertThat(store.keys()).containsExactly(key);
    }

    @Test
    final void aKeyExpiresAtAWholeMicrosecond() {
        clock.move(Duration.ofNanos(1_999));
        ApiKey key = store.addKey(key(ID, TENANT, MINUTE.plusNanos(1))).orElseThrow();
        assertThat(key.createdAt()).isEqualTo(NOON.plus(MOMENT));
        assertThat(key.expiresAt()).isEqualTo(NOON.plus(MINUTE).plus(MOMENT.multipliedBy(2)));
        assertThat(found(ID)).isEqualTo(key);
    }

    @Test
    final void noKeyOutlivesTheEndOfTime() {
        clock.move(Duration.between(NOON, Due.FAR_FUTURE).minus(MINUTE));
        assertThat(store.addKey(key(ID, TENANT, HOUR)).orElseThrow().expiresAt())
                .isEqualTo(Due.FAR_FUTURE);
        assertThat(found(ID).expiresAt()).isEqualTo(Due.FAR_FUTURE);
    }

    @Test
    final void keysOfAllTenantsComeByWhenTheyWereMadeThenById() {
        assertThat(store.keys()).isEmpty();
        added(id('c'));
        store.addKey(key(id('b'), OTHER_TENANT, null));
        clock.move(MINUTE.negated());
        added(id('d'));
        clock.move(MINUTE.multipliedBy(2));
        added(id('a'));
        assertThat(store.keys()).extracting(ApiKey::id).containsExactly(id('d'), id('b'), id('c'), id('a'));
        assertThat(store.keys()).extracting(ApiKey::tenant).containsExactly(TENANT, OTHER_TENANT, TENANT, TENANT);
    }

    @Test
    final void theSameKeyIsAddedOnce() {
        ApiKey first = added(ID);
        clock.move(MINUTE);
        assertThat(added(ID)).isEqualTo(first);
        assertThat(store.keys()).containsExactly(first);
        store.revokeKey(TENANT, ID);
        assertThat(added(ID)).isEqualTo(first.revoked(NOON.plus(MINUTE)));
    }

    @Test
    final void anIdThatIsTakenStaysWithItsKey() {
        added(ID);
        SecretHash other = SecretHash.of("other");
        Optional<ApiKey> second =
                store.addKey(new KeyDraft(ID, OTHER_TENANT, new KeyName("thief"), Role.ADMIN, HOUR, other));
        assertThat(second).isEmpty();
        assertThat(store.key(ID))
                .contains(new StoredKey(new ApiKey(ID, TENANT, NAME, Role.CLIENT, NOON, null, null), HASH));
        assertThat(store.keys()).hasSize(1);
    }

    @Test
    final void aKeyIsRevokedOnce() {
        ApiKey key = store.addKey(key(ID, TENANT, HOUR)).orElseThrow();
        ApiKey other = added(OTHER_ID);
        clock.move(MINUTE);
        assertThat(store.revokeKey(TENANT, ID)).isTrue();
        assertThat(found(ID)).isEqualTo(key.revoked(NOON.plus(MINUTE)));
        clock.move(MINUTE);
        assertThat(store.revokeKey(TENANT, ID)).isFalse();
        assertThat(found(ID)).as("as it was").isEqualTo(key.revoked(NOON.plus(MINUTE)));
        assertThat(store.keys()).containsExactly(key.revoked(NOON.plus(MINUTE)), other);
    }

    @Test
    final void aKeyThatHasExpiredCanStillBeRevoked() {
        store.addKey(key(ID, TENANT, MINUTE));
        clock.move(HOUR);
        assertThat(store.revokeKey(TENANT, ID)).isTrue();
        assertThat(found(ID).revokedAt()).isEqualTo(NOON.plus(HOUR));
    }

    @Test
    final void nobodyRevokesWhatIsNotThereOrAnotherTenants() {
        ApiKey key = added(ID);
        assertThat(store.revokeKey(TENANT, OTHER_ID)).isFalse();
        assertThat(store.revokeKey(OTHER_TENANT, ID)).isFalse();
        assertThat(found(ID)).isEqualTo(key);
    }

    @Test
    final void ofManyWhoRevokeAKeyOneDid() {
        added(ID);
        List<Boolean> answers = Crowd.of(8, _ -> store.revokeKey(TENANT, ID));
        assertThat(answers).hasSize(8).containsOnlyOnce(true);
    }

    @Test
    final void ofManyWhoTakeOneIdOneHasIt() {
        List<Optional<ApiKey>> answers = Crowd.of(
                8,
                index -> store.addKey(
                        new KeyDraft(ID, TENANT, NAME, Role.CLIENT, null, SecretHash.of("secret " + index))));
        assertThat(answers.stream().flatMap(Optional::stream)).containsExactly(found(ID));
    }

    @Test
    final void anExpiryThatIsNotAllowedIsRefused() {
        Duration most = Limits.defaults().keys().expiryMax();
        assertThat(store.addKey(key(ID, TENANT, most)).orElseThrow().expiresAt())
                .isEqualTo(NOON.plus(most));
        for (Duration after : List.of(Duration.ZERO, MOMENT.negated(), most.plusNanos(1))) {
            assertThatExceptionOfType(InvalidValueException.class)
                    .isThrownBy(() -> key(OTHER_ID, TENANT, after))
                    .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.OUT_OF_BOUNDS));
        }
    }
}
