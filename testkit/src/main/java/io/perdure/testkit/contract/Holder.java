package io.perdure.testkit.contract;

import io.perdure.core.store.Claimed.ClaimedRun;
import io.perdure.core.store.Extend;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.worker.Release;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/** Whoever holds, or once held, the lease of a run: makes the commits that a worker would send. */
record Holder(TenantId tenant, RunId run, UUID token) {
    static Holder of(TenantId tenant, ClaimedRun claimed) {
        return new Holder(tenant, claimed.run(), claimed.receipt().token());
    }

    Advance appends(long seq, Event... events) {
        return new Advance(tenant, run, token, seq, drafts(events), List.of(), null);
    }

    Advance appends(long seq, Event event, Due until) {
        return new Advance(tenant, run, token, seq, List.of(new Draft(event, until)), List.of(), null);
    }

    Advance appendsAndSends(long seq, Event event, NewMessage message) {
        return new Advance(tenant, run, token, seq, drafts(event), List.of(message), null);
    }

    Advance releases(long seq, Release release, Event... events) {
        return new Advance(tenant, run, token, seq, drafts(events), List.of(), release);
    }

    /** Sleeps for so long and lets go for as long. */
    Advance sleeps(long seq, Duration length) {
        Draft slept = new Draft(Events.slept("nap"), Due.in(length));
        return new Advance(tenant, run, token, seq, List.of(slept), List.of(), Release.until(Due.in(length)));
    }

    /** Lets go without a time, until one of these events comes. */
    Advance suspends(long seq, long wakes, EventName... events) {
        return releases(seq, new Release(Due.never(), Set.of(events), wakes));
    }

    Extend extendedBy(Duration length) {
        return new Extend(tenant, new Receipt(MessageId.of(run), token), length);
    }

    private static List<Draft> drafts(Event... events) {
        return Stream.of(events).map(Draft::new).toList();
    }
}
