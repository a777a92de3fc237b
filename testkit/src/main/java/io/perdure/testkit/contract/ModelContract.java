package io.perdure.testkit.contract;

import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.perdure.testkit.StoreFactory;
import io.perdure.testkit.property.ModelRun;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Random operations, the same on the store and on the memory store, have the same answers. */
abstract class ModelContract {
    private final StoreFactory factory;
    private final LongStream seeds;

    ModelContract(StoreFactory factory, LongStream seeds) {
        this.factory = factory;
        this.seeds = seeds;
    }

    @TestFactory
    final Stream<DynamicTest> theStoreAnswersLikeTheModel() {
        return seeds.mapToObj(seed -> dynamicTest("seed " + seed, () -> ModelRun.check(factory, seed)));
    }
}
