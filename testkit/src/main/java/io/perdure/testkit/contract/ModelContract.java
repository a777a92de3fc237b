package io.perdure.testkit.contract;

import io.perdure.testkit.StoreFactory;
import io.perdure.testkit.property.ModelRun;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random operations, the same on the store and on the memory store, have the same answers. */
abstract class ModelContract {
    private final StoreFactory factory;

    ModelContract(StoreFactory factory) {
        this.factory = factory;
    }

    static LongStream seeds() {
        return ModelRun.seeds();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    final void theStoreAnswersLikeTheModel(long seed) {
        ModelRun.check(factory, seed);
    }
}
