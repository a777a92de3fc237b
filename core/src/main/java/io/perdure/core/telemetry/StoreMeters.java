package io.perdure.core.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.perdure.sdk.id.Receipt;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** What is counted and timed of a store: how long it takes, how much goes into one flush, which leases were lost. */
final class StoreMeters {
    private final Map<StoreCall, Timer> calls = new EnumMap<>(StoreCall.class);
    private final Map<StoreCall, Counter> failures = new EnumMap<>(StoreCall.class);
    private final Timer flush;
    private final DistributionSummary batch;
    private final DistributionSummary mailbox;
    private final Counter runLeasesLost;
    private final Counter messageLeasesLost;
    private final Map<Missed, Counter> dropped = new EnumMap<>(Missed.class);
    private final LostLeases lost;

    StoreMeters(Series series) {
        MeterRegistry registry = series.registry();
        lost = new LostLeases(series.limits().remembered());
        for (StoreCall call : StoreCall.values()) {
            calls.put(
                    call,
                    Buckets.calls(
                            registry,
                            Timer.builder("perdure.store.latency")
                                    .description("How long calls of the store took, those that failed included")
                                    .tag("call", call.word())));
            failures.put(
                    call,
                    Counter.builder("perdure.store.failures")
                            .description("Calls of the store that failed")
                            .tag("call", call.word())
                            .register(registry));
        }
        flush = Buckets.calls(
                registry,
                Timer.builder("perdure.ledger.flush").description("How long the store took to make a batch durable"));
        batch = Buckets.counts(
                registry,
                DistributionSummary.builder("perdure.ledger.batch.commits")
                        .description("How many commits shared a flush"));
        mailbox = Buckets.counts(
                registry,
                DistributionSummary.builder("perdure.mailbox.signals")
                        .description("How many signals a run had not taken when a worker took it up"));
        runLeasesLost = lost(registry, "run");
        messageLeasesLost = lost(registry, "message");
        for (Missed what : Missed.values()) {
            dropped.put(
                    what,
                    Counter.builder("perdure.telemetry.dropped")
                            .description(
                                    "What a figure or a trace lacks: there was too much of it, or telling it failed")
                            .tag("what", what.word())
                            .register(registry));
        }
    }

    private static Counter lost(MeterRegistry registry, String of) {
        return Counter.builder("perdure.leases.lost")
                .description("Leases that were gone when their holder wanted to go on")
                .tag("of", of)
                .register(registry);
    }

    void called(StoreCall call, long nanos) {
        Timer timer = calls.get(call);
        if (timer != null) {
            timer.record(Duration.ofNanos(nanos));
        }
    }

    void failed(StoreCall call) {
        Counter counter = failures.get(call);
        if (counter != null) {
            counter.increment();
        }
    }

    void flushed(int commits, long nanos) {
        flush.record(Duration.ofNanos(nanos));
        batch.record(commits);
    }

    void takenUp(int signals) {
        mailbox.record(signals);
    }

    /** The lease of a run is gone; counted once, however often its holder hears so. */
    void lostRun(Receipt lease) {
        if (lost.add(lease)) {
            runLeasesLost.increment();
        }
    }

    /** The same of a message. */
    void lostMessage(Receipt lease) {
        if (lost.add(lease)) {
            messageLeasesLost.increment();
        }
    }

    void dropped(Missed what) {
        Counter counter = dropped.get(what);
        if (counter != null) {
            counter.increment();
        }
    }
}
