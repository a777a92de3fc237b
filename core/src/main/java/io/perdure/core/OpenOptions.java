package io.perdure.core;

import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.perdure.core.telemetry.Telemetry;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.UpkeepLimits;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Codec;
import java.time.Duration;
import tools.jackson.databind.ObjectMapper;

/**
 * How {@link Perdure} is opened.
 *
 * @param tenant whom everything belongs to that is sent, received, started and worked on
 * @param codec how the values of workflows become JSON
 * @param limits what the engine works by
 * @param watchers who is told what it does
 */
public record OpenOptions(TenantId tenant, Codec codec, Limits limits, Telemetry.Watchers watchers) {
    private static final Duration LONGEST_REST = Duration.ofDays(365);
    private static final OpenOptions DEFAULTS = new OpenOptions(TenantId.DEFAULT, Codec.standard(), Limits.defaults());

    public OpenOptions {
        Limits.Workers workers = limits.workers();
        require(
                workers.concurrency() >= 1 && workers.concurrency() <= workers.concurrencyMax(),
                "Concurrency " + workers.concurrency() + " is not between 1 and " + workers.concurrencyMax() + ".");
        require(!workers.drain().isNegative(), "A drain of " + workers.drain() + " is negative.");
        Limits.Runs runs = limits.runs();
        require(
                runs.retentionDaysMax() >= 1 && runs.retentionDaysMax() <= runs.retentionDaysCeiling(),
                "Retention of " + runs.retentionDaysMax() + " days at most is not between 1 and "
                        + runs.retentionDaysCeiling() + ".");
        require(
                runs.events() >= 1 && runs.events() <= runs.eventsCeiling(),
                "A history of " + runs.events() + " events at most is not between 1 and " + runs.eventsCeiling() + ".");
        require(
                runs.readBytes() >= 1 && runs.readBytes() <= runs.readBytesCeiling(),
                "A run of " + runs.readBytes() + " bytes at most is not between 1 and " + runs.readBytesCeiling()
                        + ".");
        UpkeepLimits upkeep = limits.upkeep();
        requireRest(upkeep.recoverEvery(), "recoverEvery");
        requireRest(upkeep.retireEvery(), "retireEvery");
        requireRest(upkeep.announceEvery(), "announceEvery");
        require(
                upkeep.announceKept().compareTo(upkeep.announceEvery()) > 0,
                "announceKept " + upkeep.announceKept() + " is not more than announceEvery " + upkeep.announceEvery()
                        + ".");
        require(!upkeep.recoverGrace().isNegative(), "recoverGrace " + upkeep.recoverGrace() + " is negative.");
        require(upkeep.recoverRows() >= 1, "recoverRows " + upkeep.recoverRows() + " is below 1.");
        int most = limits.calls().sweepRows();
        require(
                upkeep.retireRows() >= 1 && upkeep.retireRows() <= most,
                "retireRows " + upkeep.retireRows() + " is not between 1 and " + most + ".");
    }

    /** That nobody watches. */
    public OpenOptions(TenantId tenant, Codec codec, Limits limits) {
        this(tenant, codec, limits, new Telemetry.Watchers(null, null));
    }

    /** What holds unless said otherwise: the tenant {@code default}, Jackson (see
     * {@link Codec#standard}), 1,000 runs at once, 30 s to drain. */
    public static OpenOptions defaults() {
        return DEFAULTS;
    }

    /** The same for another tenant; a name that is not valid is {@code PD-001}. */
    public OpenOptions tenant(String name) {
        return new OpenOptions(new TenantId(name), codec, limits, watchers);
    }

    /** The same with values read and written by a mapper of your own. */
    public OpenOptions mapper(ObjectMapper mapper) {
        return new OpenOptions(tenant, Codec.of(mapper), limits, watchers);
    }

    /** The same with so many runs worked on at once. */
    public OpenOptions concurrency(int runs) {
        return with(limits.with(limits.workers().concurrency(runs)));
    }

    /** The same with so long for steps to end when the engine is closed. */
    public OpenOptions drain(Duration atMost) {
        return with(limits.with(limits.workers().drain(atMost)));
    }

    /** The same, where no run that is started here is kept for more than so many days once it has ended, whatever its workflow or its start says. */
    public OpenOptions retentionDaysMax(int days) {
        return with(limits.with(limits.runs().retentionDaysMax(days)));
    }

    /** The same, where the history of a run that is worked on here has at most so many events; it is read whenever the run goes on. */
    public OpenOptions runEventsMax(int events) {
        return with(limits.with(limits.runs().holding(events, limits.runs().mailbox())));
    }

    /**
     * Returns options with the most bytes of history and waiting signals that a run may go on with here, and at most an eighth of the heap; a run
     * that has more is parked with {@code PD-106}. The default is 64 MiB. To be the same in all processes over one store.
     */
    public OpenOptions runBytesMax(int bytes) {
        return with(limits.with(limits.runs().readBytes(bytes)));
    }

    /** The same, where ended runs whose retention is over are looked for so often. */
    public OpenOptions retireEvery(Duration rest) {
        return with(limits.with(limits.upkeep().retireEvery(rest)));
    }

    /** The same, where runs that nothing brings on are looked for so often. */
    public OpenOptions recoverEvery(Duration rest) {
        return with(limits.with(limits.upkeep().recoverEvery(rest)));
    }

    /** The same with its meters in a registry of yours; {@code docs/reference/metrics.md} lists them. */
    public OpenOptions meters(MeterRegistry registry) {
        return new OpenOptions(tenant, codec, limits, new Telemetry.Watchers(registry, watchers.openTelemetry()));
    }

    /**
     * The same with runs, steps and signals traced. Starts take the span that is current as the run's parent, and steps run with theirs
     * current; {@code docs/reference/traces.md} has the rest.
     */
    public OpenOptions openTelemetry(OpenTelemetry tracing) {
        return new OpenOptions(tenant, codec, limits, new Telemetry.Watchers(watchers.meters(), tracing));
    }

    private OpenOptions with(Limits other) {
        return new OpenOptions(tenant, codec, other, watchers);
    }

    private static void requireRest(Duration rest, String what) {
        require(
                rest.isPositive() && rest.compareTo(LONGEST_REST) <= 0,
                what + " " + rest + " is not more than 0 and at most " + LONGEST_REST.toDays() + " days.");
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new InvalidValueException(ErrorCode.OUT_OF_BOUNDS, what);
        }
    }
}
