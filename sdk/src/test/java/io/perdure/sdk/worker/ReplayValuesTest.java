package io.perdure.sdk.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;

/** Values go through JSON; time, randomness and ids come out alike in every replay. */
class ReplayValuesTest {
    private static final Duration HOUR = Duration.ofHours(1);

    /** A value that only JSON's view of it keeps. */
    record Order(String id, List<Integer> lines, Instant at) {}

    private static void assertParked(Command command, ErrorCode code, String word) {
        assertThat(command).isInstanceOfSatisfying(Command.Park.class, park -> {
            assertThat(park.reason()).isEqualTo(code.code());
            assertThat(park.detail()).contains(word);
        });
    }

    @Test
    void recordsListsAndTimesComeBackEqual() {
        Order order = new Order("o-1", List.of(1, 2), Instant.parse("2026-01-01T00:00:00.123456789Z"));
        assertThat(Histories.empty().play((ctx, _) -> {
                    Order one = ctx.step("one", Order.class, () -> order);
                    List<Order> many = ctx.step("many", new TypeReference<List<Order>>() {}, () -> List.of(order));
                    return one.equals(order) && many.equals(List.of(order));
                }))
                .isEqualTo(new Command.Complete(Json.of("true")));
    }

    @Test
    void theFirstRunSeesWhatAReplayWillSee() {
        assertThat(Histories.empty().play((ctx, _) -> {
                    StringBuilder written = new StringBuilder("a");
                    Object read = ctx.step("a", Object.class, () -> Map.of("text", written));
                    return read instanceof Map<?, ?> map && map.get("text") instanceof String;
                }))
                .isEqualTo(new Command.Complete(Json.of("true")));
    }

    @Test
    void aStepsResultWithoutAJsonFormParks() {
        assertParked(
                Histories.empty().play((ctx, _) -> {
                    ctx.step("cyclic", List.class, ReplayValuesTest::cyclic);
                    return "over";
                }),
                ErrorCode.NO_JSON_FORM,
                "step \"cyclic\"");
    }

    private static List<Object> cyclic() {
        List<Object> list = new ArrayList<>();
        list.add(list);
        return list;
    }

    @Test
    void aRunsResultWithoutAJsonFormParks() {
        assertParked(Histories.empty().next((_, _) -> cyclic()), ErrorCode.NO_JSON_FORM, "The result of run");
    }

    @Test
    void aRecordedValueThatDoesNotFitTheTypeParks() {
        assertParked(
                Histories.empty().completed("a", "\"text\"").next((ctx, _) -> ctx.step("a", Integer.class, () -> 1)),
                ErrorCode.UNFIT_VALUE,
                "step \"a\"");
    }

    @Test
    void aStepsResultThatCannotBeReadBackParksAtOnce() {
        assertParked(
                Histories.empty().play((ctx, _) -> ctx.step("a", OneWay.class, () -> new OneWay("x", 1))),
                ErrorCode.UNFIT_VALUE,
                "step \"a\"");
    }

    /** Written, but never read: no constructor that Jackson can use. */
    static final class OneWay {
        private final String text;

        OneWay(String text, int number) {
            this.text = text + number;
        }

        public String getText() {
            return text;
        }
    }

    @Test
    void anInputThatDoesNotFitTheTypeParks() {
        Workflow<Integer, Object> workflow =
                Workflow.named("sample").run(Integer.class, Object.class, (_, input) -> input);
        assertParked(
                Replayer.next(
                        workflow, Codec.standard(), Histories.of("{\"x\":1}").assignment()),
                ErrorCode.UNFIT_VALUE,
                "input of workflow sample@1");
    }

    @Test
    void aResultOverAMebibyteParks() {
        String fits = "x".repeat(1024 * 1024 - 2);
        assertThat(Histories.empty().play((ctx, _) -> ctx.step("a", String.class, () -> fits)))
                .isInstanceOf(Command.Complete.class);
        assertParked(
                Histories.empty().play((ctx, _) -> ctx.step("a", String.class, () -> fits + "x")),
                ErrorCode.VALUE_TOO_LARGE,
                "step \"a\"");
        assertParked(Histories.empty().next((_, _) -> fits + "x"), ErrorCode.VALUE_TOO_LARGE, "The result of run");
    }

    @Test
    void nowIsTheTimeOfTheCallBefore() {
        WorkflowCode<Json, Object> code = (ctx, _) -> {
            List<Instant> times = new ArrayList<>(List.of(ctx.now()));
            ctx.step("a", () -> {});
            times.add(ctx.now());
            ctx.sleep("pause", HOUR);
            times.add(ctx.now());
            return times.toString();
        };
        Histories history = Histories.empty().completed("a", null).slept("pause", HOUR);

        assertThat(Replayer.next(Histories.workflow(code), Codec.standard(), history.after(HOUR)))
                .isEqualTo(new Command.Complete(Json.string(List.of(
                                Histories.at(0),
                                Histories.at(1),
                                Histories.at(2).plus(HOUR))
                        .toString())));
    }

    @Test
    void nowDoesNotGoBackWhereASleepWasOverBeforeItBegan() {
        Histories history =
                Histories.empty().completed("a", null).add(new Event.SleepStarted(new StepName("past")), Instant.EPOCH);

        assertThat(history.next((ctx, _) -> {
                    ctx.step("a", () -> {});
                    ctx.sleepUntil("past", Instant.EPOCH);
                    return ctx.now();
                }))
                .isEqualTo(new Command.Complete(Json.string(Histories.at(2).toString())));
    }

    @Test
    void nowOnTheFirstRunIsWhatAReplayTells() {
        WorkflowCode<Json, Object> code = (ctx, _) -> {
            ctx.step("a", () -> {});
            Instant after = ctx.now();
            ctx.step("b", () -> {});
            return after + " " + ctx.now();
        };
        Assignment first = Histories.empty().assignment();
        AtOnce performer = new AtOnce(first);
        Command live = Replayer.play(Histories.workflow(code), Codec.standard(), first, performer);
        Assignment again = new Assignment(
                first.held(), first.workflow(), 1, 0, first.at().plus(HOUR), null, performer.events(), Mailbox.EMPTY);

        assertThat(Replayer.next(Histories.workflow(code), Codec.standard(), again))
                .isEqualTo(live);
    }

    /** Draws before, between and after steps. */
    private static final WorkflowCode<Json, Object> DRAWS = (ctx, _) -> {
        List<Object> drawn =
                new ArrayList<>(List.of(ctx.uuid(), ctx.uuid(), ctx.random().nextLong()));
        ctx.step("a", () -> {});
        RandomGenerator random = ctx.random();
        drawn.addAll(List.of(
                ctx.uuid(), random.nextLong(), random.nextLong(), ctx.random().nextLong()));
        ctx.step("b", () -> {});
        drawn.addAll(List.of(ctx.uuid(), ctx.random().nextLong()));
        return drawn.stream().map(Object::toString).toList();
    };

    private static List<String> drawn(Command command) {
        Json result = ((Command.Complete) command).result();
        return Objects.requireNonNull(
                Codec.standard().<List<String>>read(result, new TypeReference<List<String>>() {}.getType(), "drawn"));
    }

    @Test
    void whatIsDrawnIsAlikeInEveryReplay() {
        List<String> live = drawn(Histories.empty().play(DRAWS));
        List<String> half = drawn(Histories.empty().completed("a", null).play(DRAWS));
        List<String> whole = drawn(
                Histories.empty().completed("a", null).completed("b", null).next(DRAWS));

        assertThat(half).isEqualTo(live);
        assertThat(whole).isEqualTo(live);
    }

    @Test
    void whatIsDrawnDiffersByPlaceAndByRun() {
        List<String> one = drawn(Histories.empty().play(DRAWS));
        List<String> other = drawn(Histories.empty()
                .inRun(new RunId(UUID.fromString("0199d2a4-0000-7000-8000-000000000002")))
                .play(DRAWS));
        Set<String> all = new HashSet<>(one);
        all.addAll(other);

        assertThat(all).hasSize(one.size() + other.size());
    }

    @Test
    void aDrawnIdIsAProperRandomUuid() {
        UUID id = UUID.fromString(drawn(Histories.empty().play(DRAWS)).getFirst());

        assertThat(id.version()).isEqualTo(4);
        assertThat(id.variant()).isEqualTo(2);
    }
}
