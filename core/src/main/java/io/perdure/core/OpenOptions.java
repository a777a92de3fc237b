package io.perdure.core;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Codec;
import java.time.Duration;
import tools.jackson.databind.ObjectMapper;

/**
 * How {@link Perdure} is opened.
 *
 * @param tenant whom everything belongs to that is sent, received, started and worked on
 * @param codec how the values of workflows become JSON
 * @param concurrency how many runs this process works on at once
 * @param drain how long closing waits for steps under way before it interrupts them
 */
public record OpenOptions(TenantId tenant, Codec codec, int concurrency, Duration drain) {
    private static final Limits.Workers LIMITS = Limits.defaults().workers();
    private static final OpenOptions DEFAULTS =
            new OpenOptions(TenantId.DEFAULT, Codec.standard(), LIMITS.concurrency(), LIMITS.drain());

    public OpenOptions {
        if (concurrency < 1 || concurrency > LIMITS.concurrencyMax()) {
            throw new InvalidValueException(
                    ErrorCode.OUT_OF_BOUNDS,
                    "Concurrency " + concurrency + " is not between 1 and " + LIMITS.concurrencyMax() + ".");
        }
        if (drain.isNegative()) {
            throw new InvalidValueException(ErrorCode.OUT_OF_BOUNDS, "A drain of %s is negative.".formatted(drain));
        }
    }

    /** What holds unless said otherwise: the tenant {@code default}, Jackson (see
     * {@link Codec#standard}), 1,000 runs at once, 30 s to drain. */
    public static OpenOptions defaults() {
        return DEFAULTS;
    }

    /** The same for another tenant; a name that is not valid is {@code PD-001}. */
    public OpenOptions tenant(String name) {
        return new OpenOptions(new TenantId(name), codec, concurrency, drain);
    }

    /** The same with values read and written by a mapper of your own. */
    public OpenOptions mapper(ObjectMapper mapper) {
        return new OpenOptions(tenant, Codec.of(mapper), concurrency, drain);
    }

    /** The same with so many runs worked on at once. */
    public OpenOptions concurrency(int runs) {
        return new OpenOptions(tenant, codec, runs, drain);
    }

    /** The same with so long for steps to end when the engine is closed. */
    public OpenOptions drain(Duration atMost) {
        return new OpenOptions(tenant, codec, concurrency, atMost);
    }

    /** The limits that the engine works by. */
    Limits limits() {
        Limits.Workers w = LIMITS;
        return Limits.defaults()
                .with(new Limits.Workers(
                        concurrency,
                        w.concurrencyMax(),
                        w.turn(),
                        w.waitInMemory(),
                        w.completionWaits(),
                        w.extendEvery(),
                        w.stepStartsWithin(),
                        drain));
    }
}
