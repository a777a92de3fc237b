package io.perdure.testkit.queue;

import io.perdure.core.store.Commit;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received.Delivery;
import io.perdure.testkit.invariant.CommitRef;
import io.perdure.testkit.invariant.Fact;
import io.perdure.testkit.invariant.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Makes a trace of what a journal heard, for the invariants to judge. A receive without an answer may have leased messages, at any
 * time until whoever asked was killed.
 */
final class JournalTrace {
    /** Processes and database share a machine; what lies between a clock and the line in the journal is no more than this. */
    private static final Duration SKEW = Duration.ofMillis(500);

    private final Trace.Recorder recorder = new Trace.Recorder(SKEW);
    private final Map<Call, Integer> begun = new HashMap<>();
    private final Map<Call, Commit> commits = new HashMap<>();
    private final Map<Call, Receive> receives = new HashMap<>();
    private final Set<Call> unanswered = new LinkedHashSet<>();

    private record Call(String by, long number) {
        CommitRef ref() {
            return new CommitRef(by, number, 0);
        }
    }

    private record Line(String what, Call call, Instant at, List<String> rest) {
        static Line of(String text) {
            List<String> words = Arrays.asList(text.trim().split(" "));
            return new Line(
                    words.get(0),
                    new Call(words.get(1), Long.parseLong(words.get(2))),
                    Lines.time(words.get(3)),
                    words.subList(4, words.size()));
        }
    }

    private JournalTrace() {}

    /** Everything that was heard, with the queue's settings before it. */
    static Trace.Recorder of(List<String> heard, Instant from) {
        JournalTrace trace = new JournalTrace();
        CommitRef setup = new CommitRef("setup", 1, 0);
        Create create = new Create(GroupTraffic.TENANT, GroupTraffic.QUEUE, GroupTraffic.SETTINGS);
        trace.recorder.note(0, from, "setup", new Fact.Asked(setup, create));
        trace.recorder.note(0, from, "setup", new Fact.Answered(setup, create, new Outcome.Changed(1)));
        List<Line> lines = heard.stream().map(Line::of).toList();
        lines.forEach(trace::note);
        trace.unanswered.forEach(receive -> trace.lost(receive, lines.getLast().at()));
        return trace.recorder;
    }

    /** The dead letters that somebody was about to put back, as they were then. */
    static List<MessageRow> letters(List<String> heard) {
        return heard.stream()
                .map(Line::of)
                .filter(line -> line.what().equals("letter"))
                .map(line -> Lines.row(line.rest()))
                .toList();
    }

    /** Says in a journal that a process is no more. */
    static String killed(String name, Instant at) {
        return "killed %s 0 %s".formatted(name, Lines.of(at));
    }

    private void note(Line line) {
        Call call = line.call();
        switch (line.what()) {
            case "asked" -> {
                Commit commit = Lines.commit(line.rest());
                begun.put(call, recorder.position());
                commits.put(call, commit);
                note(line, recorder.position(), new Fact.Asked(call.ref(), commit));
            }
            case "answered" ->
                note(
                        line,
                        since(call),
                        new Fact.Answered(
                                call.ref(), Objects.requireNonNull(commits.get(call)), Lines.outcome(line.rest())));
            case "receiving" -> {
                Receive request = Lines.receive(line.rest());
                begun.put(call, recorder.position());
                receives.put(call, request);
                unanswered.add(call);
            }
            case "delivered" -> {
                Receive request = Objects.requireNonNull(receives.get(call));
                MessageRow row = Lines.row(line.rest());
                note(
                        line,
                        since(call),
                        new Fact.MessageDelivered(
                                request.tenant(), new Delivery(request.lease().token(), row), request.lease()));
            }
            // Its deliveries were told one by one.
            case "received" -> unanswered.remove(call);
            case "letter" -> {
                // Is judged by itself: no fact tells of a look at one message.
            }
            case "killed" -> {
                List<Call> lost = unanswered.stream()
                        .filter(receive -> receive.by().startsWith(call.by() + "-"))
                        .toList();
                lost.forEach(receive -> lost(receive, line.at()));
                lost.forEach(unanswered::remove);
                note(line, recorder.position(), new Fact.Crashed());
            }
            default -> throw new IllegalArgumentException("not a line of a journal: " + line);
        }
    }

    private void lost(Call receive, Instant at) {
        Fact fact = new Fact.ReceiveLost(Objects.requireNonNull(receives.get(receive)));
        recorder.note(since(receive), at, receive.by(), fact);
    }

    private int since(Call call) {
        return Objects.requireNonNull(begun.get(call), "every answer has a question");
    }

    private void note(Line line, int since, Fact fact) {
        recorder.note(since, line.at(), line.call().by(), fact);
    }
}
