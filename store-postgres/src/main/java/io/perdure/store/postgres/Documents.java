package io.perdure.store.postgres;

import io.perdure.core.store.ChildNotice;
import io.perdure.core.store.Commit;
import io.perdure.core.store.Histories;
import io.perdure.core.store.Lease;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.rows.Projection;
import io.perdure.core.store.rows.Texts;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.EventJson;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.worker.Release;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Commits as documents for the functions that apply them. What the kind of an event decides is worked out here, for every
 * state that the run may be found in; what the database decides is left to it. Values of users travel as texts within the
 * document, so that they arrive to the letter.
 */
final class Documents {
    private static final long FAR_FUTURE = Times.micros(Due.FAR_FUTURE);

    private Documents() {}

    static String of(Commit commit) {
        JsonObject.Builder document =
                JsonObject.builder().put("tenant", commit.tenant().value());
        switch (commit) {
            case RunCommit.Start start -> start(document, start);
            case RunCommit.Advance advance -> advance(document, advance);
            case RunCommit.Intervene intervene -> intervene(document, intervene);
            case RunCommit.Signal signal -> signal(document, signal);
            case QueueCommit.Send send -> document.put("do", "send").put("sends", sends(send.messages()));
            case QueueCommit.Settle settle -> settle(document, settle);
            case QueueCommit.Redrive redrive ->
                document.put("do", "redrive")
                        .put("queue", redrive.deadLetters().value())
                        .put("message", redrive.message().toString());
            case QueueCommit.Discard discard ->
                document.put("do", "discard")
                        .put("queue", discard.queue().value())
                        .put("message", discard.message().toString());
            case QueueCommit.Purge purge ->
                document.put("do", "purge").put("queue", purge.queue().value()).put("limit", purge.limit());
            case QueueCommit.Create create ->
                document.put("do", "create")
                        .put("queue", create.queue().value())
                        .put("settings", settings(create.settings()));
            case QueueCommit.Update update ->
                document.put("do", "update")
                        .put("queue", update.queue().value())
                        .put("settings", settings(update.settings()));
            case QueueCommit.Delete delete ->
                document.put("do", "delete").put("queue", delete.queue().value());
        }
        return document.build().text();
    }

    /** The document of a start whose keys are bound before the first document, as far as they are free. */
    static String bound(String start) {
        return start.substring(0, start.length() - 1) + ",\"bound\":true}";
    }

    /** A commit that the database would not take: it is to be answered so. */
    static String refusing(String detail) {
        return JsonObject.builder()
                .put("do", "refuse")
                .put("detail", detail)
                .build()
                .text();
    }

    private static void start(JsonObject.Builder document, RunCommit.Start start) {
        RunCommit.Definition definition = start.definition();
        RunCommit.StartOptions options = start.options();
        Lease lease = start.lease();
        document.put("do", "start")
                .put("run", start.run().toString())
                .put("workflow", definition.workflow().value())
                .put("version", number(definition.version()))
                .put("kind", text(definition.kind(), Enum::name))
                .put("input", definition.input().text())
                .put("writes", Texts.ofValues(definition.writes()))
                .put("idempotencyKey", text(options.idempotencyKey(), key -> key.value()))
                .put("fingerprint", options.idempotencyKey() == null ? "" : definition.fingerprint())
                .put("workflowId", text(options.workflowId(), id -> id.value()))
                .put("parent", text(options.parent(), RunId::toString))
                .put("tags", Texts.of(options.tags()))
                .put("retentionDays", options.retentionDays())
                .put("deadline", due(options.deadline()))
                .put("ready", due(start.ready()))
                .put("lease", lease == null ? null : lease(lease));
    }

    private static Json lease(Lease lease) {
        return JsonObject.builder()
                .put("token", lease.token().toString())
                .put("micros", micros(lease.length()))
                .build();
    }

    private static void advance(JsonObject.Builder document, RunCommit.Advance advance) {
        Release release = advance.release();
        boolean ends = Histories.ends(advance.events());
        document.put("do", "advance")
                .put("run", advance.run().toString())
                .put("token", advance.token().toString())
                .put("seq", advance.seq())
                .put("events", events(advance.events()))
                .put("ends", ends)
                .put("signals", signals(advance.events()))
                .put("sends", sends(advance.sends()))
                .put("release", release == null ? null : release(release))
                .put("after", ends ? after(advance.run(), RunStatus.RUNNING, advance.events()) : null);
    }

    private static Json release(Release release) {
        return JsonObject.builder()
                .put("ready", readyDue(release.ready()))
                .put("wakeOn", array(release.wakeOn(), event -> Json.string(event.value())))
                .put("wakes", release.wakes())
                .build();
    }

    /** The numbers that events take out of the mailbox, with the name that each must have there. */
    private static Json signals(List<Draft> drafts) {
        return array(
                TakenSignal.of(drafts),
                taken -> JsonObject.builder()
                        .put("number", taken.number())
                        .put("event", taken.event().value())
                        .build());
    }

    private static void intervene(JsonObject.Builder document, RunCommit.Intervene intervene) {
        JsonObject.Builder after = JsonObject.builder();
        for (RunStatus status : RunStatus.values()) {
            after.put(
                    status.word(),
                    objection(status, intervene).orElseGet(() -> after(intervene.run(), status, intervene.events())));
        }
        document.put("do", "intervene")
                .put("run", intervene.run().toString())
                .put(
                        "ifLast",
                        intervene.ifLast().isPresent()
                                ? Json.number(intervene.ifLast().getAsLong())
                                : null)
                .put("events", events(intervene.events()))
                .put("ready", readyDue(intervene.ready()))
                .put("after", after.build());
    }

    /** Why a run in this state does not take these events. */
    private static Optional<Json> objection(RunStatus found, RunCommit.Intervene intervene) {
        RunStatus status = found;
        for (Draft draft : intervene.events()) {
            Optional<RunStatus> next = status.after(draft.event());
            boolean repair = status == RunStatus.RUNNING && draft.event() instanceof Event.RunResumed;
            if (next.isEmpty() || (repair && intervene.ifLast().isEmpty())) {
                return Optional.of(JsonObject.builder()
                        .put("why", Refusals.ofEvent(status, draft.event()).name())
                        .put("status", status.word())
                        .put("event", draft.event().getClass().getSimpleName())
                        .build());
            }
            status = next.get();
        }
        return Optional.empty();
    }

    private static Json after(RunId run, RunStatus before, List<Draft> drafts) {
        Projection projection = new Projection(before, null);
        drafts.forEach(draft -> projection.apply(draft.event()));
        Failure error = projection.error();
        JsonObject.Builder after = JsonObject.builder()
                .put("status", projection.status().word())
                .put("changed", projection.changed())
                .put("version", number(projection.version()))
                .put("output", text(projection.output(), Json::text))
                .put("error", error == null ? null : error.json().text());
        if (projection.status().isTerminal()) {
            ChildNotice notice = new ChildNotice(run, projection.status(), projection.output(), error);
            after.put(
                    "notice",
                    JsonObject.builder()
                            .put("event", notice.event().value())
                            .put("payload", notice.payload().text())
                            .build());
        }
        return after.build();
    }

    private static void signal(JsonObject.Builder document, RunCommit.Signal signal) {
        document.put("do", "signal")
                .put("run", signal.run().toString())
                .put("event", signal.event().value())
                .put("payload", signal.payload().text())
                .put("deduplication", text(signal.deduplicationId(), id -> id.value()));
    }

    private static void settle(JsonObject.Builder document, QueueCommit.Settle settle) {
        document.put("do", "settle")
                .put("message", settle.receipt().message().toString())
                .put("token", settle.receipt().token().toString())
                .put("sends", sends(settle.sends()));
        switch (settle.verdict()) {
            case Verdict.Done() -> document.put("verdict", "done");
            case Verdict.Retry(Duration delay, String error) ->
                document.put("verdict", "retry").put("delay", micros(delay)).put("error", error);
            case Verdict.Release() -> document.put("verdict", "release");
            case Verdict.Reject(String error) ->
                document.put("verdict", "reject").put("error", error);
        }
    }

    private static Json sends(List<NewMessage> messages) {
        return array(
                messages,
                message -> JsonObject.builder()
                        .put("id", message.id().toString())
                        .put("queue", message.queue().value())
                        .put("delay", micros(message.delay()))
                        .put("group", text(message.group(), group -> group.value()))
                        .put("deduplication", text(message.deduplicationId(), id -> id.value()))
                        .put("headers", Texts.of(message.headers()))
                        .put("body", message.body().text())
                        .build());
    }

    private static Json events(List<Draft> drafts) {
        return array(
                drafts,
                draft -> JsonObject.builder()
                        .put("event", EventJson.write(draft.event()).text())
                        .put("until", until(draft))
                        .build());
    }

    private static @Nullable Json until(Draft draft) {
        return draft.until() == null ? null : due(draft.until());
    }

    private static String settings(QueueSettings settings) {
        return String.join(
                ",",
                String.valueOf(settings.visibility().toMillis()),
                String.valueOf(settings.retries()),
                String.valueOf(settings.deadLetters()),
                String.valueOf(settings.retention().toMillis()),
                String.valueOf(settings.deadLetterRetention().toMillis()),
                String.valueOf(settings.maxDelay().toMillis()));
    }

    /** When something is due; null for never. */
    private static @Nullable Json due(Due due) {
        return switch (due) {
            case Due.In(Duration delay) ->
                JsonObject.builder().put("in", micros(delay)).build();
            case Due.At at ->
                JsonObject.builder()
                        .put("at", Times.micros(at.fixedAt(Instant.EPOCH)))
                        .build();
            case Due.Never() -> null;
        };
    }

    /** The same where a time is stored even for never. */
    private static Json readyDue(Due due) {
        return Objects.requireNonNullElseGet(
                due(due), () -> JsonObject.builder().put("at", FAR_FUTURE).build());
    }

    /** Whole microseconds, rounded up so that nothing is due early, and no more than there are left until the end of time. */
    static long micros(Duration duration) {
        return duration.getSeconds() >= FAR_FUTURE / 1_000_000
                ? FAR_FUTURE
                : duration.getSeconds() * 1_000_000 + Math.ceilDiv(duration.getNano(), 1_000);
    }

    private static <T> Json array(Collection<T> values, Function<T, Json> element) {
        return Json.ofStored(
                values.stream().map(value -> element.apply(value).text()).collect(Collectors.joining(",", "[", "]")));
    }

    private static @Nullable Json number(@Nullable Integer value) {
        return value == null ? null : Json.number(value);
    }

    private static <A> @Nullable String text(@Nullable A value, Function<A, String> made) {
        return value == null ? null : made.apply(value);
    }
}
