package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.RunPage;
import io.perdure.core.store.RunQuery.Cursor;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.Limits;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.testkit.StoreFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pages of lists, in a store that looks at few rows for each: all of them together are the list, whatever happens meanwhile. */
abstract class PageContract extends ListFixture {
    private static final int EXAMINED = 6;
    private static final Event COMPLETED = Events.completed("1");

    PageContract(StoreFactory factory) {
        super(factory, Limits.defaults().with(Limits.defaults().calls().examining(EXAMINED)));
    }

    /** Runs of two workflows that ended in several ways; some share their moment. */
    private List<RunId> many() {
        List<Event> ends =
                List.of(COMPLETED, Events.failed(), COMPLETED, Events.cancelled(), COMPLETED, Events.parked());
        List<RunId> runs = new ArrayList<>();
        for (int run = 0; run < 40; run++) {
            NewRun next = newRun().workflow(run % 3 == 0 ? OTHER_WORKFLOW : WORKFLOW);
            runs.add(run % 7 == 0 ? started(next) : ended(next, ends.get(run % ends.size())));
            clock.move(run % 4 == 0 ? MINUTE : Duration.ZERO);
        }
        return runs.reversed();
    }

    private List<RunId> those(List<RunId> runs, RunStatus status) {
        return runs.stream().filter(run -> row(run).status() == status).toList();
    }

    @ParameterizedTest
    @EnumSource
    final void pagesTogetherAreTheList(RunStatus status) {
        List<RunId> runs = many();
        for (int limit : List.of(1, 2, 5, 50)) {
            assertThat(listed(byStart().atMost(limit))).isEqualTo(runs);
            assertThat(listed(byStart().in(status).atMost(limit))).isEqualTo(those(runs, status));
            List<RunId> ofOne = those(runs, status).stream()
                    .filter(run -> row(run).definition().workflow().equals(OTHER_WORKFLOW))
                    .toList();
            assertThat(listed(byStart().in(status).of(OTHER_WORKFLOW).atMost(limit)))
                    .isEqualTo(ofOne);
            assertThat(listed(byEnd().in(status).atMost(limit)))
                    .isEqualTo(status.isTerminal() ? those(runs, status) : List.of());
        }
    }

    @Test
    final void aRareRunIsFoundAmongManyOthers() {
        RunId rare = ended(newRun().tag("team", "a").tag("rare", "yes"), Events.cancelled());
        List<RunId> common = new ArrayList<>();
        for (int run = 0; run < 5 * EXAMINED; run++) {
            common.addFirst(ended(newRun().tag("team", "a"), COMPLETED));
        }
        for (Asked order : List.of(byStart().atMost(3), byEnd().atMost(3))) {
            assertThat(listed(order.in(RunStatus.CANCELLED))).containsExactly(rare);
            assertThat(listed(order.with(Map.of("rare", "yes")))).containsExactly(rare);
            assertThat(listed(order.in(RunStatus.CANCELLED).with(Map.of("team", "a"))))
                    .containsExactly(rare);
            assertThat(listed(order.with(Map.of("team", "a", "rare", "yes")))).containsExactly(rare);
            assertThat(listed(order.in(RunStatus.FAILED))).isEmpty();
            assertThat(listed(order.in(RunStatus.FAILED).with(Map.of("team", "a"))))
                    .isEmpty();
            assertThat(listed(order.in(RunStatus.COMPLETED))).isEqualTo(common);
            assertThat(listed(order.with(Map.of("team", "a")))).hasSize(common.size() + 1);
        }
    }

    @Test
    final void pagesShowEachRunThatStaysOnceWhileOthersComeAndGo() {
        List<RunId> runs = many();
        List<RunId> staying = those(runs, RunStatus.COMPLETED);
        for (Asked asked : List.of(byStart(), byEnd(), byEnd().in(RunStatus.COMPLETED))) {
            List<RunId> seen = new ArrayList<>();
            @Nullable Cursor after = null;
            do {
                RunPage page = store.runs(asked.atMost(2).from(after));
                page.runs().forEach(run -> seen.add(run.id()));
                clock.move(MOMENT);
                RunId parked = ended(newRun(), Events.parked());
                ended(newRun(), COMPLETED);
                clock.move(MOMENT);
                appended(intervene(parked, Events.resumed()));
                appended(intervene(ended(newRun(), Events.failed()), Events.redriven()));
                after = page.next();
            } while (after != null);
            assertThat(seen).doesNotHaveDuplicates();
            assertThat(seen.stream().filter(staying::contains)).containsExactlyElementsOf(staying);
        }
    }

    @Test
    final void aPageGoesOnBehindARunThatWasSwept() {
        RunId last = started();
        RunId swept = ended(newRun(), COMPLETED);
        clock.move(Duration.ofDays(NewRun.RETENTION_DAYS).plus(MOMENT));
        RunId first = started();
        RunPage page = store.runs(byStart().atMost(2).from(null));
        assertThat(page.runs()).extracting(run -> run.id()).containsExactly(first, swept);
        assertThat(store.sweep(Sweep.RETIRED_RUNS, 10)).isEqualTo(1);
        assertThat(store.runs(byStart().from(page.next())).runs())
                .extracting(run -> run.id())
                .containsExactly(last);
    }
}
