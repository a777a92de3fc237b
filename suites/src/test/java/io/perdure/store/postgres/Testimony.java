package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.RunPage;
import io.perdure.core.store.RunQuery;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.store.Witness.Fact;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What the witness heard, held against itself and against the database once that is drained. */
final class Testimony {
    private static final Set<String> ENDS_A_HOLD = Set.of("acking", "retrying", "rejecting");

    private final List<Fact> facts;

    Testimony(List<Fact> facts) {
        this.facts = facts;
    }

    private Stream<Long> all(String what) {
        return facts.stream().filter(fact -> fact.what().equals(what)).map(Fact::number);
    }

    Set<Long> numbers(String what) {
        return new TreeSet<>(all(what).toList());
    }

    /** What holds whoever was killed, paused or cut off. */
    void holdsThroughFaults(Mailroom mailroom) {
        assertThat(numbers("acking"))
                .as("every send that was told done was brought to its end")
                .containsAll(numbers("sent"));
        for (String once : List.of("acked", "rejected", "redriven", "started", "completed")) {
            assertThat(all(once)).as("told " + once).doesNotHaveDuplicates();
        }
        assertThat(deliveredAfterItsAck())
                .as("delivered after its ack was told")
                .isEmpty();
        assertThat(overtaken())
                .as("delivered before one of its group that was sent earlier")
                .isEmpty();
        for (var queue : List.of(Mailroom.QUEUE, Mailroom.QUEUE.deadLetters())) {
            QueueFigures figures = mailroom.figures(queue);
            assertThat(mailroom.messages(queue)).isEmpty();
            assertThat(figures.in()).as("%s", figures).isEqualTo(figures.out() + figures.deadLettered());
        }
        // Who starts a run and who completes it may both die before they tell: so there may be one that nobody has told
        // of.
        List<Long> completed = completed(mailroom);
        assertThat(completed)
                .as("one run for each key, completed")
                .doesNotHaveDuplicates()
                .containsAll(Stream.of("started", "duplicate", "completed")
                        .flatMap(this::all)
                        .toList())
                .isSubsetOf(numbers("starting"))
                .hasSize(Math.toIntExact(counted(mailroom)));
    }

    /** What holds besides where nobody failed and no lease ran out. */
    void holdsInPeace(Mailroom mailroom) {
        assertThat(numbers("acked")).isEqualTo(numbers("sent"));
        assertThat(numbers("completed")).isEqualTo(numbers("started"));
        assertThat(numbers("redriven")).isEqualTo(numbers("rejected"));
        assertThat(numbers("late")).isEmpty();
        assertThat(heldTwice()).as("with two receivers at a time").isEmpty();
        QueueFigures mail = mailroom.figures(Mailroom.QUEUE);
        QueueFigures dead = mailroom.figures(Mailroom.QUEUE.deadLetters());
        long sent = all("sent").count();
        long rejected = all("rejected").count();
        assertThat(List.of(mail.in(), mail.out(), mail.deadLettered(), mail.retried()))
                .isEqualTo(
                        List.of(sent + rejected, sent, rejected, all("retried").count()));
        assertThat(List.of(dead.in(), dead.out())).isEqualTo(List.of(rejected, rejected));
    }

    /** The numbers of the completed runs, by their inputs. */
    private static List<Long> completed(Mailroom mailroom) {
        List<Long> numbers = new ArrayList<>();
        RunQuery query = RunQuery.all(Mailroom.TENANT, 1_000);
        RunPage page = mailroom.store.runs(query);
        while (true) {
            page.runs().stream()
                    .filter(run -> run.status() == RunStatus.COMPLETED)
                    .forEach(run ->
                            numbers.add(Long.parseLong(run.definition().input().text())));
            if (page.next() == null) {
                return numbers;
            }
            page = mailroom.store.runs(query.from(page.next()));
        }
    }

    private static long counted(Mailroom mailroom) {
        return mailroom.store.runCounts(Mailroom.TENANT).stream()
                .filter(count -> count.status() == RunStatus.COMPLETED)
                .mapToLong(count -> count.count())
                .sum();
    }

    /**
     * Those that a look answered which was asked for after they were told acknowledged. A process may be stopped between its
     * answer and the word of it, so when it said "received" proves nothing.
     */
    private List<Long> deliveredAfterItsAck() {
        Map<Long, Integer> askedAt = new HashMap<>();
        Map<Long, Integer> ackedAt = new HashMap<>();
        List<Long> again = new ArrayList<>();
        int asked = 0;
        for (int place = 0; place < facts.size(); place++) {
            Fact fact = facts.get(place);
            switch (fact.what()) {
                case "asking" -> askedAt.put(fact.number(), place);
                // What it received follows at once: one word of the witness.
                case "answered" -> asked = askedAt.getOrDefault(fact.number(), 0);
                case "acked" -> ackedAt.put(fact.number(), place);
                case "received" -> {
                    if (ackedAt.getOrDefault(fact.number(), Integer.MAX_VALUE) < asked) {
                        again.add(fact.number());
                    }
                }
                default -> {}
            }
        }
        return again;
    }

    /**
     * Those whose send was told done before the send of one began that was delivered before them. Between sends that were under
     * way together the database decides.
     */
    private List<Long> overtaken() {
        Map<Long, Integer> begun = new HashMap<>();
        Map<Long, Integer> ended = new HashMap<>();
        Map<GroupKey, Integer> latestBegun = new HashMap<>();
        Set<Long> delivered = new HashSet<>();
        List<Long> overtaken = new ArrayList<>();
        for (int place = 0; place < facts.size(); place++) {
            Fact fact = facts.get(place);
            switch (fact.what()) {
                case "sending" -> begun.put(fact.number(), place);
                case "sent" -> ended.put(fact.number(), place);
                default -> {}
            }
        }
        for (Fact fact : facts) {
            GroupKey group = Traffic.group(fact.number());
            if (group != null && fact.what().equals("received") && delivered.add(fact.number())) {
                int latest = latestBegun.merge(group, begun.get(fact.number()), Math::max);
                if (ended.getOrDefault(fact.number(), Integer.MAX_VALUE) < latest) {
                    overtaken.add(fact.number());
                }
            }
        }
        return overtaken;
    }

    /** Messages delivered while the same one, or one of the same group, was with a receiver. */
    private List<Long> heldTwice() {
        Set<Object> held = new HashSet<>();
        List<Long> twice = new ArrayList<>();
        for (Fact fact : facts) {
            GroupKey group = Traffic.group(fact.number());
            Object holder = group == null ? (Object) fact.number() : group;
            if (fact.what().equals("received") && !held.add(holder)) {
                twice.add(fact.number());
            } else if (ENDS_A_HOLD.contains(fact.what())) {
                held.remove(holder);
            }
        }
        return twice;
    }
}
