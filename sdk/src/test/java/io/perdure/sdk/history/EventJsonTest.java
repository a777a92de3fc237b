package io.perdure.sdk.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventJsonTest {
    static Stream<Map.Entry<String, Event>> samples() {
        return Samples.all().entrySet().stream();
    }

    /** What a release has written is read by every later one: these files are added to, never changed. */
    @ParameterizedTest
    @MethodSource("samples")
    void goldenFilesAreWrittenAndReadAlikeForEver(Map.Entry<String, Event> sample) throws IOException {
        Json golden = golden(sample.getKey());

        assertThat(EventJson.write(sample.getValue()).text()).isEqualTo(golden.text());
        assertThat(EventJson.read(golden)).isEqualTo(sample.getValue());
    }

    @Test
    void everyKindOfEventHasASample() {
        Set<Class<?>> sampled =
                Samples.all().values().stream().map(Object::getClass).collect(Collectors.toSet());

        assertThat(sampled).containsExactlyInAnyOrderElementsOf(List.of(Event.class.getPermittedSubclasses()));
    }

    @Test
    void membersThatAreNotKnownAreIgnored() {
        Json json = Json.of("{\"type\":\"WaitTimedOut\",\"v\":1,\"name\":\"verify\",\"later\":{\"x\":[1]}}");

        assertThat(EventJson.read(json)).isEqualTo(Samples.all().get("wait-timed-out"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{\"type\":\"WaitTimedOut\",\"v\":2,\"name\":\"verify\"}", "{\"type\":\"RunTeleported\",\"v\":1}"
            })
    void anEventOfANewerReleaseIsRefusedAndSaysSo(String text) {
        assertUnreadable(text, ErrorCode.UNKNOWN_EVENT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{}",
                "{\"type\":\"WaitTimedOut\"}",
                "{\"type\":\"WaitTimedOut\",\"v\":1}",
                "{\"type\":\"WaitTimedOut\",\"v\":1,\"name\":\"not a name\"}",
                "{\"type\":\"StepStarted\",\"v\":1,\"step\":\"a\",\"attempt\":99999999999}",
                "{\"type\":\"ChildEnded\",\"v\":1,\"name\":\"a\",\"child\":\"x\",\"status\":\"completed\",\"signal\":1}",
                "{\"type\":\"StepCompleted\",\"v\":1,\"step\":\"a\",\"attempt\":1,\"startedAt\":\"yesterday\"}"
            })
    void aDamagedEventIsRefusedAndSaysWhere(String text) {
        assertUnreadable(text, ErrorCode.DAMAGED_EVENT);
    }

    @Test
    void theDeepestValueAndTheLongestChainOfCausesFitIntoAnEvent() {
        Json deepest = Json.of("[".repeat(128) + "]".repeat(128));
        Throwable thrown = new IllegalStateException("root");
        for (int i = 0; i < 1_000; i++) {
            thrown = new IllegalStateException("x".repeat(100_000), thrown);
        }
        Event completed =
                new Event.StepCompleted(new StepName("a"), 1, deepest, Map.of("w", deepest), null, Instant.EPOCH);
        Event failed = new Event.RunFailed(Failure.of(thrown));

        assertThat(EventJson.read(EventJson.write(completed))).isEqualTo(completed);
        assertThat(EventJson.read(EventJson.write(failed))).isEqualTo(failed);
        assertThat(EventJson.write(failed).bytes()).isLessThan(17 * 17_500);
    }

    private static void assertUnreadable(String text, ErrorCode code) {
        assertThatThrownBy(() -> EventJson.read(Json.of(text)))
                .isInstanceOfSatisfying(
                        UnreadableHistoryException.class,
                        e -> assertThat(e.code()).isEqualTo(code));
    }

    private static Json golden(String name) throws IOException {
        try (InputStream file = EventJsonTest.class.getResourceAsStream("v1/" + name + ".json")) {
            assertThat(file).as("golden file v1/%s.json", name).isNotNull();
            return Json.of(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
