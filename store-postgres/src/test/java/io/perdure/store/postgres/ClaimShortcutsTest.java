package io.perdure.store.postgres;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Lease;
import io.perdure.core.store.rows.Times;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.worker.Claim.Served;
import io.perdure.store.postgres.ClaimShortcuts.Beginnings;
import io.perdure.store.postgres.ClaimShortcuts.LookResult;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where claims begin in the two lines of a workflow: the runs of version 1, and after them those that have no version yet. */
@Timeout(60)
final class ClaimShortcutsTest {
    private static final long NONE = ClaimShortcuts.NONE;
    private static final long SECOND = 1_000_000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;

    /** How far before the first run found a short look begins. */
    private static final long BEHIND = SECOND / 4;

    /** How long looks are short ones after a timeout or a very dear look. */
    private static final long SHORT = 10 * SECOND;

    /** Some time in 2023, at which most tests begin. */
    private static final long T = 1_700_000_000 * SECOND;

    private static final ClaimRuns REQUEST = new ClaimRuns(
            TenantId.DEFAULT,
            List.of(new Served(new WorkflowName("sample"), Set.of(1))),
            10,
            new Lease(new UUID(0, 1), Duration.ofMinutes(1)));

    private final ClaimShortcuts shortcuts = new ClaimShortcuts();

    /** Returns where the next claim begins in each line. */
    private List<Long> begins() {
        Beginnings beginnings = shortcuts.beginnings(REQUEST);
        return REQUEST.lines().stream().map(beginnings::of).toList();
    }

    private void claim(LookResult look) {
        shortcuts.remember(REQUEST, shortcuts.beginnings(REQUEST), look);
    }

    /** Claims fast. */
    private void claim(long now, long first, long second) {
        claim(new LookResult(now, SECOND / 1_000, 0, true, List.of(first, second), null));
    }

    /** Claims and finds nothing in either line. */
    private void claimInVain(long now) {
        claim(now, now, now);
    }

    private void claimDear(long now, long first, long second) {
        claim(dear(now, true, first, second));
    }

    private static LookResult dear(long now, boolean reclaims, long first, long second) {
        return new LookResult(now, SECOND, 1_000, reclaims, List.of(first, second), null);
    }

    private void claimAndTimeOut(long now) {
        shortcuts.beginLater(REQUEST, shortcuts.beginnings(REQUEST), now);
    }

    @Test
    void remember_dearLook_beginsALittleBeforeTheFirstRunFoundUntilItsTimeIsOver() {
        claimDear(T, T - MINUTE, T);
        assertThat(begins()).containsExactly(T - MINUTE - BEHIND, T - BEHIND);

        claimInVain(T + SHORT - 1);
        assertThat(begins()).containsExactly(T + SHORT - 1 - BEHIND, T + SHORT - 1 - BEHIND);

        claimInVain(T + SHORT);
        assertThat(begins()).as("one whole look at a time").containsExactly(NONE, T + SHORT - 1 - BEHIND);
    }

    @Test
    void remember_cheapLook_takesNoShortcut() {
        claimInVain(T);

        assertThat(begins()).containsExactly(NONE, NONE);
    }

    @Test
    void remember_lookWithoutLapsedRuns_takesNoShortcut() {
        claim(dear(T, false, T, T));

        assertThat(begins()).containsExactly(NONE, NONE);
    }

    @Test
    void remember_shortLookWithoutLapsedRuns_doesNotAdvanceTheShortcut() {
        claimDear(T, T, T);

        claim(dear(T + SECOND, false, T + SECOND, T + SECOND));

        assertThat(begins()).containsExactly(T - BEHIND, T - BEHIND);
    }

    @Test
    void remember_wideLookWithoutLapsedRuns_doesNotAdvanceTheShortcut() {
        timeOutOfAWholeLookIntoTheFirstLine();
        long now = T + 60 * SECOND;
        claimInVain(now);
        List<Long> wide = begins();

        claim(dear(now, false, now, now));
        assertThat(begins()).containsExactly(T - BEHIND, NONE);

        claimInVain(now + SHORT);
        assertThat(begins()).isEqualTo(wide);
    }

    /** Ends at 21 s. The second line, which no look came to, has no shortcut. */
    private void timeOutOfAWholeLookIntoTheFirstLine() {
        claimDear(T, T, NONE);
        claimInVain(T + 20 * SECOND);
        assertThat(begins()).containsExactly(NONE, NONE);
        claimAndTimeOut(T + 21 * SECOND);
        assertThat(begins()).containsExactly(T - BEHIND, NONE);
    }

    @Test
    void beginLater_firstLookOfAProcess_beginsAMinuteAgoAndThenFourMinutesAgo() {
        claimAndTimeOut(T);
        assertThat(begins()).containsExactly(T - MINUTE, T - MINUTE);

        claimInVain(T + SHORT);
        assertThat(begins()).containsExactly(T - 4 * MINUTE, T - MINUTE);
    }

    @Test
    void beginLater_wideLookThatBeganSomewhere_halvesHowFarBackTheNextOneBegins() {
        timeOutOfAWholeLookIntoTheFirstLine();
        long began = T + 21 * SECOND - 4 * MINUTE;
        claimInVain(T + 31 * SECOND);
        assertThat(begins()).containsExactly(began, NONE);

        long now = T + 31 * SECOND;
        claimAndTimeOut(now);
        assertThat(begins()).containsExactly(T - BEHIND, NONE);

        claimInVain(now + SHORT);
        assertThat(begins()).containsExactly(now - (now - began) / 2, NONE);
    }

    @Test
    void beginLater_manyWideLooks_leavesAMinuteAtLeast() {
        timeOutOfAWholeLookIntoTheFirstLine();
        long now = T + 21 * SECOND;
        for (int timeout = 0; timeout < 10; timeout++) {
            now += SHORT;
            claimInVain(now);
            claimAndTimeOut(now);
        }

        claimInVain(now + SHORT);
        assertThat(begins()).containsExactly(now - MINUTE, NONE);
    }

    /** A worker that has not claimed for long has old shortcuts. */
    @Test
    void beginLater_onlyShortLooks_beginsAMinuteAgoInAllLines() {
        long old = T - 10 * MINUTE;
        claimDear(T, old, T);
        assertThat(begins()).containsExactly(old - BEHIND, T - BEHIND);

        long now = T + 5 * SECOND;
        claimAndTimeOut(now);
        assertThat(begins()).containsExactly(now - MINUTE, T - BEHIND);

        claimInVain(now + SHORT);
        assertThat(begins())
                .as("the wide look after that goes half as far back")
                .containsExactly(now - (now - old + BEHIND) / 2, T - BEHIND);
    }

    @Test
    void beginLater_wideLookIntoOneOfTwoLines_changesOnlyWhereThatLineBegins() {
        claimDear(T, T, T);
        claimInVain(T + 20 * SECOND);
        assertThat(begins()).containsExactly(NONE, T - BEHIND);

        long now = T + 20 * SECOND;
        claimAndTimeOut(now);
        assertThat(begins()).as("both have short looks").containsExactly(T - BEHIND, T - BEHIND);

        claimInVain(now + SHORT);
        assertThat(begins()).as("the other line's is a whole one").containsExactly(T - BEHIND, NONE);
        claim(now + SHORT, now + SHORT, now + SHORT);
        assertThat(begins()).as("that of the line to blame is not").containsExactly(now - 4 * MINUTE, NONE);
    }

    @Test
    void beginLater_noWideLook_blamesTheLinesWithoutAShortcut() {
        claimDear(T, T, NONE);

        claimAndTimeOut(T + SECOND);
        assertThat(begins()).containsExactly(T - BEHIND, T + SECOND - MINUTE);

        claimInVain(T + SECOND + SHORT);
        assertThat(begins())
                .as("the first line's next wide look is a whole one still")
                .containsExactly(NONE, T + SECOND - MINUTE);
    }

    @Test
    void remember_wideLooksThatSucceed_goFurtherBackUntilOneIsWholeAndTheShortcutIsRemoved() {
        timeOutOfAWholeLookIntoTheFirstLine();
        long now = T + 31 * SECOND;
        claimInVain(now);
        long began = begins().getFirst();
        assertThat(began).isNotEqualTo(NONE);
        while (began != NONE) {
            claimInVain(now);
            assertThat(begins().getFirst()).isEqualTo(now - BEHIND);
            long back = 4 * (now - began);
            long next = back < now ? now - back : NONE;
            now += SHORT;
            claimInVain(now);
            assertThat(begins().getFirst()).isEqualTo(next);
            began = next;
        }

        claimInVain(now);

        assertThat(begins()).containsExactly(NONE, NONE);
        claimAndTimeOut(now);
        assertThat(begins()).as("nothing of the shortcut is left").containsExactly(now - MINUTE, now - MINUTE);
    }

    @Test
    void remember_wholeLookThatIsDearAgain_keepsTheShortcut() {
        claimDear(T, T, NONE);
        claimInVain(T + SHORT);
        assertThat(begins()).containsExactly(NONE, NONE);

        claimDear(T + SHORT, T + SHORT, NONE);

        assertThat(begins()).containsExactly(T + SHORT - BEHIND, NONE);
    }

    /** A look that begins in the future finds nothing. Nothing may be learned from that. */
    @Test
    void remember_clockSetBackBeforeAWideLook_isFollowedByAWholeLook() {
        claimAndTimeOut(T);
        claimInVain(T + SHORT);
        assertThat(begins()).containsExactly(T - 4 * MINUTE, T - MINUTE);

        claimInVain(T - HOUR);

        assertThat(begins().getFirst()).isEqualTo(NONE);
    }

    @Test
    void remember_clockSetBackBeforeAWideLookButNotBeforeShortOnes_keepsWhereTheseBegin() {
        claimDear(T, T, NONE);
        long now = T + HOUR;
        claimInVain(now);
        long back = T + MINUTE;
        while (begins().getFirst() <= back) {
            claimAndTimeOut(now);
            now += SHORT;
            claimInVain(now);
        }
        claimInVain(back);
        assertThat(begins()).containsExactly(T - BEHIND, NONE);

        claimInVain(back + SHORT);
        assertThat(begins()).containsExactly(NONE, NONE);
    }

    /** Makes the second line the one to be looked at wide first, and the first line the next one. Ends at 40 s. */
    private void waitForWideLooksIntoBoth() {
        claimDear(T, T, T);
        claimInVain(T + 20 * SECOND);
        claimAndTimeOut(T + 25 * SECOND);
        claimInVain(T + 40 * SECOND);
        assertThat(begins()).containsExactly(T - BEHIND, NONE);
    }

    /** A claim of one run spends its only place on the first line. */
    @Test
    void remember_wideLineThatWasNotLookedAt_leavesTheNextWideLookToAnotherLine() {
        waitForWideLooksIntoBoth();
        long now = T + 41 * SECOND;

        claim(now, now, NONE);
        assertThat(begins()).containsExactly(T + 25 * SECOND - 4 * MINUTE, T - BEHIND);

        claim(now, now, NONE);
        assertThat(begins()).as("after the other line's wide look").containsExactly(now - BEHIND, T - BEHIND);
        claimInVain(now + SHORT);
        assertThat(begins()).as("its turn again").containsExactly(now - BEHIND, NONE);
    }

    @Test
    void remember_onlyWideLineThatWasNotLookedAt_staysTheWideOne() {
        claimDear(T, T, T);
        claimInVain(T + SHORT);
        claimDear(T + SHORT, T + SHORT, T + SHORT);
        assertThat(begins()).containsExactly(T + SHORT - BEHIND, NONE);

        claim(T + SHORT + SECOND, T, NONE);

        assertThat(begins()).containsExactly(T + SHORT - BEHIND, NONE);
    }

    @Test
    void nextReady_claimWithAShortcut_isSoon() {
        LookResult look = new LookResult(T, SECOND, 1_000, true, List.of(T, T), T + MINUTE);
        assertThat(nextReady(look)).as("without a shortcut").isEqualTo(T + MINUTE);
        claim(look);

        assertThat(nextReady(look)).isEqualTo(T + SECOND / 4);
    }

    private long nextReady(LookResult look) {
        Beginnings beginnings = shortcuts.beginnings(REQUEST);
        return Times.micros(requireNonNull(ClaimShortcuts.nextReady(REQUEST, beginnings, look)));
    }
}
