package io.perdure.testkit.invariant;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunSnapshot;
import io.perdure.sdk.history.RunStatus;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/** Invariant 11. A running run has its one message in every read; one that ended or is parked has none, and is claimed by nobody. */
final class OneMessagePerRun extends Rule {
    OneMessagePerRun() {
        super(11, "A running run has exactly one message; a terminal or parked run has none.");
    }

    @Override
    void look(Trace trace, Findings findings) {
        for (RunStory story : trace.runs().values()) {
            for (Noted<Fact.RunRead> read : story.reads) {
                RunSnapshot snapshot = read.fact().snapshot();
                boolean running = snapshot.run().status() == RunStatus.RUNNING;
                if (running != (snapshot.message() != null)) {
                    findings.add(
                            story.key,
                            read.position(),
                            "it is %s and its message is %s"
                                    .formatted(snapshot.run().status().word(), snapshot.message()));
                }
            }
            Set<UUID> tokens = new HashSet<>();
            for (Noted<Fact.RunClaimed> claim : story.claims) {
                if (!tokens.add(claim.fact().run().receipt().token())) {
                    findings.add(story.key, claim.position(), "one claim was given it twice");
                }
                claimedWithout(trace, story, claim, findings);
            }
        }
    }

    /** A claim proves a message. It must not be there once the run was known to have stopped and nobody asked it to go on. */
    private static void claimedWithout(Trace trace, RunStory story, Noted<Fact.RunClaimed> claim, Findings findings) {
        for (Noted<Fact.Answered> noted : story.appended()) {
            RunStatus status = ((Outcome.Appended) noted.fact().outcome()).status();
            if (status != RunStatus.RUNNING
                    && noted.position() < claim.since()
                    && !story.mayHaveGoneOn(trace.firstAsked(noted.fact().ref()), claim.position())) {
                findings.add(
                        story.key,
                        claim.position(),
                        "it was claimed although it was %s since %d".formatted(status.word(), noted.position()));
                return;
            }
        }
    }
}
