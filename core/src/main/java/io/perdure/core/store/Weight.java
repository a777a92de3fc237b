package io.perdure.core.store;

import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.json.Json;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Guesses how many bytes a commit takes, from what is already known: the lengths of its texts. A character counts as one,
 * ids and times as a flat amount. Also what the memory store counts an event as. The exact count would encode every value once more, to bound what needs no exact bound.
 */
public final class Weight {
    private static final long COMMIT = 256;
    private static final long ROW = 128;

    private Weight() {}

    static long of(Commit commit) {
        return COMMIT
                + switch (commit) {
                    case RunCommit.Start c ->
                        json(c.definition().input())
                                + values(c.definition().writes())
                                + texts(c.options().tags());
                    case RunCommit.Advance c -> drafts(c.events()) + messages(c.sends());
                    case RunCommit.Intervene c -> drafts(c.events());
                    case RunCommit.Signal c -> json(c.payload());
                    case QueueCommit.Send c -> messages(c.messages());
                    case QueueCommit.Settle c -> verdict(c.verdict()) + messages(c.sends());
                    case QueueCommit.Redrive _,
                            QueueCommit.Discard _,
                            QueueCommit.Purge _,
                            QueueCommit.Create _,
                            QueueCommit.Update _,
                            QueueCommit.Delete _ -> 0;
                };
    }

    /** How many rows a commit writes, by what it carries: its events and its messages. One at least. */
    static int rows(Commit commit) {
        return switch (commit) {
            case RunCommit.Advance c ->
                Math.max(1, c.events().size() + c.sends().size());
            case RunCommit.Intervene c -> c.events().size();
            case QueueCommit.Send c -> c.messages().size();
            case QueueCommit.Settle c -> 1 + c.sends().size();
            case RunCommit.Start _,
                    RunCommit.Signal _,
                    QueueCommit.Redrive _,
                    QueueCommit.Discard _,
                    QueueCommit.Purge _,
                    QueueCommit.Create _,
                    QueueCommit.Update _,
                    QueueCommit.Delete _ -> 1;
        };
    }

    private static long drafts(List<Draft> drafts) {
        long sum = 0;
        for (Draft draft : drafts) {
            sum += ROW + event(draft.event());
        }
        return sum;
    }

    /** How many bytes an event takes in a history. */
    public static long of(Event event) {
        return ROW + event(event);
    }

    private static long event(Event event) {
        return switch (event) {
            case Event.RunCreated e -> json(e.input()) + values(e.writes());
            case Event.StepCompleted e -> json(e.output()) + values(e.writes());
            case Event.StepFailed e -> failure(e.reason());
            case Event.WaitStarted e -> json(e.match());
            case Event.EventReceived e -> json(e.payload());
            case Event.ChildEnded e -> json(e.output()) + failure(e.error());
            case Event.RunParked e -> e.reason().length() + e.detail().length();
            case Event.RunResumed e -> e.by().length() + e.reason().length();
            case Event.RunRedriven e -> e.by().length() + e.reason().length();
            case Event.RunCompleted e -> json(e.result());
            case Event.RunFailed e -> failure(e.reason());
            case Event.RunCancelled e -> e.by().length() + e.reason().length();
            case Event.StepStarted _, Event.SleepStarted _, Event.WaitTimedOut _, Event.ChildStarted _ -> 0;
        };
    }

    private static long messages(List<NewMessage> messages) {
        long sum = 0;
        for (NewMessage message : messages) {
            sum += ROW + json(message.body()) + texts(message.headers());
        }
        return sum;
    }

    private static long verdict(QueueCommit.Verdict verdict) {
        return switch (verdict) {
            case QueueCommit.Verdict.Done _, QueueCommit.Verdict.Release _ -> 0;
            case QueueCommit.Verdict.Retry retry -> retry.error().length();
            case QueueCommit.Verdict.Reject reject -> reject.error().length();
        };
    }

    private static long failure(@Nullable Failure failure) {
        long sum = 0;
        for (Failure cause = failure; cause != null; cause = cause.cause()) {
            sum += cause.type().length() + cause.message().length();
            sum += cause.stackTrace() == null ? 0 : cause.stackTrace().length();
        }
        return sum;
    }

    private static long values(Map<String, Json> values) {
        long sum = 0;
        for (Map.Entry<String, Json> value : values.entrySet()) {
            sum += value.getKey().length() + json(value.getValue());
        }
        return sum;
    }

    private static long texts(Map<String, String> texts) {
        long sum = 0;
        for (Map.Entry<String, String> text : texts.entrySet()) {
            sum += text.getKey().length() + text.getValue().length();
        }
        return sum;
    }

    private static long json(@Nullable Json json) {
        return json == null ? 0 : json.text().length();
    }
}
