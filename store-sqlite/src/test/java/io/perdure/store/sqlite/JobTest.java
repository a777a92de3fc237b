package io.perdure.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class JobTest {
    /** One that they shared would show the stack of one to all of them, and collect what each suppresses. */
    @Test
    void jobsThatFailForOneReasonAreToldByErrorsOfTheirOwn() {
        StoreException shared = new StoreException(ErrorCode.STORE_FULL, "There is no room.");
        List<Job<Integer>> jobs =
                Stream.generate(() -> new Job<>(_ -> 1)).limit(3).toList();
        jobs.forEach(job -> job.fail(shared));

        List<Throwable> told = jobs.stream()
                .map(job -> catchThrowable(() -> job.await(IllegalStateException::new)))
                .toList();
        assertThat(told)
                .doesNotHaveDuplicates()
                .allSatisfy(error -> assertThat(error)
                        .isInstanceOf(StoreException.class)
                        .isNotSameAs(shared)
                        .hasMessage(shared.getMessage())
                        .hasCause(shared));
    }
}
