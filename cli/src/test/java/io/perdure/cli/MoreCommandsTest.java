package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MoreCommandsTest {
    @Test
    void aCommandOfAnotherJarIsOneOfPerdures() {
        assertThat(Invocation.of("greet").out().strip()).isEqualTo("hello");
        assertThat(Invocation.of("greet", "--format", "json").out()).contains("\"hello\"");
        assertThat(Invocation.of("--help").out()).contains("Says hello.");
        assertThat(Invocation.of("help", "greet").out()).contains("Usage: perdure greet");
    }

    @Test
    void mistakesInItAreAnsweredLikeAnyOther() {
        Invocation invocation = Invocation.of("greet", "--fromat", "json");

        assertThat(invocation.exitCode()).isEqualTo(2);
        assertThat(invocation.err())
                .startsWith("PD-901 Unknown option \"--fromat\". Did you mean \"--format\"?")
                .hasLineCount(1);
    }
}
