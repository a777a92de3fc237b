package io.perdure.server.rest;

import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.run.BulkAction;
import io.perdure.sdk.run.BulkProgress;
import io.perdure.sdk.run.Operations;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.OperationJson;
import io.perdure.sdk.wire.Words;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Cancels, redrives, resumes and moves runs, one or many. */
final class InterventionRoutes {
    private static final String RUN = Runs.ANY + "/{id}";
    private static final String NO_REASON = "asked for over HTTP";

    private InterventionRoutes() {}

    static List<Operation> operations() {
        return Runs.both(
                Operation.delete(RUN, "cancelRun", InterventionRoutes::cancel)
                        .query("reason")
                        .doneOnce(),
                Operation.post(RUN + "/redrive", "redriveRun", InterventionRoutes::redrive)
                        .doneOnce(),
                Operation.post(RUN + "/resume", "resumeRun", InterventionRoutes::resume)
                        .doneOnce(),
                Operation.post(RUN + "/move", "moveRun", InterventionRoutes::move)
                        .doneOnce(),
                Operation.post(Runs.ANY + "/bulk", "changeRuns", InterventionRoutes::inBulk)
                        .query(Filters.and())
                        .doneOnceUnless(fields -> fields.flag("dryRun")));
    }

    private static void cancel(Exchange exchange) {
        String reason = exchange.query().text("reason").orElse(NO_REASON);
        RunId run = Runs.id(exchange);
        boolean cancelled = exchange.engine().cancel(run, reason);
        exchange.answer(JsonObject.builder()
                .put("runId", run.toString())
                .put("status", "cancelled")
                .put("cancelled", cancelled)
                .build());
    }

    /** Not read: what was done is done, and a read that fails would say that it was not. */
    private static void answerRunning(Exchange exchange, RunId run) {
        exchange.answer(JsonObject.builder()
                .put("runId", run.toString())
                .put("status", RunStatus.RUNNING.word())
                .build());
    }

    private static void redrive(Exchange exchange) {
        String reason = reason(exchange.fields("reason"));
        RunId run = Runs.id(exchange);
        exchange.engine().redrive(run, reason);
        answerRunning(exchange, run);
    }

    private static void resume(Exchange exchange) {
        FieldReader fields = exchange.fields("reason", "version");
        Integer version = fields.has("version") ? version(fields) : null;
        RunId run = Runs.id(exchange);
        if (version == null) {
            exchange.engine().resume(run, reason(fields));
        } else {
            int asked = version;
            String reason = reason(fields);
            fields.taken("version", asked, number -> {
                exchange.engine().resume(run, reason, number);
                return number;
            });
        }
        answerRunning(exchange, run);
    }

    private static void move(Exchange exchange) {
        FieldReader fields = exchange.fields("version", "last", "reason");
        int version = version(fields);
        long last = fields.integer("last");
        if (last < 0) {
            throw InvalidValueException.ofField("last", "must be 0 or more.");
        }
        RunId run = Runs.id(exchange);
        exchange.engine().move(run, version, last, reason(fields));
        answerRunning(exchange, run);
    }

    private static void inBulk(Exchange exchange) {
        FieldReader fields = exchange.fields("action", "reason", "dryRun");
        BulkAction action = fields.parsed("action", word -> Words.parse(BulkAction.class, word));
        RunFilter filter = Filters.read(exchange);
        action.require(filter);
        String reason = reason(fields);
        Operations operations = exchange.engine().operations();
        if (fields.flag("dryRun")) {
            exchange.answer(OperationJson.write(new BulkProgress(operations.count(action, filter), 0, 0)));
            return;
        }
        Progress.answer(
                exchange,
                told -> OperationJson.write(operations.inBulk(
                        action, filter, reason, progress -> told.accept(OperationJson.write(progress)))));
    }

    private static int version(FieldReader fields) {
        int version = fields.number("version");
        if (version < 1) {
            throw InvalidValueException.ofField("version", "must be 1 or more.");
        }
        return version;
    }

    private static String reason(FieldReader fields) {
        @Nullable String reason = fields.textOrNull("reason");
        return Objects.requireNonNullElse(reason, NO_REASON);
    }
}
