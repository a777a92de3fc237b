package io.perdure.testkit.property;

import io.perdure.core.store.Lease;
import io.perdure.sdk.id.Ids;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** All chance of a run: the same seed throws the same dice. */
final class Dice {
    final Ids ids;
    private final SplittableRandom random;

    Dice(long seed, InstantSource clock) {
        random = new SplittableRandom(seed);
        ids = new Ids(clock, random.split());
    }

    /** True so many times out of a hundred. */
    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** A number from {@code least} to {@code most}. */
    int from(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    /** The index of one of these weights, each as likely as it is heavy. */
    int weighted(int... weights) {
        int sum = 0;
        for (int weight : weights) {
            sum += weight;
        }
        int thrown = random.nextInt(sum);
        int index = 0;
        while (thrown >= weights[index]) {
            thrown -= weights[index];
            index++;
        }
        return index;
    }

    <T> T pick(List<T> things) {
        return things.get(random.nextInt(things.size()));
    }

    /** One of these, the later ones far more often; none where there are none. */
    <T> Optional<T> pickRecent(List<T> things) {
        if (things.isEmpty()) {
            return Optional.empty();
        }
        int reach = chance(75) ? Math.min(8, things.size()) : things.size();
        return Optional.of(things.get(things.size() - 1 - random.nextInt(reach)));
    }

    /** A duration in whole microseconds. */
    Duration upTo(Duration most) {
        return Duration.ofNanos(random.nextLong(most.toNanos() / 1_000 + 1) * 1_000);
    }

    /** A duration that need not be whole microseconds. */
    Duration nanosUpTo(Duration most) {
        return Duration.ofNanos(random.nextLong(most.toNanos() + 1));
    }

    Lease lease() {
        return new Lease(ids.token(), Duration.ofSeconds(from(5, 20)));
    }

    Json json() {
        return Json.number(from(1, 3));
    }

    /** A key of a pool of this size, so that keys meet. */
    String key(int pool) {
        return "key-" + from(1, pool);
    }
}
