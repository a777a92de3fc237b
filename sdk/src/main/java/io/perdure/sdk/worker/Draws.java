package io.perdure.sdk.worker;

import io.perdure.sdk.id.RunId;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Randomness by run, place in the code, and how often it was asked for there: the same whenever the code comes by. */
final class Draws {
    private final long ofRun;
    private int drawnAt;
    private int draws;

    Draws(RunId run) {
        this.ofRun = run.value().getMostSignificantBits() * 31 + run.value().getLeastSignificantBits();
    }

    /**
     * A generator for this place.
     *
     * @param calls how many calls the code has made before
     */
    RandomGenerator random(int calls) {
        if (drawnAt != calls) {
            drawnAt = calls;
            draws = 0;
        }
        long place = ((long) drawnAt << 32) | draws++;
        return new SplittableRandom(ofRun ^ (place * 0x9E37_79B9_7F4A_7C15L));
    }

    /** A random id (version 4) for this place. */
    UUID uuid(int calls) {
        RandomGenerator random = random(calls);
        long high = (random.nextLong() & 0xFFFF_FFFF_FFFF_0FFFL) | 0x4000L;
        long low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }
}
