package io.perdure.sdk.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.run.StartOptions;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceStatesTest {
    private static final String CALLER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final RunId RUN = new RunId(new UUID(1, 1));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE | rojo=00f067aa0ba902b7,congo=t61rcWkgMzE",
                "' a=1 ,\tb=2\t,, '                      | a=1,b=2",
                "'a= 1 2'                                | 'a= 1 2'",
                "fw529a3039@dt=FfAAAA,0acme@x=1          | fw529a3039@dt=FfAAAA,0acme@x=1",
                "a_-*/0=!~:;<>+-.?                       | a_-*/0=!~:;<>+-.?"
            })
    void whatIsReadIsWrittenWithoutSpaces(String header, String state) {
        assertThat(TraceStates.read(header)).isEqualTo(state);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "a",
                "a=",
                "=1",
                "A=1",
                "a=1,b",
                "a=1;b=2=3",
                "a=b=c",
                "a=ü",
                "a=1\u0000",
                "a=1\n",
                "a=1,a=2",
                "@x=1",
                "a@=1",
                "a@b@c=1",
                "a@9=1",
                "a b=1"
            })
    void whatIsNoneIsDroppedWhole(String header) {
        assertThat(TraceStates.read(header)).isEmpty();
    }

    private static String entries(int many, int each) {
        return IntStream.range(0, many)
                .mapToObj(i -> "k%02d=".formatted(i) + "x".repeat(each - 4))
                .collect(Collectors.joining(","));
    }

    @Test
    void thereAreBounds() {
        assertThat(TraceStates.read(entries(32, 8))).isEqualTo(entries(32, 8));
        assertThat(TraceStates.read(entries(33, 8))).isEmpty();
        assertThat(TraceStates.read("k=" + "v".repeat(256))).hasSize(258);
        assertThat(TraceStates.read("k=" + "v".repeat(257))).isEmpty();
        assertThat(TraceStates.read("k".repeat(256) + "=v")).hasSize(258);
        assertThat(TraceStates.read("k".repeat(257) + "=v")).isEmpty();
        assertThat(TraceStates.read(entries(3, 170))).hasSize(512);
        assertThat(TraceStates.read(entries(3, 170) + ",")).hasSize(512);
        assertThat(TraceStates.read(entries(3, 170) + ",z=1")).isEqualTo(entries(2, 170) + ",z=1");
        assertThat(TraceStates.read("a=1" + ",".repeat(9_000))).isEmpty();
    }

    /** As the specification has it. */
    @Test
    void whereThereIsNoRoomLongEntriesGoFirstAndThenThoseAtTheEnd() {
        String big = "big=" + "x".repeat(125);
        assertThat(TraceStates.cut("a=1," + big + ",b=2", 20)).isEqualTo("a=1,b=2");
        assertThat(TraceStates.cut("a=1,b=2,c=3", 10)).isEqualTo("a=1,b=2");
        assertThat(TraceStates.cut("a=1,b=2,c=3", 11)).isEqualTo("a=1,b=2,c=3");
        assertThat(TraceStates.cut("a=12345", 3)).isEmpty();
    }

    @Test
    void itIsTheRunsAndItsStepsBesideATraceparentAndNotWithoutOne() {
        TraceContext run = TraceContext.ofRun(RUN, Map.of(TraceContext.TAG, CALLER, TraceContext.STATE_TAG, "a=1,b=2"));
        assertThat(run.tracestate()).isEqualTo("a=1,b=2");
        assertThat(run.ofStep(new StepName("charge"), 1, Instant.EPOCH).tracestate())
                .isEqualTo("a=1,b=2");
        assertThat(TraceContext.ofRun(RUN, Map.of(TraceContext.STATE_TAG, "a=1"))
                        .tracestate())
                .isEmpty();
        // A user may give tags of any name.
        assertThat(TraceContext.ofRun(RUN, Map.of(TraceContext.TAG, CALLER, TraceContext.STATE_TAG, "anything"))
                        .tracestate())
                .isEmpty();
    }

    @Test
    void aStartKeepsAsMuchOfItAsATagHolds() {
        TraceContext caller = TraceContext.parse(CALLER).orElseThrow().with(entries(5, 100));
        StartOptions started = StartOptions.defaults().within(caller);
        assertThat(started.tags()).containsEntry(TraceContext.STATE_TAG, entries(2, 100));
        assertThat(StartOptions.defaults().traceparent(CALLER).within(caller).tags())
                .doesNotContainKey(TraceContext.STATE_TAG);
        assertThat(StartOptions.defaults().within(caller.with("")).tags()).doesNotContainKey(TraceContext.STATE_TAG);
        assertThat(StartOptions.defaults().tracestate("a=1 , b=2").tags())
                .containsEntry(TraceContext.STATE_TAG, "a=1,b=2");
        assertThat(StartOptions.defaults().tracestate("none")).isEqualTo(StartOptions.defaults());
    }

    @Test
    void aRunWithRoomForOneMoreTagKeepsThePlace() {
        TraceContext caller = TraceContext.parse(CALLER).orElseThrow().with("a=1");
        StartOptions full = StartOptions.defaults();
        for (int i = 0; i < 31; i++) {
            full = full.tag("t" + i, "x");
        }
        assertThat(full.within(caller)).isEqualTo(full.traceparent(CALLER));
    }
}
