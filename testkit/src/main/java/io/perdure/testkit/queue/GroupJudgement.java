package io.perdure.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Redrive;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.core.store.QueueCommit.Settle;
import io.perdure.core.store.QueueCommit.Verdict;
import io.perdure.core.store.Store;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.Receipt;
import io.perdure.sdk.queue.DeadLetter;
import io.perdure.sdk.queue.Fate;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.testkit.invariant.CommitRef;
import io.perdure.testkit.invariant.Fact;
import io.perdure.testkit.invariant.Invariants;
import io.perdure.testkit.invariant.Noted;
import io.perdure.testkit.invariant.Trace;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** Holds what processes saw of groups and dead letters against the invariants, and against what is left when all have ended. */
final class GroupJudgement {
    private static final int ALL = 10_000;

    private final Trace trace;
    private final List<MessageRow> left;
    private final List<MessageRow> letters;
    private final List<MessageRow> putBack;
    private final QueueFigures figures;
    private final QueueFigures letterFigures;

    /**
     * Reads what is left.
     *
     * @param heard all that was said in the journal
     * @param from when it began
     */
    GroupJudgement(Store store, List<String> heard, Instant from) {
        Trace.Recorder recorder = JournalTrace.of(heard, from);
        putBack = JournalTrace.letters(heard);
        recorder.note(recorder.position(), store.now(), "parent", new Fact.FaultsStopped());
        recorder.note(recorder.position(), store.now(), "parent", new Fact.LastLook());
        left = read(store, recorder, GroupTraffic.QUEUE);
        letters = read(store, recorder, GroupTraffic.LETTERS);
        figures = store.figures(GroupTraffic.TENANT, GroupTraffic.QUEUE).orElseThrow();
        letterFigures = store.figures(GroupTraffic.TENANT, GroupTraffic.LETTERS).orElseThrow();
        trace = recorder.trace();
    }

    private static List<MessageRow> read(Store store, Trace.Recorder recorder, QueueName queue) {
        List<MessageRow> rows = store.messages(new MessageQuery(GroupTraffic.TENANT, queue, false, null, ALL));
        QueueFigures figures = store.figures(GroupTraffic.TENANT, queue).orElseThrow();
        recorder.note(
                recorder.position(),
                store.now(),
                "parent",
                new Fact.QueueRead(GroupTraffic.TENANT, queue, rows, figures));
        return rows;
    }

    /** Requires that everything was tried, and that all of it held. */
    void pass() {
        everythingOccurred();
        assertThat(Invariants.check(trace))
                .as("of %d facts", trace.all().size())
                .isEmpty();
        everyMessageIsAccountedFor();
        letters.forEach(GroupJudgement::wasGivenUpInTime);
        putBack.forEach(GroupJudgement::wasGivenUpInTime);
        figuresAddUp();
    }

    /** Requires that each kill hit somebody in the middle of something, and that others went on. */
    void everyKillHadAnEffect(int kills) {
        List<Noted<Fact.Crashed>> crashes = trace.only(Fact.Crashed.class);
        assertThat(crashes).as("kills").hasSize(kills);
        for (Noted<Fact.Crashed> crash : crashes) {
            assertThat(unfinished(crash.by() + "-"))
                    .as("what %s left unfinished", crash.by())
                    .isNotEmpty();
            assertThat(trace.only(Fact.Asked.class))
                    .as("sends after %s was killed", crash.by())
                    .anyMatch(noted ->
                            noted.position() > crash.position() && noted.fact().commit() instanceof Send);
        }
    }

    /** What the threads of a process asked without being answered, and what they were given and did not settle. */
    private List<Noted<? extends Fact>> unfinished(String thread) {
        Set<CommitRef> answered = new HashSet<>();
        trace.only(Fact.Answered.class)
                .forEach(noted -> answered.add(noted.fact().ref()));
        Set<Receipt> settled = new HashSet<>();
        trace.only(Fact.Asked.class).forEach(noted -> {
            if (noted.fact().commit() instanceof Settle settle) {
                settled.add(settle.receipt());
            }
        });
        return trace.all().stream()
                .filter(noted -> noted.by().startsWith(thread))
                .filter(noted -> noted.fact() instanceof Fact.ReceiveLost
                        || (noted.fact() instanceof Fact.Asked asked && !answered.contains(asked.ref()))
                        || (noted.fact() instanceof Fact.MessageDelivered given
                                && !settled.contains(given.delivery().receipt())))
                .toList();
    }

    private void everythingOccurred() {
        Set<Fate> fates = EnumSet.noneOf(Fate.class);
        trace.only(Fact.Answered.class).forEach(noted -> {
            if (noted.fact().outcome() instanceof Outcome.Settled settled) {
                fates.add(settled.fate());
            }
        });
        assertThat(fates).contains(Fate.DONE, Fate.RETRIED, Fate.RELEASED, Fate.DEAD_LETTERED);
        assertThat(trace.only(Fact.Answered.class))
                .as("redrives")
                .anyMatch(noted ->
                        noted.fact().commit() instanceof Redrive && noted.fact().outcome() instanceof Outcome.Changed);
        assertThat(letters).as("dead letters").isNotEmpty();
        assertThat(putBack).as("dead letters to be put back").isNotEmpty();
    }

    /** Accepted is what was told so. It was done, perhaps by somebody who did not live to hear so, or lies with the dead letters. */
    private void everyMessageIsAccountedFor() {
        Set<MessageId> accepted = new HashSet<>();
        Set<MessageId> done = new HashSet<>();
        trace.only(Fact.Answered.class).forEach(noted -> {
            if (noted.fact().outcome() instanceof Outcome.Sent sent) {
                sent.messages().forEach(message -> accepted.add(message.id()));
            }
        });
        Map<CommitRef, Outcome> answers = new HashMap<>();
        trace.only(Fact.Answered.class)
                .forEach(noted -> answers.put(noted.fact().ref(), noted.fact().outcome()));
        trace.only(Fact.Asked.class).forEach(noted -> {
            if (noted.fact().commit() instanceof Settle settle
                    && settle.verdict() instanceof Verdict.Done
                    && !(answers.get(noted.fact().ref()) instanceof Outcome.LeaseLost)) {
                done.add(settle.receipt().message());
            }
        });
        Set<MessageId> dead = letters.stream().map(MessageRow::id).collect(Collectors.toSet());
        assertThat(left).as("still there").isEmpty();
        assertThat(accepted)
                .as("accepted messages")
                .isNotEmpty()
                .allMatch(id -> done.contains(id) || dead.contains(id), "are done or dead letters");
    }

    private static void wasGivenUpInTime(MessageRow row) {
        DeadLetter letter = Objects.requireNonNull(row.deadLetter());
        assertThat(letter.origin()).isEqualTo(GroupTraffic.QUEUE);
        assertThat(row.deliveries()).as("looks at %s", row).isZero();
        assertThat(row.firstDelivered()).as("first delivery of %s", row).isNotNull();
        assertThat(row.lastDelivered()).as("last delivery of %s", row).isNotNull();
        assertThat(row.lastError()).as("last error of %s", row).isEqualTo(GroupTraffic.ERROR);
        int most = GroupTraffic.SETTINGS.deliveries();
        switch (letter.reason()) {
            case DELIVERIES_USED_UP ->
                assertThat(letter.deliveries()).as("%s", row).isEqualTo(most);
            case REJECTED -> assertThat(letter.deliveries()).as("%s", row).isBetween(1, most);
        }
    }

    private void figuresAddUp() {
        assertThat(List.of(figures.ready(), figures.delayed(), figures.leased()))
                .as("%s", figures)
                .containsOnly(0L);
        assertThat(figures.in()).as("%s", figures).isEqualTo(figures.out() + figures.deadLettered());
        assertThat(letterFigures.in()).as("%s", letterFigures).isEqualTo(figures.deadLettered());
        assertThat(letterFigures.in()).as("%s", letterFigures).isEqualTo(letterFigures.out() + letters.size());
    }
}
