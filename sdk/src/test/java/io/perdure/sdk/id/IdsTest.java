package io.perdure.sdk.id;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class IdsTest {
    private static final Instant START = Instant.parse("2026-01-02T03:04:05.678Z");

    private final AtomicReference<Instant> time = new AtomicReference<>(START);
    private final InstantSource clock = time::get;

    @Test
    void anIdIsAVersion7WithItsMillisecond() {
        UUID id = new Ids(clock, new Random(1)).runId().value();

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(START.toEpochMilli());
    }

    @Test
    void idsRiseStrictlyWithinAMillisecondAndWhenTheClockStepsBack() {
        Ids ids = new Ids(clock, new Random(1));
        List<RunId> made = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            if (i == 5_000) {
                time.set(START.minusSeconds(3600));
            }
            made.add(ids.runId());
        }

        assertThat(made).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void tokensAreRandomVersion4() {
        Ids ids = new Ids(clock, new Random(1));

        assertThat(ids.token().version()).isEqualTo(4);
        assertThat(ids.token().variant()).isEqualTo(2);
        assertThat(ids.token()).isNotEqualTo(ids.token());
    }

    @Test
    void theSameSeedAndClockGiveTheSameIds() {
        assertThat(new Ids(clock, new Random(7)).runId()).isEqualTo(new Ids(clock, new Random(7)).runId());
    }
}
