package io.perdure.sdk.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.run.StartOptions;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {
    private static final String CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final RunId RUN = RunId.parse("01990000-0000-7000-8000-000000000001");
    private static final Instant NOON = Instant.parse("2026-05-03T12:00:00.123456Z");

    @Test
    void whatIsReadIsWrittenAlike() {
        assertThat(TraceContext.parse(CALLER)).map(TraceContext::traceparent).contains(CALLER);
        assertThat(TraceContext.parse(CALLER.replace("-01", "-00")))
                .map(TraceContext::sampled)
                .contains(false);
    }

    @Test
    void aNewerVersionMaySayMore() {
        assertThat(TraceContext.parse("cc" + CALLER.substring(2) + "-what-comes-then"))
                .map(TraceContext::traceId)
                .contains("4bf92f3577b34da6a3ce929d0e0e4736");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7"
            })
    void whatIsNoneIsNone(String text) {
        assertThat(TraceContext.parse(text)).isEmpty();
        assertThatExceptionOfType(InvalidValueException.class)
                .isThrownBy(() -> StartOptions.defaults().traceparent(text))
                .matches(e -> e.code() == ErrorCode.OUT_OF_BOUNDS);
    }

    @Test
    void aRunStandsInItsCallersTraceUnderASpanOfItsOwn() {
        TraceContext run = TraceContext.ofRun(RUN, Map.of(TraceContext.TAG, CALLER));
        assertThat(run.traceId()).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
        assertThat(run.spanId()).isNotEqualTo("00f067aa0ba902b7");
        assertThat(run.spanId()).isEqualTo(TraceContext.ofRun(RUN, Map.of()).spanId());
    }

    /** They are written by different processes and releases: never to be changed. */
    @Test
    void theIdsOfARunAndItsStepsAreTheSameForEver() {
        TraceContext run = TraceContext.ofRun(RUN, Map.of());
        assertThat(run.traceparent()).isEqualTo("00-79b116072f28039b66dd30d93bb13858-cb6d27ba74538d79-01");
        assertThat(run.ofStep(new StepName("charge"), 1, NOON).traceparent())
                .isEqualTo("00-79b116072f28039b66dd30d93bb13858-8bb8629cbd39139b-01");
    }

    @Test
    void noTwoStepsAttemptsOrRunsShareAnId() {
        Set<String> ids = new HashSet<>();
        int made = 0;
        for (int run = 0; run < 20; run++) {
            TraceContext of = TraceContext.ofRun(new RunId(new UUID(run, run)), Map.of());
            for (int step = 0; step < 50; step++) {
                for (int attempt = 1; attempt < 4; attempt++) {
                    ids.add(of.ofStep(new StepName("charge-" + step), attempt, NOON)
                            .spanId());
                    ids.add(of.ofStep(new StepName("charge-" + step), attempt, NOON.plusNanos(1_000))
                            .spanId());
                    made += 2;
                }
            }
        }
        assertThat(ids).hasSize(made);
    }

    @Test
    void aStartKeepsWhatItSaysItself() {
        TraceContext caller = TraceContext.ofRun(RUN, Map.of());
        StartOptions own = StartOptions.defaults().traceparent(CALLER);
        assertThat(own.within(caller)).isEqualTo(own);
        assertThat(StartOptions.defaults().within(caller).tags()).containsEntry(TraceContext.TAG, caller.traceparent());
        StartOptions full = StartOptions.defaults();
        for (int i = 0; i < 32; i++) {
            full = full.tag("t" + i, "x");
        }
        assertThat(full.within(caller)).isEqualTo(full);
    }
}
