package io.perdure.client;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.run.BulkAction;
import io.perdure.sdk.run.BulkProgress;
import io.perdure.sdk.run.Fit;
import io.perdure.sdk.run.LiveWorker;
import io.perdure.sdk.run.Operations;
import io.perdure.sdk.run.RecoveryReason;
import io.perdure.sdk.run.RecoveryReport;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.OperationJson;
import io.perdure.sdk.wire.Words;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What is done to many runs, between versions, and for their upkeep, by the server; what needs their code is done here. */
final class RemoteOperations implements Operations {
    private final Calls calls;
    private final RemoteMoves moves;

    RemoteOperations(Calls calls, RemoteMoves moves) {
        this.calls = calls;
        this.moves = moves;
    }

    @Override
    public long count(BulkAction action, RunFilter filter) {
        JsonObject.Builder body =
                JsonObject.builder().put("action", Words.of(action)).put("dryRun", true);
        return calls.ask(
                        calls.repeatable("POST", bulkPath(action, filter), body.build())
                                .lasting(Calls.LONG),
                        OperationJson::progress)
                .matched();
    }

    @Override
    public BulkProgress inBulk(BulkAction action, RunFilter filter, String reason, Consumer<BulkProgress> progress) {
        JsonObject.Builder body =
                JsonObject.builder().put("action", Words.of(action)).put("reason", reason);
        return calls.lines(
                calls.repeatable("POST", bulkPath(action, filter), body.build()), OperationJson::progress, progress);
    }

    private static String bulkPath(BulkAction action, RunFilter filter) {
        action.require(filter);
        return new RunQueryString(filter).under("/bulk");
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
        return calls.ask(
                calls.repeatable("POST", Paths.ROOT + "/recover", null).lasting(Calls.LONG), OperationJson::report);
    }

    @Override
    public Map<RecoveryReason, Long> recovered() {
        return calls.ask(Call.get(Paths.ROOT + "/recovered"), answer -> OperationJson.reasons(FieldReader.of(answer)));
    }

    @Override
    public List<LiveWorker> workers() {
        return calls.ask(
                Call.get(Paths.ROOT + "/workers"),
                answer -> FieldReader.of(answer).list("workers", OperationJson::worker));
    }
}
