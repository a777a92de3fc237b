package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Asserts which coded error a call ends with. */
final class Refusal {
    private Refusal() {}

    static AbstractThrowableAssert<?, ? extends Throwable> refuses(ThrowingCallable call, ErrorCode code) {
        StoreException refusal = catchThrowableOfType(StoreException.class, call);
        Assertions.assertThat(refusal).as("a StoreException").isNotNull();
        Assertions.assertThat(refusal.code()).as(refusal.getMessage()).isEqualTo(code);
        return Assertions.assertThat(refusal);
    }
}
