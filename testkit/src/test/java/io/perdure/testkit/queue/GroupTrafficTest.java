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
import io.perdure.testkit.queue.GroupShift.Watch;
import io.perdure.testkit.queue.Observer.Office;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The traffic that processes are judged by, of two shifts over one memory store; and journals that must not pass. */
class GroupTrafficTest {
    private static final int HANDLED = 300;

    /** Which words of a line about a delivery these are. */
    private static final int ID = 4;

    private static final int BODY = 6;
    private static final int GROUP = 7;

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

        doesNotPass(forged, "accepted, never settled, and is nowhere");
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

        doesNotPass(forged, "it was delivered while a lease of it lasted");
    }

    @Test
    @Timeout(60)
    void journalInWhichTwoOfAGroupAreDeliveredAtOnceDoesNotPass() throws IOException, InterruptedException {
        List<String> heard = traffic();
        int second = IntStream.range(1, heard.size())
                .filter(index -> heard.get(index).startsWith("delivered"))
                .filter(index -> heard.get(index - 1).startsWith(call("delivered", heard.get(index))))
                .findFirst()
                .orElseThrow();
        String[] one = heard.get(second - 1).split(" ", -1);
        String[] other = heard.get(second).split(" ", -1);
        // A message that came in one answer with another is now of the same group, from when it was sent.
        List<String> forged = heard.stream()
                .map(line -> line.contains(other[ID])
                        ? line.replace(other[BODY] + "," + other[GROUP], other[BODY] + "," + one[GROUP])
                                .replace(other[BODY] + " " + other[GROUP], other[BODY] + " " + one[GROUP])
                        : line)
                .toList();

        doesNotPass(forged, "was not settled");
    }

    @Test
    @Timeout(60)
    void journalInWhichTwoOfAGroupAreSentTheOtherWayRoundDoesNotPass() throws IOException, InterruptedException {
        List<String> heard = traffic();
        String[] one = firstDelivered(heard, 0, "");
        String[] other = firstDelivered(heard, answered(heard, one), one[GROUP]);
        List<String> forged = heard.stream()
                .map(line -> line.contains(" send ") || line.contains(" sent ") ? swapped(line, one, other) : line)
                .toList();

        doesNotPass(forged, "which was sent first");
    }

    /** The first delivery of a message that was asked to be sent after a line, to a group where that is not empty. */
    private static String[] firstDelivered(List<String> heard, int after, String group) {
        return heard.stream()
                .filter(line -> line.startsWith("delivered"))
                .map(line -> line.split(" ", -1))
                .filter(words -> group.isEmpty() || words[GROUP].equals(group))
                .filter(words -> heard.subList(0, after).stream().noneMatch(line -> line.contains(words[ID])))
                .findFirst()
                .orElseThrow();
    }

    /** Where the answer to a message's send is. */
    private static int answered(List<String> heard, String[] delivered) {
        return IntStream.range(0, heard.size())
                .filter(index ->
                        heard.get(index).contains(" sent ") && heard.get(index).contains(delivered[ID]))
                .findFirst()
                .orElseThrow();
    }

    private static String swapped(String line, String[] one, String[] other) {
        String message = one[ID] + "," + one[BODY];
        return line.replace(message, "?")
                .replace(one[ID], "??")
                .replace(other[ID] + "," + other[BODY], message)
                .replace(other[ID], one[ID])
                .replace("??", other[ID])
                .replace("?", other[ID] + "," + other[BODY]);
    }

    private void doesNotPass(List<String> forged, String why) {
        assertThatThrownBy(() -> judge(forged))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(why);
    }

    /** The beginning of a line about the same call. */
    private static String call(String what, String line) {
        String[] words = line.split(" ", -1);
        return "%s %s %s ".formatted(what, words[1], words[2]);
    }

    private void judge(List<String> heard) {
        new GroupJudgement(store, heard, from).pass();
    }

    private List<String> traffic() throws IOException, InterruptedException {
        Path file = folder.resolve("journal");
        from = store.now();
        CountDownLatch enough = new CountDownLatch(HANDLED);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        Watch watch = new Watch(_ -> enough.countDown(), failed -> {
            failure.compareAndSet(null, failed);
            LongStream.range(0, HANDLED).forEach(_ -> enough.countDown());
        });
        try (Journal journal = Journal.at(file);
                Ledger ledger = Ledger.open(store, environment, Limits.defaults())) {
            ledger.commit(new Create(GroupTraffic.TENANT, GroupTraffic.QUEUE, GroupTraffic.SETTINGS));
            Office office = new Office(store, ledger, environment, journal);
            List<GroupShift> shifts = List.of(
                    GroupShift.begin(office, "early", 0, watch), GroupShift.begin(office, "late", 1_000_000, watch));
            enough.await();
            shifts.forEach(GroupShift::sendNoMore);
            for (GroupShift shift : shifts) {
                shift.finish();
            }
        }
        assertThat(failure.get()).as("what kept a thread from going on").isNull();
        List<String> heard = Journal.heard(file);
        assertThat(heard).hasSizeGreaterThan(HANDLED);
        return heard;
    }
}
