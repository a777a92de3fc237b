package io.perdure.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.TenantId;
import io.perdure.server.worker.Waiting;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class UnderWayTest {
    private static final int KIB = 1024;
    private static final TenantId ONE = new TenantId("one");
    private static final TenantId OTHER = new TenantId("other");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static void assertTooMany(ThrowingCallable call) {
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(call)
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS));
    }

    private static UnderWay.Place enter(UnderWay underWay, TenantId tenant, long bodyBytes) {
        UnderWay.Place place = underWay.enter(tenant);
        try {
            place.bodyOf(bodyBytes);
            return place;
        } catch (RefusedException e) {
            try (place) {
                throw e;
            }
        }
    }

    @Test
    void bodyOf_aboveTheMemoryForBodies_isRefused() {
        UnderWay underWay = new UnderWay(10, 100 * KIB);
        UnderWay.Place large = enter(underWay, ONE, 60L * KIB);
        assertTooMany(() -> enter(underWay, OTHER, 41L * KIB));
        enter(underWay, OTHER, 30L * KIB);
        enter(underWay, ONE, 0);

        large.close();
        large.close();
        assertThat(underWay.count()).isEqualTo(2);
        assertThat(underWay.kibibytes()).isEqualTo(30);
        enter(underWay, ONE, 60L * KIB);
        assertThat(underWay.count()).isEqualTo(3);
    }

    @Test
    void bodyOf_byOneTenant_leavesMemoryToOthers() {
        UnderWay underWay = new UnderWay(10, 100 * KIB);
        enter(underWay, ONE, 45L * KIB);
        enter(underWay, ONE, 45L * KIB);
        assertTooMany(() -> enter(underWay, ONE, KIB));
        enter(underWay, OTHER, 5L * KIB);
    }

    @Test
    void bodyOf_asItGrows_takesOnlyWhatCameIn() {
        UnderWay underWay = new UnderWay(10, 100 * KIB);
        UnderWay.Place place = underWay.enter(ONE);
        assertThat(underWay.kibibytes()).isZero();
        place.bodyOf(8L * KIB);
        place.bodyOf(16L * KIB);
        assertThat(underWay.kibibytes()).isEqualTo(16);
        place.answering();
        assertThat(underWay.kibibytes()).isZero();
    }

    @Test
    void bodyOf_moreThanAllMemory_isTakenAlone() {
        UnderWay underWay = new UnderWay(10, 100 * KIB);
        UnderWay.Place small = enter(underWay, ONE, 1);
        assertTooMany(() -> enter(underWay, OTHER, 1_000L * KIB));
        small.close();

        UnderWay.Place large = enter(underWay, ONE, 1_000L * KIB);
        large.bodyOf(2_000L * KIB);
        assertTooMany(() -> enter(underWay, OTHER, 1));
        large.close();
        assertThat(underWay.kibibytes()).isZero();
    }

    @Test
    void enter_byOneTenant_leavesPlacesToOthers() {
        UnderWay underWay = new UnderWay(10, 100 * KIB);
        for (int i = 0; i < 9; i++) {
            underWay.enter(ONE);
        }
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> underWay.enter(ONE))
                .withMessageContaining("tenant one has 9 of 10")
                .withMessageContaining("--max-requests");
        underWay.enter(OTHER);
        assertTooMany(() -> underWay.enter(OTHER));
    }

    @Test
    void answering_leavesThePlace() {
        UnderWay underWay = new UnderWay(1, KIB);
        try (UnderWay.Place place = enter(underWay, ONE, 1)) {
            place.answering();
            assertThat(underWay.count()).isZero();
        }
        assertThat(underWay.count()).isZero();
    }

    @Test
    void pages_takeTurnsUntilTheyAreSent() {
        Pages pages = new Pages(1, Duration.ZERO);
        UnderWay.Place page = pages.enter(ONE);
        page.answering();
        assertTooMany(() -> pages.enter(ONE));

        page.close();
        page.close();
        pages.enter(OTHER);
        assertTooMany(() -> pages.enter(ONE));
    }

    @Test
    void pages_ofOneTenant_leaveATurnToOthers() {
        Pages pages = new Pages(10, Duration.ZERO);
        for (int i = 0; i < 9; i++) {
            pages.enter(ONE);
        }
        assertTooMany(() -> pages.enter(ONE));
        pages.enter(OTHER);
    }

    @Test
    void pages_whenATurnIsLeft_giveItToTheTenantWithTheFewest() throws Exception {
        Pages pages = new Pages(3, Duration.ofDays(1));
        UnderWay.Place first = pages.enter(ONE);
        UnderWay.Place second = pages.enter(ONE);
        CompletableFuture<UnderWay.Place> again = waiting(pages, ONE, 1);
        UnderWay.Place others = pages.enter(OTHER);
        CompletableFuture<UnderWay.Place> othersNext = waiting(pages, OTHER, 2);

        others.close();
        assertThat(othersNext).succeedsWithin(PATIENCE);
        assertThat(again).isNotDone();
        first.close();
        second.close();
        assertThat(again).succeedsWithin(PATIENCE);
    }

    private static CompletableFuture<UnderWay.Place> waiting(Pages pages, TenantId tenant, int waiters)
            throws InterruptedException {
        CompletableFuture<UnderWay.Place> turn = new CompletableFuture<>();
        new SystemEnvironment().start("page", () -> turn.complete(pages.enter(tenant)));
        Waiting.until(() -> pages.waiting() == waiters);
        return turn;
    }
}
