package io.perdure.store.postgres;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.ClaimRuns.Line;
import io.perdure.core.store.Lease;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.store.postgres.Session.Read;
import java.util.List;

/**
 * A claim that goes along with a batch, in its transaction: of runs that have their version already and are nobody's. A signal that
 * comes alone leases its own run; after any other batch what has been due for longest is taken.
 *
 * @param lines the queues asked for
 */
record Along(TenantId tenant, List<Line> lines, int max, Lease lease) {
    static Along of(ClaimRuns request) {
        List<Line> versioned = request.lines().stream()
                .filter(line -> line.becomes().equals(line.queue()))
                .toList();
        return new Along(request.tenant(), versioned, request.max(), request.lease());
    }

    String[] queues() {
        return lines.stream().map(line -> line.queue().value()).toArray(String[]::new);
    }

    long leaseMicros() {
        return Documents.micros(lease.length());
    }

    TakenRows rows() {
        return new TakenRows(tenant, lines, lease.token());
    }

    /** Takes what is due. */
    Read taking(TakenRows rows) {
        return new Read(
                TakenRows.COLUMNS + "take_along_1(?, ?, ?, ?, ?)",
                rows::add,
                List.of(tenant.value(), queues(), max, lease.token(), leaseMicros()));
    }

    /** Reads a run, if a signal has leased it. */
    Read leasedBySignal(RunId run, TakenRows rows) {
        return new Read(
                TakenRows.COLUMNS + "taken_by_signal_1(?, ?, ?, ?)",
                rows::add,
                List.of(tenant.value(), queues(), run.value(), lease.token()));
    }
}
