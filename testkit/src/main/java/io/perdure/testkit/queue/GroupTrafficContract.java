package io.perdure.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Ledger;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes with several senders and receivers each, on the groups of one queue, one of them killed in the middle: commit order,
 * one of a group at a time, nothing lost, given up after exactly the deliveries that the queue allows.
 */
public abstract class GroupTrafficContract {
    private static final long NUMBERS_PER_PROCESS = 1_000_000;

    @TempDir
    protected Path folder;

    /** Of a database that is this test's own, the same for the whole test. */
    protected abstract String url();

    @Test
    @Timeout(120)
    final void groupsStayInOrderAndNothingIsLostThoughAProcessIsKilled() throws IOException, InterruptedException {
        Path journal = folder.resolve("journal");
        Environment environment = new SystemEnvironment();
        try (Store store = Stores.open(url(), environment, Limits.defaults());
                Ledger ledger = Ledger.open(store, environment, Limits.defaults())) {
            Instant from = store.now();
            assertThat(ledger.commit(new Create(GroupTraffic.TENANT, GroupTraffic.QUEUE, GroupTraffic.SETTINGS)))
                    .isEqualTo(new Outcome.Changed(1));
            traffic(journal);
            new GroupJudgement(store, JournalTrace.of(Journal.heard(journal), from)).pass();
        }
    }

    private void traffic(Path journal) throws IOException, InterruptedException {
        try (GroupProcess victim = GroupProcess.start(url(), journal, "victim", 0);
                GroupProcess survivor = GroupProcess.start(url(), journal, "survivor", NUMBERS_PER_PROCESS)) {
            survivor.awaitLines(2);
            victim.awaitLines(6);
            victim.kill();
            survivor.awaitLines(4);
            assertThat(survivor.finish()).isZero();
        }
    }
}
