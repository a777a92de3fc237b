package io.perdure.core.workflow;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.BulkAction;
import io.perdure.sdk.run.BulkProgress;
import io.perdure.sdk.run.Fit;
import io.perdure.sdk.run.LiveWorker;
import io.perdure.sdk.run.Operations;
import io.perdure.sdk.run.RecoveryReason;
import io.perdure.sdk.run.RecoveryReport;
import io.perdure.sdk.run.RunFilter;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What is done to many runs, between versions, and for their upkeep, by the engine of this process. */
final class LocalOperations implements Operations {
    private final Workflows.Setup setup;
    private final Bulk bulk;
    private final Moves moves;
    private final Recovery recovery;

    LocalOperations(Workflows.Setup setup, Bulk bulk, Moves moves, Recovery recovery) {
        this.setup = setup;
        this.bulk = bulk;
        this.moves = moves;
        this.recovery = recovery;
    }

    @Override
    public long count(BulkAction action, RunFilter filter) {
        return bulk.count(action, filter);
    }

    @Override
    public BulkProgress inBulk(BulkAction action, RunFilter filter, String reason, Consumer<BulkProgress> progress) {
        return bulk.all(action, filter, reason, progress);
    }

    @Override
    public Fit check(RunId run, int version) {
        return moves.check(run, version);
    }

    @Override
    public Fit move(RunId run, int version, String reason) {
        return moves.move(run, version, reason);
    }

    @Override
    public RecoveryReport recover() {
        return recovery.all();
    }

    @Override
    public Map<RecoveryReason, Long> recovered() {
        return recovery.figures();
    }

    @Override
    public List<LiveWorker> workers() {
        return setup.store().workers(setup.tenant());
    }
}
