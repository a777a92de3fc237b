package io.perdure.testkit.invariant;

import io.perdure.core.store.Commit;
import io.perdure.core.store.NewMessage;
import io.perdure.core.store.Outcome;
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
        Map<RunId, Set<TenantId>> runs = new HashMap<>();
        Map<MessageId, Set<TenantId>> messages = new HashMap<>();
        for (Noted<Fact.Asked> noted : trace.only(Fact.Asked.class)) {
            Commit commit = noted.fact().commit();
            if (commit instanceof RunCommit.Start start) {
                runs.computeIfAbsent(start.run(), _ -> new HashSet<>()).add(start.tenant());
            }
            for (NewMessage message : MessageStory.sends(commit)) {
                messages.computeIfAbsent(message.id(), _ -> new HashSet<>()).add(commit.tenant());
            }
        }
        for (Noted<? extends Fact> noted : trace.all()) {
            fact(noted, runs, messages, findings);
        }
    }

    private static void fact(
            Noted<? extends Fact> noted,
            Map<RunId, Set<TenantId>> runs,
            Map<MessageId, Set<TenantId>> messages,
            Findings findings) {
        int position = noted.position();
        switch (noted.fact()) {
            case Fact.RunRead(TenantId tenant, var snapshot) -> {
                check(runs, snapshot.run().id(), tenant, position, "was read", findings);
                if (!snapshot.run().tenant().equals(tenant)) {
                    findings.add(
                            snapshot.run().id(),
                            position,
                            "tenant %s was given a run of tenant %s"
                                    .formatted(tenant, snapshot.run().tenant()));
                }
            }
            case Fact.RunClaimed(TenantId tenant, var run, var _) ->
                check(runs, run.run(), tenant, position, "was claimed", findings);
            case Fact.KeyRead read -> check(runs, read.run(), read.tenant(), position, "holds a key", findings);
            case Fact.MessageDelivered(TenantId tenant, var delivery, var _) ->
                check(messages, delivery.message().id(), tenant, position, "was delivered", findings);
            case Fact.QueueRead read ->
                read.messages()
                        .forEach(row -> check(messages, row.id(), read.tenant(), position, "was read", findings));
            case Fact.Answered(CommitRef _, RunCommit.Start start, Outcome.Duplicate duplicate) ->
                check(runs, duplicate.winner(), start.tenant(), position, "was answered", findings);
            case Fact.Answered(CommitRef _, RunCommit commit, Outcome.Applied _) ->
                check(runs, commit.run(), commit.tenant(), position, "was changed", findings);
            case Fact _ -> {}
        }
    }

    private static <K> void check(
            Map<K, Set<TenantId>> owners,
            @Nullable K id,
            TenantId tenant,
            int position,
            String what,
            Findings findings) {
        Set<TenantId> owner = id == null ? null : owners.get(id);
        if (id != null && owner != null && !owner.contains(tenant)) {
            findings.add(id, position, "it %s by tenant %s, and belongs to %s".formatted(what, tenant, owner));
        }
    }
}
