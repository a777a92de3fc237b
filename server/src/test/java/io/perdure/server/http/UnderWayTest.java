package io.perdure.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class UnderWayTest {
    private static final int KIB = 1024;

    private static void assertTooMany(ThrowingCallable call) {
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(call)
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS));
    }

    @Test
    void requestsAreRefusedBySizeAsWellAsByNumber() {
        UnderWay underWay = new UnderWay(3, 100 * KIB);
        UnderWay.Place large = underWay.enter(60L * KIB);
        assertTooMany(() -> underWay.enter(41L * KIB));
        underWay.enter(40L * KIB);
        underWay.enter(0);
        assertTooMany(() -> underWay.enter(0));

        large.close();
        large.close();
        assertThat(underWay.count()).isEqualTo(2);
        underWay.enter(60L * KIB);
        assertThat(underWay.count()).isEqualTo(3);
    }

    @Test
    void oneThatIsLargerThanAllRoomComesAlone() {
        UnderWay underWay = new UnderWay(3, 100 * KIB);
        UnderWay.Place small = underWay.enter(1);
        assertTooMany(() -> underWay.enter(1_000L * KIB));
        small.close();

        underWay.enter(1_000L * KIB);
        assertTooMany(() -> underWay.enter(1));
        assertThat(underWay.count()).isEqualTo(1);
    }

    @Test
    void whoAnswersHasNoPlaceAnyMore() {
        UnderWay underWay = new UnderWay(1, KIB);
        try (UnderWay.Place place = underWay.enter(1)) {
            place.answering();
            assertThat(underWay.count()).isZero();
        }
        assertThat(underWay.count()).isZero();
    }

    @Test
    void pagesTakeTurnsUntilTheyAreSent() {
        Pages pages = new Pages(1, Duration.ZERO);
        UnderWay.Place page = pages.enter();
        page.answering();
        assertTooMany(pages::enter);

        page.close();
        page.close();
        pages.enter();
        assertTooMany(pages::enter);
    }
}
