package io.perdure.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.QueuedMessage;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Diagrams can be drawn, and those of states show the states and changes that the code has. */
class DiagramsTest {
    private static final String RUNS = "docs/concepts/runs.md";
    private static final String MESSAGES = "docs/concepts/messages.md";

    @Test
    void everyDiagramCanBeDrawn() {
        List<Diagram> diagrams = Checkout.files().stream()
                .filter(file -> file.path().endsWith(".md"))
                .flatMap(file -> Diagram.in(file).stream())
                .toList();

        assertThat(diagrams).hasSizeGreaterThan(8);
        assertThat(diagrams.stream().flatMap(Diagram::problems)).isEmpty();
    }

    @Test
    void aRunHasTheStatusesOfTheCode() {
        assertThat(states(statesOf(RUNS)))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(RunStatus.values()).map(RunStatus::word).toList());
    }

    @Test
    void aRunChangesItsStatusAsTheCodeAllows() {
        Stream<String> shown = statesOf(RUNS).edges().stream()
                .filter(edge -> edge.label().startsWith("Run"))
                .map(edge -> edge.from() + " " + edge.label().replaceFirst(",.*", "") + " " + edge.to());

        assertThat(shown).containsExactlyInAnyOrderElementsOf(changes().toList());
    }

    @Test
    void aMessageHasTheStatesOfTheCode() {
        List<String> coded = Stream.of(QueuedMessage.State.values())
                .map(state -> state.name().toLowerCase(Locale.ROOT))
                .toList();

        assertThat(states(statesOf(MESSAGES))).containsAll(coded);
    }

    @Test
    void plantedFaultsAreSeen() {
        assertThat(problems("flowchart TD\n")).hasSize(1);
        assertThat(problems("stateDiagram-v2\n    a -> b\n")).hasSize(1);
        assertThat(problems("sequenceDiagram\n    participant a\n    a->>b: hello\n"))
                .containsExactly("page.md:1 does not introduce b");
        assertThat(problems("sequenceDiagram\n    participant a\n    a->>a: hello\n"))
                .isEmpty();
    }

    private static Stream<String> problems(String diagram) {
        return Diagram.in(new TextFile("page.md", "```mermaid\n" + diagram + "```\n")).stream()
                .flatMap(Diagram::problems);
    }

    private static Diagram statesOf(String page) {
        return Diagram.in(Checkout.file(page)).stream()
                .filter(diagram -> diagram.kind().equals("stateDiagram-v2"))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> states(Diagram diagram) {
        return diagram.edges().stream()
                .flatMap(edge -> Stream.of(edge.from(), edge.to()))
                .filter(state -> !state.equals("[*]"))
                .distinct()
                .toList();
    }

    /** By which events a run goes from one status to another one. */
    private static Stream<String> changes() {
        List<Event> events = List.of(
                new Event.RunCompleted(Json.of("null")),
                new Event.RunFailed(Failure.of(new IllegalStateException())),
                new Event.RunCancelled("user", "reason"),
                new Event.RunParked("reason", "detail"),
                new Event.RunResumed("user", "reason", null),
                new Event.RunRedriven("user", "reason"));
        return Stream.of(RunStatus.values())
                .flatMap(from -> events.stream()
                        .flatMap(event -> from.after(event).stream()
                                .filter(to -> to != from)
                                .map(to -> from.word() + " " + event.getClass().getSimpleName() + " " + to.word())));
    }
}
