package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.StartOptions;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A start under an id of the caller's own is one start, however often it is sent. */
class RepeatedStartsTest extends PerdureFixture {
    private static final StartOptions OF_CUSTOMER = StartOptions.defaults().workflowId("customer-1");

    private final RunId first = new RunId(UUID.fromString("0199d0a0-8000-7000-8000-000000000001"));
    private final RunId second = new RunId(UUID.fromString("0199d0a0-8000-7000-8000-000000000002"));

    private Run<Json> start(RunId id, int input, StartOptions options) {
        return perdure.start("order", null, Json.number(input), options, id);
    }

    @Test
    void itsRunIsAnsweredAsAtFirst() {
        for (int i = 0; i < 3; i++) {
            Run<Json> run = start(first, 1, StartOptions.defaults());
            assertThat(run.id()).isEqualTo(first);
            assertThat(run.created()).isTrue();
        }
        assertThat(perdure.count(RunFilter.all())).isEqualTo(1);
    }

    @Test
    void soItIsWhereTheRunHasEndedAndAnotherHasItsWorkflowId() {
        start(first, 1, OF_CUSTOMER);
        perdure.cancel(first, "enough");
        start(second, 1, OF_CUSTOMER);

        Run<Json> again = start(first, 1, OF_CUSTOMER);

        assertThat(again.id()).isEqualTo(first);
        assertThat(again.created()).isTrue();
    }

    @Test
    void anotherStartUnderItsIdIsRefused() {
        start(first, 1, OF_CUSTOMER);
        perdure.cancel(first, "enough");
        start(second, 1, OF_CUSTOMER);

        assertCode(ErrorCode.KEY_REUSED, () -> start(first, 2, OF_CUSTOMER));
        assertCode(ErrorCode.KEY_REUSED, () -> start(second, 2, StartOptions.defaults()));
    }

    @Test
    void whereTheWorkflowIdIsTakenThatRunIsAnswered() {
        start(first, 1, OF_CUSTOMER);

        Run<Json> joined = start(second, 1, OF_CUSTOMER);

        assertThat(joined.id()).isEqualTo(first);
        assertThat(joined.created()).isFalse();
    }
}
