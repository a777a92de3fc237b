package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.OpenOptions;
import io.perdure.core.Perdure;
import io.perdure.core.key.ApiKeys;
import io.perdure.core.key.Verified;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.KeyLimits;
import io.perdure.sdk.Limits;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.key.ApiKey;
import io.perdure.sdk.key.NewKey;
import io.perdure.sdk.key.Role;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** API keys over a real store and in real time. A store's test extends this class and says where a fresh store is. */
public abstract class ApiKeysContract {
    private static final TenantId ACME = new TenantId("acme");

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** As usual, but a key that was read is trusted for a shorter time. */
    private static final OpenOptions SUSPICIOUS =
            new OpenOptions(TenantId.DEFAULT, Codec.standard(), trusting(Duration.ofMillis(500)));

    private final Supplier<String> freshUrl;
    private final SystemEnvironment environment = new SystemEnvironment();

    /** Runs every rule on a store of its own, at the URL that this gives. */
    protected ApiKeysContract(Supplier<String> freshUrl) {
        this.freshUrl = freshUrl;
    }

    private static Limits trusting(Duration trusted) {
        Limits usual = Limits.defaults();
        KeyLimits keys = usual.keys();
        return new Limits(
                usual.names(),
                usual.values(),
                usual.runs(),
                usual.steps(),
                usual.queues(),
                usual.lanes(),
                usual.calls(),
                usual.ledger(),
                usual.workers(),
                usual.consumers(),
                usual.upkeep(),
                new KeyLimits(
                        keys.nameBytes(), keys.expiryMax(), trusted, keys.remembered(), keys.strangersPerSecond()),
                usual.remote(),
                usual.rest(),
                usual.telemetry());
    }

    private static boolean isRefused(ApiKeys keys, NewKey key) {
        try {
            keys.verify(key.token());
            return false;
        } catch (RefusedException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.NO_VALID_KEY);
            return true;
        }
    }

    private void eventually(BooleanSupplier holds) throws InterruptedException {
        long began = environment.nanoTime();
        while (!holds.getAsBoolean()) {
            assertThat(environment.nanoTime() - began).isLessThan(PATIENCE.toNanos());
            environment.sleep(Duration.ofMillis(50));
        }
    }

    @Test
    final void aKeySaysWhoAsksAlsoAfterAReopen() {
        String url = freshUrl.get();
        NewKey made;
        NewKey revoked;
        try (Perdure perdure = Perdure.open(url)) {
            assertThat(perdure.keys().any()).isFalse();
            made = perdure.keys().create(ACME, "shop", Role.WORKER, Duration.ofDays(90));
            revoked = perdure.keys().create(ACME, "old", Role.ADMIN, null);
            assertThat(perdure.keys().revoke(revoked.key().id().value())).isTrue();
            assertThat(perdure.keys().any()).isTrue();
        }
        try (Perdure perdure = Perdure.open(url)) {
            assertThat(perdure.keys().verify(made.token()))
                    .isEqualTo(new Verified(made.key().id(), ACME, Role.WORKER));
            assertThat(isRefused(perdure.keys(), revoked)).isTrue();
            assertThat(perdure.keys().any()).isTrue();
            assertThat(perdure.keys().list())
                    .extracting(ApiKey::id)
                    .containsExactly(made.key().id(), revoked.key().id());
            assertThat(perdure.keys().list().getFirst()).isEqualTo(made.key());
        }
    }

    @Test
    final void aKeyThatAnotherProcessRevokesIsRefusedSoon() throws InterruptedException {
        String url = freshUrl.get();
        try (Perdure server = Perdure.open(url, SUSPICIOUS);
                Perdure shell = Perdure.open(url)) {
            NewKey key = shell.keys().create(ACME, "shop", Role.CLIENT, null);
            assertThat(isRefused(server.keys(), key)).isFalse();
            assertThat(server.keys().any()).isTrue();

            assertThat(shell.keys().revoke(key.key().id().value())).isTrue();

            assertThat(isRefused(shell.keys(), key))
                    .as("at once where it was done")
                    .isTrue();
            eventually(() -> isRefused(server.keys(), key));
            assertThat(server.keys().any())
                    .as("keys are asked for from then on")
                    .isTrue();
        }
    }

    @Test
    final void aKeyIsRefusedFromTheMomentThatItExpires() throws InterruptedException {
        try (Perdure perdure = Perdure.open(freshUrl.get())) {
            Duration shortly = Duration.ofMillis(500);
            long began = environment.nanoTime();
            NewKey key = perdure.keys().create(ACME, "shop", Role.CLIENT, shortly);
            eventually(() -> isRefused(perdure.keys(), key));
            assertThat(environment.nanoTime() - began)
                    .isGreaterThan(shortly.dividedBy(2).toNanos());
            assertThat(perdure.keys().any()).as("it was not revoked").isTrue();
        }
    }

    @Test
    final void whatIsStoredIsNotTheSecret() {
        try (Perdure perdure = Perdure.open(freshUrl.get())) {
            NewKey key = perdure.keys().create(ACME, "shop", Role.CLIENT, null);
            String other = key.token().substring(0, 20) + "A".repeat(43);

            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> perdure.keys().verify(other))
                    .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.NO_VALID_KEY));
            assertThat(perdure.keys().list().toString())
                    .doesNotContain(key.token().substring(20));
        }
    }
}
