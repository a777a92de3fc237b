package io.perdure.testkit.invariant;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Invariant 5, its second half. All starts with one idempotency key answer with one run, which was started with the same input. */
final class OneRunPerKey extends Rule {
    OneRunPerKey() {
        super(5, "One run ever per idempotency key while it is retained.");
    }

    private record Key(TenantId tenant, WorkflowName workflow, IdempotencyKey key) {
        @Override
        public String toString() {
            return "key " + tenant + "/" + workflow + "/" + key;
        }
    }

    private record Bound(RunId run, String input) {}

    @Override
    void look(Trace trace, Findings findings) {
        Map<Key, Bound> bound = new HashMap<>();
        for (Noted<? extends Fact> noted : trace.all()) {
            switch (noted.fact()) {
                case Fact.Answered(CommitRef _, RunCommit.Start start, Outcome outcome) ->
                    start(trace, noted, start, outcome, bound, findings);
                case Fact.KeyRead read -> key(trace, noted, read, bound, findings);
                case Fact _ -> {}
            }
        }
    }

    private static void start(
            Trace trace,
            Noted<? extends Fact> noted,
            RunCommit.Start start,
            Outcome outcome,
            Map<Key, Bound> bound,
            Findings findings) {
        IdempotencyKey value = start.options().idempotencyKey();
        RunId run = winner(start, outcome);
        if (value == null || run == null) {
            return;
        }
        Key key = new Key(start.tenant(), start.definition().workflow(), value);
        Bound now = new Bound(run, start.definition().fingerprint());
        Bound before = bound.putIfAbsent(key, now);
        if (before == null) {
            return;
        }
        if (!before.run().equals(run)) {
            change(trace, noted, key, before.run(), run, findings);
            bound.put(key, now);
        } else if (!before.input().equals(now.input())) {
            findings.add(
                    key,
                    noted.position(),
                    "it was used with other input than at first, and run %s was answered".formatted(run));
        }
    }

    private static @Nullable RunId winner(RunCommit.Start start, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Started _ -> start.run();
            case Outcome.Duplicate duplicate -> duplicate.winner();
            case Outcome.Applied _, Outcome.Conflict _, Outcome.LeaseLost _, Outcome.Woken _, Outcome.Refused _ -> null;
        };
    }

    private static void key(
            Trace trace, Noted<? extends Fact> noted, Fact.KeyRead read, Map<Key, Bound> bound, Findings findings) {
        Key key = new Key(read.tenant(), read.workflow(), read.key());
        Bound before = bound.get(key);
        if (before != null && !before.run().equals(read.run())) {
            change(trace, noted, key, before.run(), read.run(), findings);
        }
    }

    /** A key is free again once its run was swept, and not before. */
    private static void change(
            Trace trace, Noted<? extends Fact> noted, Key key, RunId before, @Nullable RunId now, Findings findings) {
        RunStory story = trace.runs().get(new RunKey(key.tenant(), before));
        if (story == null || !Retention.mayBeGone(trace, story, noted.position())) {
            findings.add(key, noted.position(), "it was bound to run %s, and is now to %s".formatted(before, now));
        }
    }
}
