package io.perdure.testkit.contract;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.perdure.testkit.Exhaustive;
import io.perdure.testkit.Seeds;
import io.perdure.testkit.StoreFactory;
import io.perdure.testkit.property.ModelRun;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Random operations, the same on the store and on the memory store, have the same answers. Every build runs the first of them and the
 * seed that was asked for; the long suites run all.
 */
abstract class ModelContract {
    private static final int FIRST_OPERATIONS = 2_000;

    private final StoreFactory factory;
    private final long[] seeds;

    ModelContract(StoreFactory factory, long[] seeds) {
        this.factory = factory;
        this.seeds = seeds;
    }

    @Test
    final void theStoreAnswersTheFirstOperationsLikeTheModel() {
        ModelRun.checkFirst(FIRST_OPERATIONS, factory, seeds[0]);
    }

    @TestFactory
    final Stream<DynamicTest> theStoreAnswersTheSeedAskedForLikeTheModel() {
        return checks(Seeds.asked());
    }

    @Exhaustive
    @TestFactory
    final Stream<DynamicTest> theStoreAnswersLikeTheModel() {
        return checks(LongStream.of(seeds));
    }

    private Stream<DynamicTest> checks(LongStream some) {
        return some.mapToObj(seed -> dynamicTest("seed " + seed, () -> ModelRun.check(factory, seed)));
    }
}
