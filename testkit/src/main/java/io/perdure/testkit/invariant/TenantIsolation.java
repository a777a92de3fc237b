package io.perdure.testkit.invariant;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Extended;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit;
import io.perdure.core.store.RunCommit;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Invariant 21. Whatever a tenant is given, told of or lets change is something that this tenant started or sent. */
final class TenantIsolation extends Rule {
    TenantIsolation() {
        super(21, "Nothing crosses tenants: no read, write or lease.");
    }

    @Override
    void look(Trace trace, Findings findings) {
        Look look = new Look(findings);
        trace.only(Fact.Asked.class).forEach(noted -> look.owns(noted.fact().commit()));
        trace.all().forEach(look::fact);
    }

    /** One look at one trace: who owns what, and what was found. */
    private static final class Look {
        private final Map<RunId, Set<TenantId>> runs = new HashMap<>();
        private final Map<MessageId, Set<TenantId>> messages = new HashMap<>();
        private final Findings findings;

        Look(Findings findings) {
            this.findings = findings;
        }

        void owns(Commit commit) {
            if (commit instanceof RunCommit.Start start) {
                runs.computeIfAbsent(start.run(), _ -> new HashSet<>()).add(start.tenant());
            }
            for (NewMessage message : MessageStory.sends(commit)) {
                messages.computeIfAbsent(message.id(), _ -> new HashSet<>()).add(commit.tenant());
            }
        }

        void fact(Noted<? extends Fact> noted) {
            int position = noted.position();
            switch (noted.fact()) {
                case Fact.RunRead read -> read(read, position);
                case Fact.HistoryRead read
                when !read.events().isEmpty() -> run(read.run(), read.tenant(), position, "was read");
                case Fact.RunClaimed(TenantId tenant, var run, var _) ->
                    run(run.run(), tenant, position, "was claimed");
                case Fact.KeyRead read -> run(read.run(), read.tenant(), position, "holds a key that was read");
                case Fact.MessageDelivered(TenantId tenant, var delivery, var _) ->
                    message(delivery.message().id(), tenant, position, "was delivered");
                case Fact.QueueRead read ->
                    read.messages().forEach(row -> message(row.id(), read.tenant(), position, "was read"));
                case Fact.LeaseExtended extended -> lease(extended, position);
                case Fact.Answered answered -> answered(answered, position);
                // What was asked for and what came of nothing tell nobody anything.
                case Fact.Asked _, Fact.AnswerLost _, Fact.RunAbsent _, Fact.HistoryRead _ -> {}
                case Fact.StepRan _, Fact.Swept _, Fact.Crashed _, Fact.ReceiveLost _ -> {}
                case Fact.ClockMoved _, Fact.FaultsStopped _, Fact.LastLook _ -> {}
            }
        }

        private void read(Fact.RunRead read, int position) {
            run(read.snapshot().run().id(), read.tenant(), position, "was read");
            TenantId told = read.snapshot().run().tenant();
            if (!told.equals(read.tenant())) {
                findings.add(
                        read.snapshot().run().id(),
                        position,
                        "tenant %s was given a run of tenant %s".formatted(read.tenant(), told));
            }
        }

        /** A receipt names a run or a message: ids of both are spaces of their own, so either may be meant. */
        private void lease(Fact.LeaseExtended extended, int position) {
            if (extended.answer() instanceof Extended.Until) {
                MessageId id = extended.request().receipt().message();
                Set<TenantId> owners = new HashSet<>(runs.getOrDefault(new RunId(id.value()), Set.of()));
                owners.addAll(messages.getOrDefault(id, Set.of()));
                check(owners, id, extended.request().tenant(), position, "was held for longer");
            }
        }

        private void answered(Fact.Answered answered, int position) {
            TenantId tenant = answered.commit().tenant();
            Outcome outcome = answered.outcome();
            if (outcome instanceof Outcome.Duplicate duplicate) {
                run(duplicate.winner(), tenant, position, "was answered");
            }
            MessageStory.sent(outcome).forEach(sent -> message(sent.id(), tenant, position, "was answered"));
            if (isChange(outcome)) {
                switch (answered.commit()) {
                    case RunCommit commit -> run(commit.run(), tenant, position, "was changed");
                    case QueueCommit commit ->
                        MessageStory.concerned(commit).ifPresent(id -> message(id, tenant, position, "was changed"));
                }
            }
        }

        private static boolean isChange(Outcome outcome) {
            return outcome instanceof Outcome.Applied && !(outcome instanceof Outcome.Changed(int count) && count == 0);
        }

        private void run(@Nullable RunId id, TenantId tenant, int position, String what) {
            if (id != null) {
                check(runs.getOrDefault(id, Set.of()), id, tenant, position, what);
            }
        }

        private void message(MessageId id, TenantId tenant, int position, String what) {
            check(messages.getOrDefault(id, Set.of()), id, tenant, position, what);
        }

        private void check(Set<TenantId> owners, Object id, TenantId tenant, int position, String what) {
            if (!owners.isEmpty() && !owners.contains(tenant)) {
                findings.add(id, position, "it %s by tenant %s, and belongs to %s".formatted(what, tenant, owners));
            }
        }
    }
}
