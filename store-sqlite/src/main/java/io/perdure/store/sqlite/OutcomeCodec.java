package io.perdure.store.sqlite;

import io.perdure.core.store.Commit;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.Refusal;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.core.store.RunCommit.Intervene;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.SentMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The written form of a batch's outcomes. It says only what the batch itself does not: whoever asks for it brings the same
 * commits again, so events and message ids need not be written twice. Equal neighbours are written once with their number,
 * so that a thousand sends that went well take a few bytes.
 *
 * <p>Kept for an hour by the release that wrote it; tags are never reused, because a newer release may read it then.
 */
final class OutcomeCodec {
    private static final int STARTED = 1;
    private static final int APPENDED = 2;
    private static final int SIGNALLED = 3;
    private static final int SENT = 4;
    private static final int SETTLED = 5;
    private static final int CHANGED = 6;
    private static final int CONFLICT = 7;
    private static final int LEASE_LOST = 8;
    private static final int DUPLICATE = 9;
    private static final int WOKEN = 10;
    private static final int REFUSED = 11;

    private OutcomeCodec() {}

    static byte[] write(List<Outcome> outcomes, List<Commit> commits) {
        ByteSink all = new ByteSink();
        ByteSink one = new ByteSink();
        ByteSink previous = new ByteSink();
        int equal = 0;
        for (int at = 0; at < outcomes.size(); at++) {
            one.clear();
            write(one, outcomes.get(at), commits.get(at));
            if (equal > 0 && one.holdsTheSameAs(previous)) {
                equal++;
                continue;
            }
            writeRun(all, previous, equal);
            ByteSink free = previous;
            previous = one;
            one = free;
            equal = 1;
        }
        writeRun(all, previous, equal);
        return all.bytes();
    }

    private static void writeRun(ByteSink all, ByteSink one, int equal) {
        if (equal > 0) {
            all.number(equal);
            all.block(one);
        }
    }

    static List<Outcome> read(byte[] bytes, List<Commit> commits) {
        ByteSource all = new ByteSource(bytes);
        List<Outcome> outcomes = new ArrayList<>();
        while (outcomes.size() < commits.size()) {
            long equal = all.number();
            byte[] one = all.block();
            for (long copy = 0; copy < equal; copy++) {
                outcomes.add(read(new ByteSource(one), commits.get(outcomes.size())));
            }
        }
        return List.copyOf(outcomes);
    }

    private static void write(ByteSink out, Outcome outcome, Commit commit) {
        switch (outcome) {
            case Outcome.Started(var at, var deadline) -> {
                out.number(STARTED);
                out.time(at);
                out.time(deadline);
            }
            case Outcome.Appended(var events, var status, var sent) -> {
                out.number(APPENDED);
                out.text(status.word());
                if (!events.isEmpty()) {
                    out.number(events.getFirst().seq());
                    out.time(events.getFirst().at());
                    events.forEach(event -> out.time(event.until()));
                }
                writeSent(out, sent, commit);
            }
            case Outcome.Signalled(var number, var created) -> {
                out.number(SIGNALLED);
                out.number(number);
                out.flag(created);
            }
            case Outcome.Sent(var messages) -> {
                out.number(SENT);
                writeSent(out, messages, commit);
            }
            case Outcome.Settled(var fate, var sent) -> {
                out.number(SETTLED);
                out.text(fate.name());
                writeSent(out, sent, commit);
            }
            case Outcome.Changed(var count) -> {
                out.number(CHANGED);
                out.number(count);
            }
            case Outcome.Conflict(var last) -> {
                out.number(CONFLICT);
                out.number(last);
            }
            case Outcome.LeaseLost(var status) -> {
                out.number(LEASE_LOST);
                out.text(status == null ? "" : status.word());
            }
            case Outcome.Duplicate(var winner, var status, var key) -> {
                out.number(DUPLICATE);
                out.uuid(winner.value());
                out.text(status.word());
                out.text(key.name());
            }
            case Outcome.Woken(var wakes) -> {
                out.number(WOKEN);
                out.number(wakes);
            }
            case Outcome.Refused(var why, var detail) -> {
                out.number(REFUSED);
                out.text(why.name());
                out.text(detail);
            }
        }
    }

    private static Outcome read(ByteSource in, Commit commit) {
        int tag = (int) in.number();
        return switch (tag) {
            case STARTED -> {
                Instant at = in.time();
                yield new Outcome.Started(at, in.timeOrNull());
            }
            case APPENDED -> readAppended(in, commit);
            case SIGNALLED -> {
                long number = in.number();
                yield new Outcome.Signalled(number, in.flag());
            }
            case SENT -> new Outcome.Sent(readSent(in, commit));
            case SETTLED -> {
                Fate fate = Fate.valueOf(in.text());
                yield new Outcome.Settled(fate, readSent(in, commit));
            }
            case CHANGED -> new Outcome.Changed((int) in.number());
            case CONFLICT -> new Outcome.Conflict(in.number());
            case LEASE_LOST -> {
                String status = in.text();
                yield new Outcome.LeaseLost(status.isEmpty() ? null : RunFacts.status(status));
            }
            case DUPLICATE -> {
                RunId winner = new RunId(in.uuid());
                RunStatus status = RunFacts.status(in.text());
                yield new Outcome.Duplicate(winner, status, Outcome.Key.valueOf(in.text()));
            }
            case WOKEN -> new Outcome.Woken(in.number());
            case REFUSED -> {
                Refusal why = Refusal.valueOf(in.text());
                yield new Outcome.Refused(why, in.text());
            }
            default -> throw new IllegalStateException("no outcome has the tag " + tag);
        };
    }

    private static Outcome readAppended(ByteSource in, Commit commit) {
        RunStatus status = RunFacts.status(in.text());
        List<Draft> drafts = drafts(commit);
        List<Recorded> events = new ArrayList<>();
        if (!drafts.isEmpty()) {
            long seq = in.number();
            Instant at = in.time();
            for (Draft draft : drafts) {
                events.add(new Recorded(seq + events.size(), at, in.timeOrNull(), draft.event()));
            }
        }
        return new Outcome.Appended(events, status, readSent(in, commit));
    }

    private static List<Draft> drafts(Commit commit) {
        return switch (commit) {
            case Advance advance -> advance.events();
            case Intervene intervene -> intervene.events();
            default -> List.of();
        };
    }

    private static List<NewMessage> sends(Commit commit) {
        return switch (commit) {
            case Send send -> send.messages();
            case Settle settle -> settle.sends();
            case Advance advance -> advance.sends();
            default -> List.of();
        };
    }

    /** A message that was put in under its own id, the usual case, is one byte; one that stands for another names it. */
    private static void writeSent(ByteSink out, List<SentMessage> sent, Commit commit) {
        List<NewMessage> sends = sends(commit);
        for (int at = 0; at < sent.size(); at++) {
            SentMessage message = sent.get(at);
            boolean itself = message.id().equals(sends.get(at).id());
            out.number((message.created() ? 1 : 0) + (itself ? 0 : 2));
            if (!itself) {
                out.uuid(message.id().value());
            }
        }
    }

    private static List<SentMessage> readSent(ByteSource in, Commit commit) {
        List<SentMessage> sent = new ArrayList<>();
        for (NewMessage message : sends(commit)) {
            int flags = (int) in.number();
            MessageId id = (flags & 2) == 0 ? message.id() : new MessageId(in.uuid());
            sent.add(new SentMessage(id, (flags & 1) == 1));
        }
        return sent;
    }
}
