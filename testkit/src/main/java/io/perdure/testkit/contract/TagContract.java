package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.Outcome;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.id.RunId;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs are found by their tags, whichever way they were started. */
abstract class TagContract extends ListFixture {
    private static final Map<String, String> TEAM_A = Map.of("team", "a");

    TagContract(StoreFactory factory) {
        super(factory, Limits.defaults());
    }

    private NewRun tagged() {
        return newRun().tag("team", "a");
    }

    @Test
    final void aRunIsFoundByAllOfItsTagsAndByEach() {
        RunId run = started(tagged().tag("region", "eu"));
        RunId other = started(tagged());
        started(newRun().tag("team", "b"));
        started();
        assertThat(row(run).tags()).isEqualTo(Map.of("team", "a", "region", "eu"));
        assertThat(listed(byStart().with(TEAM_A))).containsExactly(other, run);
        assertThat(listed(byStart().with(Map.of("region", "eu")))).containsExactly(run);
        assertThat(listed(byStart().with(Map.of("region", "eu", "team", "a")))).containsExactly(run);
        assertThat(listed(byStart().with(Map.of("region", "eu", "team", "b")))).isEmpty();
        assertThat(listed(byStart().with(Map.of("region", "e")))).isEmpty();
        assertThat(listed(byStart().with(Map.of("Team", "a")))).isEmpty();
    }

    @Test
    final void everyWayToStartKeepsTheTags() {
        RunId plain = started(tagged());
        RunId leased = startedAndHeld(tagged()).run();
        RunId keyed = started(tagged().key("k"));
        RunId named = started(tagged().workflowId("w"));
        RunId child = started(tagged().parent(plain));
        NewRun one = tagged();
        NewRun two = tagged().leased(lease());
        NewRun three = tagged().key("l");
        List<Outcome> together =
                commitTogether(one.start(), newRun().start(), two.start(), signal(plain, Events.VERIFY), three.start());
        assertThat(together).allMatch(Outcome.Applied.class::isInstance);
        assertThat(listed(byStart().with(TEAM_A)))
                .containsExactlyInAnyOrder(
                        plain,
                        leased,
                        keyed,
                        named,
                        child,
                        one.start().run(),
                        two.start().run(),
                        three.start().run());
    }

    @Test
    final void aStartThatWasAnsweredWithAnotherRunTagsNothing() {
        RunId run = started(newRun().workflowId("w"));
        expect(Outcome.Duplicate.class, tagged().workflowId("w").start());
        assertThat(listed(byStart().with(TEAM_A))).isEmpty();
        assertThat(row(run).tags()).isEmpty();
    }

    @Test
    final void tagsMayHoldAnyText() {
        for (String odd : List.of("", " ", "\"", "\\", "'", "a\nb", "ä", "\uD83D\uDE00", "{}", "%_*")) {
            RunId run = started(newRun().tag(odd, odd));
            assertThat(listed(byStart().with(Map.of(odd, odd))))
                    .as("tag %s", odd)
                    .containsExactly(run);
            ended(newRun().tag("end", odd), Events.failed());
            assertThat(listed(byEnd().with(Map.of("end", odd))))
                    .as("tag %s", odd)
                    .hasSize(1);
        }
    }

    @Test
    final void tagsGoWithTheirRun() {
        ended(tagged(), Events.completed("1"));
        clock.move(Duration.ofDays(NewRun.RETENTION_DAYS).plus(MOMENT));
        RunId newer = started(tagged());
        assertThat(store.sweep(Sweep.RETIRED_RUNS, 10)).isEqualTo(1);
        assertThat(listed(byStart().with(TEAM_A))).containsExactly(newer);
        assertThat(listed(byEnd().with(TEAM_A))).isEmpty();
    }

    @Test
    final void moreTagsThanARunCanHaveCannotBeAskedFor() {
        int most = Limits.defaults().runs().tags();
        assertThat(listed(byStart().with(tags(most)))).isEmpty();
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> byStart().with(tags(most + 1)).from(null))
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.OUT_OF_BOUNDS));
    }

    private static Map<String, String> tags(int count) {
        return IntStream.range(0, count).boxed().collect(Collectors.toMap(tag -> "tag-" + tag, tag -> "a"));
    }
}
