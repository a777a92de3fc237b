package io.perdure.testkit.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.core.store.Ledger;
import io.perdure.core.store.QueueCommit.Create;
import io.perdure.core.store.Store;
import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.testkit.queue.Observer.Office;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The traffic that processes are judged by, of two shifts over one memory store; and journals that must not pass. */
class GroupTrafficTest {
    private static final int HANDLED = 300;

    @TempDir
    Path folder;

    private final Environment environment = new SystemEnvironment();
    private final Store store = new MemoryStore(environment.clock(), Limits.defaults());
    private Instant from = Instant.EPOCH;

    @Test
    @Timeout(60)
    void twoShiftsKeepGroupsInOrderAndLoseNothing() throws IOException, InterruptedException {
        List<String> heard = traffic();

        judge(heard);
    }

    @Test
    @Timeout(60)
    void journalWithoutAnAcknowledgementDoesNotPass() throws IOException, InterruptedException {
        List<String> heard = traffic();
        String asked = heard.stream()
                .filter(line -> line.startsWith("asked") && line.endsWith("done"))
                .reduce((_, later) -> later)
                .orElseThrow();
        List<String> forged = new ArrayList<>(heard);
        forged.remove(asked);
        forged.removeIf(line -> line.startsWith(call("answered", asked)));

        assertThatThrownBy(() -> judge(forged)).isInstanceOf(AssertionError.class);
    }

    @Test
    @Timeout(60)
    void journalInWhichOneOfAGroupIsDeliveredToTwoDoesNotPass() throws IOException, InterruptedException {
        List<String> heard = traffic();
        String delivered = heard.stream()
                .filter(line -> line.startsWith("delivered"))
                .findFirst()
                .orElseThrow();
        List<String> forged = new ArrayList<>(heard);
        forged.add(heard.indexOf(delivered) + 1, delivered);

        assertThatThrownBy(() -> judge(forged)).isInstanceOf(AssertionError.class);
    }

    /** The beginning of a line about the same call. */
    private static String call(String what, String line) {
        String[] words = line.split(" ", -1);
        return "%s %s %s ".formatted(what, words[1], words[2]);
    }

    private void judge(List<String> heard) {
        new GroupJudgement(store, JournalTrace.of(heard, from)).pass();
    }

    private List<String> traffic() throws IOException, InterruptedException {
        Path file = folder.resolve("journal");
        from = store.now();
        CountDownLatch enough = new CountDownLatch(HANDLED);
        try (Journal journal = Journal.at(file);
                Ledger ledger = Ledger.open(store, environment, Limits.defaults())) {
            ledger.commit(new Create(GroupTraffic.TENANT, GroupTraffic.QUEUE, GroupTraffic.SETTINGS));
            Office office = new Office(store, ledger, environment, journal);
            List<GroupShift> shifts = List.of(
                    GroupShift.begin(office, "early", 0, _ -> enough.countDown()),
                    GroupShift.begin(office, "late", 1_000_000, _ -> enough.countDown()));
            enough.await();
            shifts.forEach(GroupShift::sendNoMore);
            for (GroupShift shift : shifts) {
                shift.finish();
            }
        }
        List<String> heard = Journal.heard(file);
        assertThat(heard).hasSizeGreaterThan(HANDLED);
        return heard;
    }
}
