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
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes with several senders and receivers each, on the groups of one queue, some of them killed in the middle: commit order,
 * one of a group at a time, nothing lost, given up after exactly the deliveries that the queue allows.
 */
public abstract class GroupTrafficContract {
    private static final long NUMBERS_PER_PROCESS = 1_000_000;

    /** Fewer than a message has deliveries: whatever is given up was given back by somebody, and says why. */
    private static final int KILLS = 2;

    @TempDir
    protected Path folder;

    /** Of a database that is this test's own, the same for the whole test. */
    protected abstract String url();

    @Test
    @Timeout(180)
    final void groupsStayInOrderAndNothingIsLostThoughProcessesAreKilled() throws IOException, InterruptedException {
        Path journal = folder.resolve("journal");
        Environment environment = new SystemEnvironment();
        try (Store store = Stores.open(url(), environment, Limits.defaults());
                Ledger ledger = Ledger.open(store, environment, Limits.defaults())) {
            Instant from = store.now();
            assertThat(ledger.commit(new Create(GroupTraffic.TENANT, GroupTraffic.QUEUE, GroupTraffic.SETTINGS)))
                    .isEqualTo(new Outcome.Changed(1));
            traffic(journal, environment.clock());
            GroupJudgement judgement = new GroupJudgement(store, Journal.heard(journal), from);
            judgement.everyKillHadAnEffect(KILLS);
            judgement.pass();
        }
    }

    private void traffic(Path file, InstantSource clock) throws IOException, InterruptedException {
        try (Journal journal = Journal.at(file);
                GroupProcess first = GroupProcess.start(url(), file, "first", 0);
                GroupProcess second = GroupProcess.start(url(), file, "second", NUMBERS_PER_PROCESS);
                GroupProcess survivor = GroupProcess.start(url(), file, "survivor", 2 * NUMBERS_PER_PROCESS)) {
            for (GroupProcess victim : List.of(first, second)) {
                survivor.awaitLines(2);
                victim.awaitLines(4);
                victim.kill();
                journal.say(List.of(JournalTrace.killed(victim.name(), clock.instant())));
                survivor.awaitLines(2);
            }
            assertThat(survivor.finish()).isZero();
        }
    }
}
