package io.perdure.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The statements that every message meets reach their rows by an index, with no statistics to help. */
final class PlansTest {
    @TempDir
    Path folder;

    private List<String> plan(String sql) {
        try (Session session = DatabaseFile.at(folder.resolve("app.db")).openWriter()) {
            return session.list("EXPLAIN QUERY PLAN " + sql, row -> row.text(4));
        }
    }

    @Test
    void acknowledgingFindsEachMessageByItsId() {
        assertThat(plan("DELETE FROM message WHERE token = x'01' AND row IN (1, 2)"))
                .containsExactly("SEARCH message USING INTEGER PRIMARY KEY (rowid=?)");
        assertThat(plan("SELECT body FROM message m WHERE m.tenant = 'a' AND m.id = x'00'"))
                .containsExactly("SEARCH m USING INDEX message_by_id (id=? AND tenant=?)");
    }

    @Test
    void requestsAreFoundByTheirIdAndSweptByTheirAge() {
        assertThat(plan(Requests.ONE)).containsExactly("SEARCH request USING PRIMARY KEY (id=? AND tenant=?)");
        assertThat(plan(Requests.OLD))
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith("SEARCH request USING COVERING INDEX request_by_age (noted_at<?)");
    }

    /** And nothing but them: what waits behind the head of its group, be it a million, is elsewhere in the index. */
    @Test
    void receivingReadsTheReadyHeadsInOrderWithoutSorting() {
        assertThat(plan("SELECT " + StoredMessage.COLUMNS + " FROM message m WHERE " + Receives.DUE
                        + " ORDER BY m.ready_at, m.id LIMIT 10"))
                .containsExactly("SEARCH m USING INDEX message_by_ready (queue=? AND blocked=? AND ready_at<?)");
        assertThat(plan(QueueReads.deliverable(false)))
                .containsExactly("SEARCH m USING INDEX message_by_ready (queue=? AND blocked=? AND ready_at<?)");
        assertThat(plan(QueueReads.deliverable(true)))
                .singleElement(InstanceOfAssertFactories.STRING)
                .startsWith("SEARCH m USING INDEX message_by_ready (queue=? AND blocked=? AND ");
    }

    /** What is due, be it a million, is elsewhere in the index. */
    @Test
    void stepBackRepair_readsOnlyMessagesThatWaitForATime() {
        assertThat(plan(StepBack.TOO_LONG_MESSAGES))
                .filteredOn(step -> step.contains(" m "))
                .containsExactly("SEARCH m USING INDEX message_by_ready (queue=? AND blocked=? AND ready_at>?)");
    }

    /** What the two walks found is sorted, and that is no more than twice what is asked for. */
    @ParameterizedTest
    @MethodSource("walksOfAQueue")
    void allMessagesOfAQueueAreReadInTheOrderOfTheIndexAndNoFurtherThanTheyAreTaken(String sql) {
        assertThat(plan(sql))
                .filteredOn(step -> step.contains("message_by_ready"))
                .hasSize(2)
                .allMatch(step ->
                        step.startsWith("SEARCH message USING COVERING INDEX message_by_ready (queue=? AND blocked=?"));
        assertThat(plan(sql))
                .filteredOn(step -> step.startsWith("SEARCH m ") || step.startsWith("SCAN m "))
                .allMatch(step -> step.contains("USING INTEGER PRIMARY KEY (rowid=?)"));
        assertThat(plan(walk(sql))).noneMatch(step -> step.contains("TEMP B-TREE"));
    }

    static Stream<String> walksOfAQueue() {
        return Stream.of(Removals.FIRST, QueueReads.ALL, QueueReads.ALL_AFTER);
    }

    /** The first of the two walks. */
    private static String walk(String sql) {
        int from = sql.indexOf("SELECT row, ready_at, id");
        return sql.substring(from, sql.indexOf(")", sql.indexOf("LIMIT", from)));
    }

    @Test
    void whoLeavesAGroupFindsTheNextOfItWithoutALookAtTheOthers() {
        Groups.FREE_HEADS.each(
                List.of(1L),
                List.of("a"),
                (sql, _, _) -> assertThat(plan(sql))
                        .anyMatch(step -> step.equals("SEARCH message USING INTEGER PRIMARY KEY (rowid=?)"))
                        .anyMatch(step -> step.contains("message_by_group (queue=? AND group_key=?"))
                        .noneMatch(step -> step.contains("TEMP B-TREE") || step.startsWith("SCAN")));
        Groups.FORGET_EMPTY.each(
                List.of(1L),
                List.of("a"),
                (sql, _, _) -> assertThat(plan(sql))
                        .anyMatch(step -> step.equals("SEARCH g USING PRIMARY KEY (queue=? AND group_key=?)"))
                        .anyMatch(step -> step.contains("message_by_group (queue=? AND group_key=?"))
                        .noneMatch(step -> step.startsWith("SCAN")));
    }

    @Test
    void theSweepFindsWhatHasExpiredByItsTime() {
        assertThat(plan(Removals.EXPIRED))
                .contains("SEARCH m USING INDEX message_by_expiry (expires_at<?)")
                .noneMatch(step -> step.startsWith("SCAN"));
    }

    @Test
    void figuresAreReadFromTheCalendarAndTheIndex() {
        assertThat(plan(FigureReads.AHEAD)).containsExactly("SEARCH queue_due USING PRIMARY KEY (queue=? AND slot>?)");
        assertThat(plan(FigureReads.STILL_TO_COME))
                .containsExactly(
                        "SEARCH m USING COVERING INDEX message_by_ready (queue=? AND blocked=? AND ready_at>? AND ready_at<?)");
        assertThat(plan(FigureReads.OLDEST))
                .filteredOn(step -> step.contains("message"))
                .hasSize(2)
                .allMatch(step -> step.contains("message_by_ready (queue=? AND blocked=? AND ready_at<?)"));
    }

    /** For a list so long, an index on the tenant alone might look like less work, and would be all runs there are. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "DELETE FROM run_message WHERE tenant = 'a' AND run IN ",
                "SELECT input FROM run WHERE tenant = 'a' AND id IN ",
                "SELECT payload FROM signal WHERE tenant = 'a' AND run IN "
            })
    void manyRunsAreFoundEachByItsId(String sql) {
        String ids = IntStream.range(0, 64).mapToObj("x'%02x'"::formatted).collect(Collectors.joining(",", "(", ")"));
        assertThat(plan(sql + ids))
                .singleElement(InstanceOfAssertFactories.STRING)
                .containsPattern("(run|id)=\\?")
                .contains("tenant=?");
    }

    static Stream<String> walks() {
        return Stream.of(Strand.BY_START, Strand.BY_WORKFLOW, Strand.PARKED, Strand.BY_END, Strand.TAGGED);
    }

    static Stream<String> walksOfTheFew() {
        return Stream.of(Strand.ENDED_BY_START, Strand.RUNNING, Strand.TAGGED_BY_END);
    }

    /** In the order of its index, but for runs of one moment; those that are few are sorted. */
    @ParameterizedTest
    @MethodSource("walks")
    void listsAreReadInTheOrderOfAnIndexAndNoFurtherThanTheyAreTaken(String walk) {
        assertThat(plan(new Strand(walk, List.of(), 10_000).found(101)))
                .anyMatch(step -> step.startsWith("CO-ROUTINE"))
                .anyMatch(step -> step.matches("SEARCH [rt] USING .*(started|completed)_at>\\? AND .*_at.*<.*"))
                .noneMatch(step -> step.contains("TEMP B-TREE FOR ORDER BY"))
                .noneMatch(step -> step.matches("SCAN [rtm]\\b.*"));
        assertThat(plan(new Strand(walk, List.of(), 10_000).last())).noneMatch(step -> step.matches("SCAN [rtm]\\b.*"));
    }

    @ParameterizedTest
    @MethodSource("walksOfTheFew")
    void listsOfTheFewReadNoOthers(String walk) {
        assertThat(plan(new Strand(walk, List.of(), Strand.WHOLE).found(101)))
                .anyMatch(step -> step.matches("SEARCH [rtm] USING .*tenant=\\?.*"))
                .noneMatch(step -> step.matches("SCAN [rtm]\\b.*"));
    }

    @Test
    void anInspectionReadsByIndexesAndNoFurtherThanItLooks() {
        assertThat(plan(Inspections.BY_START + Session.limit(10)))
                .anyMatch(step -> step.equals("SEARCH r USING INDEX run_by_start (tenant=? AND started_at>?)"))
                .noneMatch(step -> step.contains("TEMP B-TREE FOR ORDER BY"));
        assertThat(plan(Inspections.QUEUES))
                .filteredOn(step -> step.contains("run_message_by_ready"))
                .hasSize(2)
                .allMatch(step -> step.contains("COVERING INDEX run_message_by_ready (tenant=?"));
        assertThat(plan(RunLists.FIRST_READY))
                .filteredOn(step -> step.contains("run_message_by_ready"))
                .hasSize(3)
                .allMatch(step -> step.startsWith("SEARCH"))
                .anyMatch(step -> step.contains("COVERING INDEX run_message_by_ready (tenant=? AND queue=?)"));
        assertThat(plan(Inspections.LEASED + Session.limit(10)))
                .anyMatch(step -> step.contains("run_message_by_ready (tenant=? AND queue=? AND ready_at>?)"))
                .noneMatch(step -> step.startsWith("SCAN run_message"));
        Inspections.SUSPECTS.each(
                List.of("a", 1),
                List.of("b"),
                (sql, _, _) -> assertThat(plan(sql))
                        .contains("SEARCH e USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN")
                        .anyMatch(step -> step.startsWith("SEARCH r USING INDEX run_by_id (id=? AND tenant=?)"))
                        .anyMatch(step -> step.startsWith("SEARCH m USING PRIMARY KEY (run=? AND tenant=?)"))
                        .anyMatch(step -> step.contains("INDEX event_by_run (run=?)"))
                        .noneMatch(step -> step.startsWith("SCAN") || step.contains("TEMP B-TREE")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                RunLists.OVERDUE,
                Receives.NEXT_READY,
                Sweeps.SWEEP_CALENDAR,
                "SELECT max(seq) FROM event WHERE run = 1",
                "SELECT id FROM run WHERE tenant = 'a' ORDER BY started_at DESC, id DESC LIMIT 10",
                "SELECT min(ready_at) FROM run_message WHERE tenant = 'a' AND queue = 'q' AND ready_at > 2",
                "DELETE FROM claimed_key WHERE tenant = 'a' AND holder = x'00' AND expires_at IS NULL",
                "SELECT id FROM run WHERE retires_at < 1 ORDER BY retires_at, id LIMIT 10"
            })
    void noTableIsScanned(String sql) {
        assertThat(plan(sql)).isNotEmpty().allMatch(step -> !step.startsWith("SCAN") || step.contains("USING"));
    }
}
