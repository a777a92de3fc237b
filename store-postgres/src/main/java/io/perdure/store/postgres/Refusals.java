package io.perdure.store.postgres;

import io.perdure.core.store.Commit;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.queue.QueueSettings;
import java.time.Duration;
import java.util.List;

/** Says why a commit was refused: the database answers with a word and the figures, the commit has the rest. */
final class Refusals {
    private Refusals() {}

    static Outcome.Refused of(Commit commit, JsonObject answer) {
        Refusal why = Refusal.valueOf(answer.string("why"));
        return new Outcome.Refused(why, detail(why, commit, answer));
    }

    static Outcome.Refused noSuchQueue(TenantId tenant, QueueName queue) {
        return new Outcome.Refused(Refusal.NO_SUCH_QUEUE, "Tenant %s has no queue \"%s\".".formatted(tenant, queue));
    }

    /** Why a status does not allow an event. */
    static Refusal ofEvent(RunStatus status, Event event) {
        return status.isTerminal() && !(event instanceof Event.RunRedriven) ? Refusal.RUN_ENDED : Refusal.NOT_ALLOWED;
    }

    private static String detail(Refusal why, Commit commit, JsonObject answer) {
        return switch (why) {
            case NO_SUCH_RUN -> "Tenant %s has no run %s.".formatted(commit.tenant(), run(commit));
            case RUN_ENDED, NOT_ALLOWED ->
                commit instanceof RunCommit.Signal
                        ? "Run %s is %s and takes no signals.".formatted(run(commit), answer.string("status"))
                        : "Run %s is %s, which does not allow %s."
                                .formatted(run(commit), answer.string("status"), answer.string("event"));
            case KEY_REUSED -> keyReused((RunCommit.Start) commit, answer);
            case WORKFLOW_ID_HELD ->
                "Run %s cannot go on while another run holds workflow id \"%s\"."
                        .formatted(run(commit), answer.string("workflowId"));
            case MAILBOX_FULL -> "Run " + run(commit) + " has " + answer.integer("waiting") + " signals waiting.";
            case NO_SUCH_SIGNAL ->
                "Run " + run(commit) + " has no such signal " + answer.integer("number") + " in its mailbox.";
            case HISTORY_FULL ->
                "Run " + run(commit) + " has " + answer.integer("last") + " events of at most " + answer.integer("most")
                        + ".";
            case BAD_VALUE -> "The store cannot apply it: %s.".formatted(answer.string("detail"));
            case NO_SUCH_QUEUE ->
                noSuchQueue(commit.tenant(), queue(commit, answer)).detail();
            case QUEUE_DIFFERS ->
                "Queue \"%s\" exists with %s.".formatted(queue(commit, answer), settings(answer.string("settings")));
            case NO_SUCH_MESSAGE -> "Queue \"%s\" has no message %s.".formatted(queue(commit, answer), message(commit));
            case QUEUE_NOT_EMPTY -> "Queue \"%s\" or its dead letters hold messages.".formatted(queue(commit, answer));
            case DELAY_TOO_LONG ->
                "Queue \"%s\" allows delays up to %s, not %s."
                        .formatted(
                                queue(commit, answer),
                                Duration.ofMillis(answer.integer("most")),
                                delay(commit, answer));
        };
    }

    private static String keyReused(RunCommit.Start start, JsonObject answer) {
        return "Idempotency key \"%s\" of workflow %s started run %s with other input."
                .formatted(start.options().idempotencyKey(), start.definition().workflow(), answer.string("run"));
    }

    private static RunId run(Commit commit) {
        return ((RunCommit) commit).run();
    }

    /** The queue of the message that was refused, or the one that the commit is about. */
    private static QueueName queue(Commit commit, JsonObject answer) {
        if (answer.get("place").isPresent()) {
            return place(commit, answer).queue();
        }
        return switch (commit) {
            case QueueCommit.Redrive redrive -> redrive.deadLetters();
            case QueueCommit.Discard discard -> discard.queue();
            case QueueCommit.Purge purge -> purge.queue();
            case QueueCommit.Create create -> create.queue();
            case QueueCommit.Update update -> update.queue();
            case QueueCommit.Delete delete -> delete.queue();
            default -> new QueueName(answer.string("queue"));
        };
    }

    private static Duration delay(Commit commit, JsonObject answer) {
        return answer.get("place").isEmpty()
                        && commit instanceof QueueCommit.Settle settle
                        && settle.verdict() instanceof QueueCommit.Verdict.Retry retry
                ? retry.delay()
                : place(commit, answer).delay();
    }

    private static NewMessage place(Commit commit, JsonObject answer) {
        return sends(commit).get(Math.toIntExact(answer.integer("place")));
    }

    /** The messages that leave with a commit. */
    static List<NewMessage> sends(Commit commit) {
        return switch (commit) {
            case QueueCommit.Send send -> send.messages();
            case QueueCommit.Settle settle -> settle.sends();
            case RunCommit.Advance advance -> advance.sends();
            default -> List.of();
        };
    }

    private static MessageId message(Commit commit) {
        return switch (commit) {
            case QueueCommit.Redrive redrive -> redrive.message();
            case QueueCommit.Discard discard -> discard.message();
            default -> throw new IllegalArgumentException(commit.getClass() + " is not about a message");
        };
    }

    private static QueueSettings settings(String text) {
        String[] values = text.split(",", -1);
        return new QueueSettings(
                Duration.ofMillis(Long.parseLong(values[0])),
                Integer.parseInt(values[1]),
                Boolean.parseBoolean(values[2]),
                Duration.ofMillis(Long.parseLong(values[3])),
                Duration.ofMillis(Long.parseLong(values[4])),
                Duration.ofMillis(Long.parseLong(values[5])));
    }
}
