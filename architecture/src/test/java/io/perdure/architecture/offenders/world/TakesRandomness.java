package io.perdure.architecture.offenders.world;

import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Every method takes randomness or an id from the system. */
public final class TakesRandomness {
    double mathRandom() {
        return Math.random();
    }

    Random newRandom() {
        return new Random();
    }

    Supplier<Random> newRandomByReference() {
        return Random::new;
    }

    SplittableRandom newSplittableRandom() {
        return new SplittableRandom();
    }

    int threadLocalRandom() {
        return ThreadLocalRandom.current().nextInt();
    }

    SecureRandom newSecureRandom() {
        return new SecureRandom();
    }

    RandomGenerator defaultGenerator() {
        return RandomGenerator.getDefault();
    }

    RandomGenerator namedGenerator(String name) {
        return RandomGenerator.of(name);
    }

    RandomGenerator generatorFactory() {
        return RandomGeneratorFactory.getDefault().create();
    }

    void shuffle(List<String> values) {
        Collections.shuffle(values);
    }

    UUID randomUuid() {
        return UUID.randomUUID();
    }

    Supplier<UUID> randomUuidByReference() {
        return UUID::randomUUID;
    }
}
