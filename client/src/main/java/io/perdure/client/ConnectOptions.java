package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.json.Codec;
import java.time.Duration;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectMapper;

/**
 * How a {@link PerdureClient} connects: {@code ConnectOptions.defaults().key(key).concurrency(50)}. What is out of bounds is {@code PD-007}.
 *
 * @param key what is shown to the server; absent where it asks for none
 * @param codec how the values of workflows become JSON
 * @param patience how long a request is sent again while the server is away or asks to wait, where that is safe
 * @param limits what the worker of this process works by
 * @param sslContext whom to trust over {@code https}; absent for those whom this process trusts anyhow
 */
public record ConnectOptions(
        @Nullable String key,
        Codec codec,
        Duration patience,
        Limits limits,
        @Nullable SSLContext sslContext) {
    /** Printable and without blanks: anything else would end the header that it travels in. */
    private static final Pattern KEY = Pattern.compile("[!-~]{1,512}");

    /** A repeated send must come while the queue still remembers the first. */
    private static final Duration LONGEST_PATIENCE =
            Limits.defaults().queues().deduplicationWindow().dividedBy(2);

    private static final ConnectOptions DEFAULTS = new ConnectOptions(
            null, Codec.standard(), Limits.defaults().ledger().patience(), Limits.defaults(), null);

    public ConnectOptions {
        if (key != null && !KEY.matcher(key).matches()) {
            // Without the key: what is logged is read by many.
            throw new InvalidValueException(
                    ErrorCode.INVALID_KEY, "The key for the server is not 1 to 512 printable characters of ASCII.");
        }
        require(
                !patience.isNegative() && patience.compareTo(LONGEST_PATIENCE) <= 0,
                "A patience of " + patience + " is not between 0 and " + LONGEST_PATIENCE + ".");
        Limits.Workers workers = limits.workers();
        require(
                workers.concurrency() >= 1 && workers.concurrency() <= workers.concurrencyMax(),
                "Concurrency " + workers.concurrency() + " is not between 1 and " + workers.concurrencyMax() + ".");
        require(!workers.drain().isNegative(), "A drain of " + workers.drain() + " is negative.");
    }

    /** What holds unless said otherwise: no key, Jackson (see {@link Codec#standard}), 30 s of patience, 1,000 runs at once, 30 s to drain. */
    public static ConnectOptions defaults() {
        return DEFAULTS;
    }

    /** The same with a key, such as {@code pd_…}; {@code PD-002} for what cannot be one. */
    public ConnectOptions key(String other) {
        return new ConnectOptions(other, codec, patience, limits, sslContext);
    }

    /** The same with values read and written by a mapper of your own. */
    public ConnectOptions mapper(ObjectMapper mapper) {
        return new ConnectOptions(key, Codec.of(mapper), patience, limits, sslContext);
    }

    /** The same, where a request is sent again for so long, at most 2.5 minutes; nought for not at all. */
    public ConnectOptions patience(Duration atMost) {
        return new ConnectOptions(key, codec, atMost, limits, sslContext);
    }

    /** The same with so many runs worked on at once. */
    public ConnectOptions concurrency(int runs) {
        return new ConnectOptions(
                key, codec, patience, limits.with(limits.workers().concurrency(runs)), sslContext);
    }

    /** The same with so long for steps to end when the client is closed. */
    public ConnectOptions drain(Duration atMost) {
        return new ConnectOptions(
                key, codec, patience, limits.with(limits.workers().drain(atMost)), sslContext);
    }

    /** The same, where {@code https} goes by this: for a server whose certificate a private authority vouches for, or that asks for one of its callers. */
    public ConnectOptions sslContext(SSLContext other) {
        return new ConnectOptions(key, codec, patience, limits, other);
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new InvalidValueException(ErrorCode.OUT_OF_BOUNDS, what);
        }
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "ConnectOptions[%s, patience=%s, concurrency=%s]"
                .formatted(
                        key == null ? "no key" : "a key",
                        patience,
                        limits.workers().concurrency());
    }
}
