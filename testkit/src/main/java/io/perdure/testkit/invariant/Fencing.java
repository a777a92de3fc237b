package io.perdure.testkit.invariant;

import io.perdure.core.store.Extended;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.history.Recorded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Invariant 10. Once somebody else has leased a run or a message, or an intervention took the lease away, nothing that bears
 * the old token is applied: no commit, no settlement, no extension.
 */
final class Fencing extends Rule {
    Fencing() {
        super(10, "A worker whose lease was reclaimed changes nothing.");
    }

    /**
     * Something that gave the lease to this token, or to nobody.
     *
     * @param from it happened after everything noted before this place
     * @param to it happened before everything noted after this place
     */
    private record Fence(@Nullable UUID token, int from, int to) {}

    @Override
    void look(Trace trace, Findings findings) {
        for (RunStory story : trace.runs().values()) {
            Fences fences = new Fences(fencesOf(trace, story));
            commits(trace, story, fences, findings);
            extensions(story.key, story.extensions, fences, findings);
            order(trace, story, fences, findings);
        }
        for (MessageStory story : trace.messages().values()) {
            Fences fences = new Fences(story.deliveries.stream()
                    .map(noted -> new Fence(noted.fact().delivery().receipt().token(), noted.since(), noted.position()))
                    .toList());
            settlements(trace, story, fences, findings);
            extensions(story.key, story.extensions, fences, findings);
        }
    }

    private static List<Fence> fencesOf(Trace trace, RunStory story) {
        List<Fence> fences = new ArrayList<>();
        story.claims.forEach(
                noted -> fences.add(new Fence(noted.fact().run().receipt().token(), noted.since(), noted.position())));
        for (Noted<Fact.Answered> noted : story.answered) {
            int asked = trace.firstAsked(noted.fact().ref());
            if (noted.fact().commit() instanceof RunCommit.Start start
                    && noted.fact().outcome() instanceof Outcome.Started) {
                Optional.ofNullable(start.lease())
                        .ifPresent(lease -> fences.add(new Fence(lease.token(), asked, noted.position())));
            } else if (noted.fact().commit() instanceof RunCommit.Intervene
                    && noted.fact().outcome() instanceof Outcome.Appended) {
                fences.add(new Fence(null, asked, noted.position()));
            }
        }
        return fences;
    }

    /** Who leased what, and who took it away. */
    private static final class Fences {
        private final List<Fence> all;
        private final Map<UUID, Integer> granted = new HashMap<>();

        Fences(List<Fence> all) {
            this.all = all;
            all.forEach(fence -> {
                if (fence.token() != null) {
                    granted.putIfAbsent(fence.token(), fence.to());
                }
            });
        }

        /** The fence that certainly came after this token's lease and before this place. */
        Optional<Fence> against(UUID token, int before) {
            Integer since = granted.get(token);
            return since == null
                    ? Optional.empty()
                    : all.stream()
                            .filter(fence ->
                                    !token.equals(fence.token()) && fence.from() > since && fence.to() < before)
                            .findFirst();
        }

        boolean isOlder(UUID token, int than) {
            Integer since = granted.get(token);
            return since != null && since < than;
        }
    }

    private static void commits(Trace trace, RunStory story, Fences fences, Findings findings) {
        for (Noted<Fact.Answered> noted : story.appended()) {
            if (noted.fact().commit() instanceof RunCommit.Advance advance) {
                fences.against(advance.token(), trace.firstAsked(noted.fact().ref()))
                        .ifPresent(fence -> findings.add(
                                story.key,
                                noted.position(),
                                "a commit with a token that lost its lease at %d was applied".formatted(fence.to())));
            }
        }
    }

    private static void settlements(Trace trace, MessageStory story, Fences fences, Findings findings) {
        for (Noted<Fact.Answered> noted : story.answered) {
            if (noted.fact().commit() instanceof QueueCommit.Settle settle
                    && noted.fact().outcome() instanceof Outcome.Settled) {
                fences.against(
                                settle.receipt().token(),
                                trace.firstAsked(noted.fact().ref()))
                        .ifPresent(fence -> findings.add(
                                story.key,
                                noted.position(),
                                "it was settled with a receipt that lost its lease at %d".formatted(fence.to())));
            }
        }
    }

    private static void extensions(
            Object key, List<Noted<Fact.LeaseExtended>> extensions, Fences fences, Findings findings) {
        for (Noted<Fact.LeaseExtended> noted : extensions) {
            if (noted.fact().answer() instanceof Extended.Until) {
                fences.against(noted.fact().request().receipt().token(), noted.since())
                        .ifPresent(fence -> findings.add(
                                key,
                                noted.position(),
                                "a lease that was lost at %d was extended".formatted(fence.to())));
            }
        }
    }

    /** A commit can be long under way: what tells then is whether the history that the next holder read lacks its events. */
    private static void order(Trace trace, RunStory story, Fences fences, Findings findings) {
        Map<Long, UUID> writers = new HashMap<>();
        Map<Long, Integer> interventions = new HashMap<>();
        for (Noted<Fact.Answered> noted : story.appended()) {
            for (Recorded recorded : ((Outcome.Appended) noted.fact().outcome()).events()) {
                if (noted.fact().commit() instanceof RunCommit.Advance advance) {
                    writers.put(recorded.seq(), advance.token());
                } else {
                    interventions.put(
                            recorded.seq(), trace.firstAsked(noted.fact().ref()));
                }
            }
        }
        story.claims.forEach(claim -> firstReadAfter(story, claim)
                .ifPresent(read -> late(story, writers, fences, read, claim.since(), findings)));
        interventions.forEach((seq, asked) -> late(story, writers, fences, seq + 1, asked, findings));
    }

    private static Optional<Long> firstReadAfter(RunStory story, Noted<Fact.RunClaimed> claim) {
        return story.reads.stream()
                .filter(read -> read.since() > claim.position() && read.by().equals(claim.by()))
                .map(read -> (long) read.fact().snapshot().history().size())
                .findFirst();
    }

    private static void late(
            RunStory story, Map<Long, UUID> writers, Fences fences, long from, int fencedAt, Findings findings) {
        writers.forEach((seq, token) -> {
            if (seq >= from && fences.isOlder(token, fencedAt)) {
                findings.add(
                        story.key,
                        fencedAt,
                        "event %d came from a token that had lost its lease by event %d".formatted(seq, from));
            }
        });
    }
}
