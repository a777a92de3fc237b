package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.key.ApiKeys;
import io.perdure.core.key.Verified;
import io.perdure.core.store.SecretHash;
import io.perdure.core.store.Store;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.KeyLimits;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.ApiKey;
import io.perdure.sdk.key.NewKey;
import io.perdure.sdk.key.Role;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who may ask, in virtual time. */
class ApiKeysTest extends PerdureFixture {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId GLOBEX = new TenantId("globex");
    private static final KeyLimits LIMITS = Limits.defaults().keys();
    private static final Duration TRUSTED = LIMITS.trusted();
    private static final Duration MOMENT = Duration.ofNanos(1_000);
    private static final int SECRET_AT = "pd_".length() + 16 + "_".length();

    private final ApiKeys keys = perdure.keys();

    /** Those of another process over the same store. */
    private final ApiKeys elsewhere = new ApiKeys(bent.real(), time, LIMITS);

    private NewKey made() {
        return keys.create(ACME, "shop", Role.CLIENT, null);
    }

    private void assertRefused(String token) {
        assertThatExceptionOfType(PerdureException.class)
                .isThrownBy(() -> keys.verify(token))
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.NO_VALID_KEY))
                .withMessageStartingWith("PD-601 There is no valid key with this request. ");
    }

    private static String id(NewKey key) {
        return key.key().id().value();
    }

    @Test
    void aTokenSaysWhoHasIt() {
        NewKey key = keys.create(ACME, "workers", Role.WORKER, Duration.ofDays(90));
        assertThat(keys.verify(key.token())).isEqualTo(new Verified(key.key().id(), ACME, Role.WORKER));
        assertThat(key.token()).matches("pd_" + id(key) + "_[A-Za-z0-9_-]{43}");
        assertThat(key.key().expiresAt()).isEqualTo(key.key().createdAt().plus(Duration.ofDays(90)));
    }

    @Test
    void whatIsKeptIsTheHashOfTheSecret() {
        NewKey key = made();
        SecretHash kept = bent.real().key(key.key().id()).orElseThrow().hash();
        assertThat(kept.matches(SecretHash.of(key.token().substring(SECRET_AT))))
                .isTrue();
        assertThat(kept.toString()).doesNotContain(kept.hex());
        assertThat(SecretHash.of("abc").hex())
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    @Test
    void noTwoKeysAreAlike() {
        Set<String> ids = new HashSet<>();
        Set<String> secrets = new HashSet<>();
        for (int key = 0; key < 100; key++) {
            NewKey made = made();
            ids.add(id(made));
            secrets.add(made.token().substring(SECRET_AT));
        }
        assertThat(ids).hasSize(100);
        assertThat(secrets).hasSize(100);
    }

    @Test
    void whateverIsWrongWithATokenTheAnswerIsTheSame() {
        String token = made().token();
        String secret = token.substring(SECRET_AT);
        NewKey other = made();
        NewKey revoked = made();
        keys.revoke(id(revoked));
        List<String> wrong = List.of(
                "",
                "pd_",
                token + "x",
                token.substring(0, token.length() - 1),
                " " + token,
                token + "\n",
                token.toUpperCase(Locale.ROOT),
                "pd_" + id(other) + "_" + secret,
                "pd_" + "a".repeat(16) + "_" + secret,
                token.substring(0, SECRET_AT) + "A".repeat(43),
                revoked.token());
        assertThat(wrong).allSatisfy(this::assertRefused);
        assertThat(keys.verify(token).tenant()).isEqualTo(ACME);
    }

    /** The last character of a secret stands for four bits: others of the same four bits are another secret all the same. */
    @Test
    void aSecretHasOneSpelling() {
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        String token = made().token();
        String start = token.substring(0, token.length() - 1);
        assertThat(alphabet.chars().mapToObj(Character::toString).map(last -> start + last))
                .filteredOn(spelling -> !spelling.equals(token))
                .hasSize(63)
                .allSatisfy(this::assertRefused);
    }

    @Test
    void aKeyIsRefusedFromTheMomentThatItExpires() {
        NewKey key = keys.create(ACME, "shop", Role.CLIENT, SECOND);
        keys.verify(key.token());
        int reads = bent.count("key");
        time.pass(SECOND.minus(MOMENT));
        keys.verify(key.token());
        time.pass(MOMENT);
        assertRefused(key.token());
        assertThat(bent.count("key")).as("by what was read before").isEqualTo(reads);
    }

    @Test
    void whatWasReadOfAKeyCountsForAWhile() {
        NewKey key = made();
        keys.verify(key.token());
        int reads = bent.count("key");
        assertThat(elsewhere.revoke(id(key))).isTrue();
        time.pass(TRUSTED.minusNanos(1));
        keys.verify(key.token());
        assertThat(bent.count("key")).isEqualTo(reads);
        time.pass(Duration.ofNanos(1));
        assertRefused(key.token());
        assertThat(bent.count("key")).isEqualTo(reads + 1);
    }

    @Test
    void aKeyThatIsRevokedHereIsRefusedAtOnce() {
        NewKey key = made();
        keys.verify(key.token());
        assertThat(keys.revoke(id(key))).isTrue();
        assertRefused(key.token());
        assertThat(keys.revoke(id(key))).isFalse();
    }

    @Test
    void whatWasReadBeforeARevocationIsNotRemembered() {
        NewKey key = made();
        AtomicReference<ApiKeys> racing = new AtomicReference<>();
        AtomicBoolean first = new AtomicBoolean(true);
        Store store = (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (_, method, arguments) -> {
                    Object answer = method.invoke(bent.real(), arguments);
                    if (method.getName().equals("key") && first.getAndSet(false)) {
                        assertThat(racing.get().revoke(id(key))).isTrue();
                    }
                    return answer;
                });
        racing.set(new ApiKeys(store, time, LIMITS));
        assertThat(racing.get().verify(key.token()).tenant())
                .as("it came first")
                .isEqualTo(ACME);
        assertCode(ErrorCode.NO_VALID_KEY, () -> racing.get().verify(key.token()));
    }

    @Test
    void keysThatAreNotThereAreAskedForEachTime() {
        String nobody = "pd_" + "a".repeat(16) + "_" + "A".repeat(43);
        int reads = bent.count("key");
        assertRefused(nobody);
        assertRefused(nobody);
        assertThat(bent.count("key")).isEqualTo(reads + 2);
        assertRefused("nonsense");
        assertThat(bent.count("key")).as("nonsense needs no look").isEqualTo(reads + 2);
    }

    @Test
    void noMoreKeysAreRememberedThanTheLimitSays() {
        KeyLimits two =
                new KeyLimits(LIMITS.nameBytes(), LIMITS.expiryMax(), LIMITS.trusted(), 2, LIMITS.strangersPerSecond());
        ApiKeys few = new ApiKeys(bent.store(), time, two);
        List<NewKey> made = new ArrayList<>();
        for (int key = 0; key < 3; key++) {
            made.add(made());
        }
        few.verify(made.get(0).token());
        few.verify(made.get(1).token());
        few.verify(made.get(0).token());
        few.verify(made.get(2).token());
        int reads = bent.count("key");
        few.verify(made.get(0).token());
        few.verify(made.get(2).token());
        assertThat(bent.count("key")).isEqualTo(reads);
        few.verify(made.get(1).token());
        assertThat(bent.count("key"))
                .as("the one that was asked for the longest ago")
                .isEqualTo(reads + 1);
    }

    @Test
    void whetherThereIsAnyKeyIsKnownForAWhile() {
        assertThat(keys.any()).isFalse();
        NewKey key = elsewhere.create(ACME, "shop", Role.ADMIN, SECOND);
        time.pass(TRUSTED.minusNanos(1));
        assertThat(keys.any()).isFalse();
        time.pass(Duration.ofNanos(1));
        assertThat(keys.any()).as("also one that has expired").isTrue();
        int reads = bent.count("keys");
        assertThat(keys.any()).isTrue();
        assertThat(bent.count("keys")).isEqualTo(reads);
        keys.revoke(id(key));
        assertThat(keys.any()).as("whatever became of it").isTrue();
    }

    @Test
    void whoMakesTheFirstKeyKnowsAtOnce() {
        assertThat(keys.any()).isFalse();
        made();
        assertThat(keys.any()).isTrue();
    }

    @Test
    void aTenantSeesAndRevokesItsOwnKeys() {
        NewKey ours = made();
        time.pass(SECOND);
        NewKey theirs = keys.create(GLOBEX, "shop", Role.CLIENT, null);
        assertThat(keys.list()).containsExactly(ours.key(), theirs.key());
        assertThat(keys.list(GLOBEX)).containsExactly(theirs.key());
        assertThat(keys.revoke(ACME, id(theirs))).isFalse();
        keys.verify(theirs.token());
        assertThat(keys.revoke(GLOBEX, id(theirs))).isTrue();
        assertRefused(theirs.token());
        assertThat(keys.list(GLOBEX)).extracting(ApiKey::revokedAt).doesNotContainNull();
    }

    @Test
    void whatNoKeyCanBeIsRefused() {
        assertCode(ErrorCode.INVALID_NAME, () -> keys.create(ACME, "", Role.CLIENT, null));
        assertCode(ErrorCode.INVALID_NAME, () -> keys.create(ACME, "a\nb", Role.CLIENT, null));
        assertCode(ErrorCode.OUT_OF_BOUNDS, () -> keys.create(ACME, "a", Role.CLIENT, Duration.ZERO));
        assertCode(ErrorCode.INVALID_ID, () -> keys.revoke("nobody"));
        assertThat(keys.revoke("a".repeat(16))).isFalse();
        assertThat(keys.list()).isEmpty();
    }

    @Test
    void keysThatNobodyKnowsAreLookedForOnlySoOften() {
        String known = made().token();
        String later = made().token();
        keys.verify(known);
        int before = bent.count("key");
        for (int i = 0; i < 2 * LIMITS.strangersPerSecond(); i++) {
            String made = "pd_" + "a".repeat(15) + (char) ('a' + i % 26) + "_" + "a".repeat(43);
            assertThatExceptionOfType(PerdureException.class).isThrownBy(() -> keys.verify(made));
        }
        assertThat(bent.count("key") - before).isLessThanOrEqualTo(LIMITS.strangersPerSecond());

        assertCode(ErrorCode.TOO_MANY_REQUESTS, () -> keys.verify(later));
        assertThat(keys.verify(known).tenant()).isEqualTo(ACME);
        time.pass(TRUSTED);
        assertThat(keys.verify(known).tenant()).isEqualTo(ACME);
        assertThat(keys.verify(later).tenant()).isEqualTo(ACME);
    }

    @Test
    void manyWhoShowOneKeyForTheFirstTimeCostOneRead() throws Exception {
        String token = made().token();
        int before = bent.count("key");
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<TenantId>> all = IntStream.range(0, 4 * LIMITS.strangersPerSecond())
                    .mapToObj(_ -> threads.submit(() -> keys.verify(token).tenant()))
                    .toList();
            for (Future<TenantId> one : all) {
                assertThat(one.get()).isEqualTo(ACME);
            }
        }
        assertThat(bent.count("key") - before).isLessThan(LIMITS.strangersPerSecond());
    }
}
