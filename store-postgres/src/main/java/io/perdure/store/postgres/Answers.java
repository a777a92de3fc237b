package io.perdure.store.postgres;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Hint;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.RunCommit;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.SentMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a flush answered. It says only what the batch itself does not: whoever asks brings the same commits again. A plain
 * commit that was done as asked has no answer at all.
 */
final class Answers {
    private static final Outcome DONE = new Outcome.Settled(Fate.DONE);
    private static final String CREATED = "+";
    private static final String NONE = "-";

    private Answers() {}

    /**
     * The outcome of each commit; what became ready or ended is added to the hints.
     *
     * @param at when the batch was applied: what else the store fixed for a plain commit follows from it
     */
    static List<Outcome> read(List<Commit> commits, List<@Nullable String> answers, Instant at, Set<Hint> hints) {
        List<Outcome> outcomes = new ArrayList<>(commits.size());
        for (int place = 0; place < commits.size(); place++) {
            String answer = place < answers.size() ? answers.get(place) : null;
            Commit commit = commits.get(place);
            outcomes.add(answer == null ? asAsked(commit, at, hints) : read(commit, answer, hints));
        }
        return List.copyOf(outcomes);
    }

    private static Outcome asAsked(Commit commit, Instant at, Set<Hint> hints) {
        return switch (commit) {
            case QueueCommit.Settle _ -> DONE;
            case QueueCommit.Send send -> {
                hintAtSends(send.tenant(), send.messages(), hints);
                yield new Outcome.Sent(send.messages().stream()
                        .map(message -> new SentMessage(message.id(), true))
                        .toList());
            }
            case RunCommit.Start start -> started(start, at, hints);
            case RunCommit.Advance advance -> advanced(advance, at, hints);
            default -> throw new IllegalStateException("no answer to a " + commit.getClass());
        };
    }

    private static Outcome started(RunCommit.Start start, Instant at, Set<Hint> hints) {
        Instant deadline = fixed(start.options().deadline(), at);
        if (start.lease() == null) {
            // A delayed one too: whoever waits learns when to look.
            RunCommit.Definition what = start.definition();
            hints.add(new Hint.Ready(start.tenant(), QueueName.ofRuns(what.workflow(), what.version())));
        }
        return new Outcome.Started(at, deadline);
    }

    private static Outcome advanced(RunCommit.Advance advance, Instant at, Set<Hint> hints) {
        RunStatus status = RunStatus.RUNNING;
        List<Recorded> events = new ArrayList<>(advance.events().size());
        for (Draft draft : advance.events()) {
            Instant until = draft.until() == null ? null : fixed(draft.until(), at);
            events.add(new Recorded(advance.seq() + events.size(), at, until, draft.event()));
            status = status.after(draft.event()).orElseThrow();
        }
        if (status != RunStatus.RUNNING) {
            hints.add(new Hint.Ended(advance.tenant(), advance.run()));
        }
        return new Outcome.Appended(events, status);
    }

    private static @Nullable Instant fixed(Due due, Instant at) {
        return due instanceof Due.Never ? null : due.fixedAt(at);
    }

    private static Outcome read(Commit commit, String text, Set<Hint> hints) {
        JsonObject answer = JsonObject.parse(Json.ofStored(text));
        String ready = optional(answer, "ready");
        if (ready != null && !ready.isEmpty()) {
            for (String queue : ready.split(",", -1)) {
                hints.add(new Hint.Ready(commit.tenant(), new QueueName(queue)));
            }
        }
        return switch (answer.string("is")) {
            case "sent" -> new Outcome.Sent(sent(commit, answer, hints));
            case "settled" -> new Outcome.Settled(Fate.valueOf(answer.string("fate")), sent(commit, answer, hints));
            case "lost" -> new Outcome.LeaseLost(statusOrNull(optional(answer, "status")));
            case "changed" -> new Outcome.Changed(Math.toIntExact(answer.integer("count")));
            case "started" ->
                new Outcome.Started(
                        Times.instant(answer.integer("at")),
                        answer.get("deadline")
                                .filter(Predicate.not(Json.NULL::equals))
                                .map(deadline -> Times.instant(Long.parseLong(deadline.text())))
                                .orElse(null));
            case "appended" -> appended(commit, answer, hints);
            case "signalled" -> new Outcome.Signalled(answer.integer("number"), answer.bool("created"));
            case "conflict" -> new Outcome.Conflict(answer.integer("last"));
            case "woken" -> new Outcome.Woken(answer.integer("wakes"));
            case "duplicate" ->
                new Outcome.Duplicate(
                        RunId.parse(answer.string("run")),
                        status(answer.string("status")),
                        Outcome.Key.valueOf(answer.string("key")));
            case "refused" -> Refusals.of(commit, answer);
            default -> throw new IllegalStateException("no outcome is \"%s\"".formatted(answer.string("is")));
        };
    }

    private static Outcome appended(Commit commit, JsonObject answer, Set<Hint> hints) {
        RunCommit run = (RunCommit) commit;
        RunStatus status = status(answer.string("status"));
        if (answer.bool("ended") || status == RunStatus.PARKED) {
            hints.add(new Hint.Ended(run.tenant(), run.run()));
        }
        List<Draft> drafts =
                run instanceof RunCommit.Advance advance ? advance.events() : ((RunCommit.Intervene) run).events();
        List<Recorded> events = new ArrayList<>(drafts.size());
        String untils = optional(answer, "untils");
        if (untils != null) {
            Instant at = Times.instant(answer.integer("at"));
            long seq = answer.integer("seq");
            for (String until : untils.split(",", -1)) {
                Instant fixed = until.equals(NONE) ? null : Times.instant(Long.parseLong(until));
                events.add(new Recorded(
                        seq + events.size(),
                        at,
                        fixed,
                        drafts.get(events.size()).event()));
            }
        }
        return new Outcome.Appended(events, status, sent(commit, answer, hints));
    }

    private static List<SentMessage> sent(Commit commit, JsonObject answer, Set<Hint> hints) {
        List<NewMessage> sends = Refusals.sends(commit);
        String sent = optional(answer, "sent");
        if (sent == null) {
            return List.of();
        }
        hintAtSends(commit.tenant(), sends, hints);
        List<SentMessage> messages = new ArrayList<>(sends.size());
        for (String one : sent.split(",", -1)) {
            MessageId own = sends.get(messages.size()).id();
            messages.add(
                    one.equals(CREATED)
                            ? new SentMessage(own, true)
                            : new SentMessage(new MessageId(UUID.fromString(one)), false));
        }
        return messages;
    }

    private static void hintAtSends(TenantId tenant, List<NewMessage> sends, Set<Hint> hints) {
        for (NewMessage message : sends) {
            if (message.delay().isZero()) {
                hints.add(new Hint.Ready(tenant, message.queue()));
            }
        }
    }

    static RunStatus status(String word) {
        return RunStatus.valueOf(word.toUpperCase(Locale.ROOT));
    }

    static @Nullable RunStatus statusOrNull(@Nullable String word) {
        return word == null ? null : status(word);
    }

    private static @Nullable String optional(JsonObject answer, String name) {
        return answer.get(name).filter(Predicate.not(Json.NULL::equals)).isPresent() ? answer.string(name) : null;
    }
}
