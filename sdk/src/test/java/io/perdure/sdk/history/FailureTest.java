package io.perdure.sdk.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureTest {
    @Test
    void causesThatLieTooDeepAreLeftOutHoweverTheChainWasMade() {
        Failure chain = new Failure("root", "", null);
        for (int i = 0; i < 300; i++) {
            chain = new Failure("cause", "", chain);
        }

        assertThat(EventJson.read(EventJson.write(new Event.RunFailed(chain)))).isEqualTo(new Event.RunFailed(chain));
        assertThat(depth(chain)).isEqualTo(16);
        assertThat(depth(Failure.of(new RuntimeException(new RuntimeException()))))
                .isEqualTo(1);
    }

    @Test
    void longTextsAreCutAtAWholeCharacter() {
        assertThat(new Failure("t", "x".repeat(16_384), null).message())
                .hasSize(16_384)
                .endsWith("x");
        assertThat(new Failure("t", "x".repeat(16_385), null).message())
                .hasSize(16_384)
                .endsWith("x…");
        assertThat(new Failure("t", "😀".repeat(10_000), null).message())
                .hasSize(16_383)
                .endsWith("😀…");
    }

    private static int depth(Failure failure) {
        Failure cause = failure.cause();
        return cause == null ? 0 : 1 + depth(cause);
    }
}
