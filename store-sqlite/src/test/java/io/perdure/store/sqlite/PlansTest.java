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
    void receivingReadsTheReadyMessagesInOrderWithoutSorting() {
        assertThat(plan("SELECT " + StoredMessage.COLUMNS + " FROM message m WHERE " + Receives.deliverable(false)
                        + " ORDER BY m.ready_at, m.id LIMIT 10"))
                .anyMatch(step -> step.contains("message_by_ready (queue=? AND ready_at<?)"))
                .anyMatch(step -> step.contains("message_by_group (queue=? AND group_key=?"))
                .noneMatch(step -> step.contains("TEMP B-TREE"));
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

    @ParameterizedTest
    @ValueSource(
            strings = {
                RunLists.OVERDUE,
                "SELECT min(ready_at) FROM message WHERE queue = 1 AND ready_at > 2 AND ready_at < 3",
                "SELECT max(seq) FROM event WHERE run = 1",
                "SELECT id FROM run WHERE tenant = 'a' ORDER BY started_at DESC, id DESC LIMIT 10",
                "SELECT min(ready_at) FROM run_message WHERE tenant = 'a' AND queue = 'q' AND ready_at > 2",
                "DELETE FROM claimed_key WHERE tenant = 'a' AND holder = x'00' AND expires_at IS NULL",
                "SELECT row FROM message WHERE expires_at <= 1 ORDER BY expires_at, id LIMIT 10",
                "SELECT id FROM run WHERE retires_at < 1 ORDER BY retires_at, id LIMIT 10"
            })
    void noTableIsScanned(String sql) {
        assertThat(plan(sql)).isNotEmpty().allMatch(step -> !step.startsWith("SCAN") || step.contains("USING"));
    }
}
