package io.perdure.testkit.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.core.telemetry.Telemetry;
import io.perdure.core.workflow.Workflows;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Match;
import io.perdure.sdk.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which signals a run takes, which it refuses, and what becomes of a run that cannot read one. */
abstract class MailboxContract extends WorkflowFixture {
    private static final int ROOM = 3;

    MailboxContract(Opening opening) {
        super(opening);
    }

    @Test
    final void aRepeatedSignalIsTakenOnceAndItsSenderHearsSo() throws InterruptedException {
        Run<String> run = started(String.class, (ctx, _) -> {
            String first = ctx.waitForEvent("first", String.class, Match.any().event("paid"));
            return first + ctx.waitForEvent("second", String.class, Match.any().event("paid"));
        });
        untilItWaits(run);

        assertThat(perdure.signal(run.id(), "paid", "a", "payment-1")).isTrue();
        assertThat(perdure.signal(run.id(), "paid", "a", "payment-1")).isFalse();
        until(() -> !events(run, Event.EventReceived.class).isEmpty());
        assertThat(perdure.signal(run.id(), "paid", "a", "payment-1")).isFalse();
        assertThat(perdure.signal(run.id(), "paid", "b", "payment-2")).isTrue();
        assertThat(run.result(PATIENCE)).isEqualTo("ab");
        assertThat(events(run, Event.EventReceived.class))
                .extracting(Event.EventReceived::payload)
                .containsExactly(Json.string("a"), Json.string("b"));
        assertThat(perdure.signal(run.id(), "paid", "a", "payment-1")).isFalse();
    }

    /** More than one commit may have of events, taken without a step between them. */
    @Test
    final void aThousandAndMoreThatCameEarlyAreAllTaken() {
        int many = 1_500;
        Workflow<String, Integer> workflow = workflow(Integer.class, (ctx, _) -> {
            int sum = 0;
            for (int turn = 0; turn < many; turn++) {
                sum += ctx.waitForEvent(
                        "item-" + turn, Integer.class, Match.any().event("item"));
            }
            return sum;
        });
        RunId id = perdure.start(workflow, "input").id();
        IntStream.range(0, many)
                .mapToObj(number -> CompletableFuture.runAsync(
                        () -> perdure.signal(id, "item", number), Thread::startVirtualThread))
                .toList()
                .forEach(CompletableFuture::join);

        perdure.register(workflow).start();

        assertThat(perdure.run(workflow, id).result(PATIENCE)).isEqualTo(many * (many - 1) / 2);
        assertThat(events(perdure.run(id), Event.EventReceived.class))
                .extracting(Event.EventReceived::signal)
                .hasSize(many)
                .isSorted();
    }

    @Test
    final void aRunThatHasEndedRefusesSignals() {
        Run<String> run = started(String.class, (_, input) -> input);
        run.result(PATIENCE);

        assertFails(
                ErrorCode.RUN_ENDED,
                () -> perdure.signal(run.id(), "paid", ""),
                run.id().toString());
        assertFails(ErrorCode.RUN_ENDED, () -> perdure.signal(run.id(), "paid", "", "once"));
    }

    @Test
    final void aRunThatDoesNotExistTakesNoSignals() {
        RunId none = RunId.parse("0199d2a4-0000-7000-8000-000000000001");

        assertFails(ErrorCode.NO_SUCH_RUN, () -> perdure.signal(none, "paid", ""), none.toString());
    }

    @Test
    final void aSignalThatIsNotValidIsRefusedAndLeavesNothing() {
        Workflow<String, String> waiter = workflow(String.class, (ctx, _) -> ctx.waitForEvent("a", String.class));
        Run<String> run = perdure.start(waiter, "");
        List<Object> cyclic = new ArrayList<>();
        cyclic.add(cyclic);

        assertFails(ErrorCode.INVALID_NAME, () -> perdure.signal(run.id(), "__child", ""), "__child");
        assertFails(ErrorCode.INVALID_NAME, () -> perdure.signal(run.id(), "not a name", ""));
        assertFails(ErrorCode.NO_JSON_FORM, () -> perdure.signal(run.id(), "a", cyclic));
        assertFails(ErrorCode.VALUE_TOO_LARGE, () -> perdure.signal(run.id(), "a", "x".repeat(1024 * 1024)));
        assertFails(ErrorCode.INVALID_KEY, () -> perdure.signal(run.id(), "a", "", ""));
        perdure.signal(run.id(), "a", "valid");
        perdure.register(waiter).start();
        assertThat(run.result(PATIENCE)).isEqualTo("valid");
    }

    @Test
    final void aFullMailboxRefusesSignalsUntilSomeAreTaken() throws InterruptedException {
        perdure.close();
        SystemEnvironment environment = new SystemEnvironment();
        Limits usual = Limits.defaults();
        Limits limits = usual.with(usual.runs().holding(usual.runs().events(), ROOM));
        EventName paid = new EventName("paid");
        try (Store store = Stores.open(url(), environment, limits);
                Ledger ledger = Ledger.open(store, environment, limits);
                Workflows workflows = new Workflows(new Workflows.Setup(
                        store, ledger, environment, TenantId.DEFAULT, Codec.standard(), limits, Telemetry.NONE))) {
            Workflow<String, Integer> taker = takerOf(ROOM + 1);
            Run<Integer> run = workflows.start(taker, "", StartOptions.defaults());
            for (int number = 0; number < ROOM; number++) {
                assertThat(workflows.signal(run.id(), paid, 1, null)).isTrue();
            }
            assertFails(
                    ErrorCode.MAILBOX_FULL,
                    () -> workflows.signal(run.id(), paid, 1, null),
                    run.id().toString());
            workflows.register(taker);
            workflows.work();
            until(() -> events(run, Event.EventReceived.class).size() == ROOM);
            assertThat(workflows.signal(run.id(), paid, 1, null)).isTrue();
            assertThat(run.result(PATIENCE)).isEqualTo(ROOM + 1);
        }
    }

    private static Workflow<String, Integer> takerOf(int signals) {
        return workflow(Integer.class, (ctx, _) -> {
            int sum = 0;
            for (int number = 0; number < signals; number++) {
                sum += ctx.waitForEvent(
                        "take-" + number, Integer.class, Match.any().event("paid"));
            }
            return sum;
        });
    }

    @Test
    final void aPayloadThatDoesNotFitParksItsRunAndNoOther() throws InterruptedException {
        Workflow<String, Integer> typed = serve(Integer.class, (ctx, _) -> ctx.waitForEvent("paid", Integer.class));
        Run<Integer> unlucky = perdure.start(typed, "");
        Run<Integer> other = perdure.start(typed, "");
        untilItWaits(unlucky);
        untilItWaits(other);
        perdure.signal(unlucky.id(), "paid", "not a number");
        perdure.signal(other.id(), "paid", 7);

        untilItIsParked(unlucky, ErrorCode.UNFIT_VALUE);
        assertThat(other.result(PATIENCE)).isEqualTo(7);
    }

    @Test
    final void aPayloadOfNullThatCannotBeToldFromNoneParks() throws InterruptedException {
        Run<String> run = started(
                String.class,
                (ctx, _) -> ctx.waitForEvent("paid", String.class, PATIENCE).orElse("nothing"));
        untilItWaits(run);
        perdure.signal(run.id(), "paid", null);

        untilItIsParked(run, ErrorCode.UNFIT_VALUE);
    }

    @Test
    final void codeThatChangedUnderAWaitParks() throws InterruptedException {
        Run<String> run =
                started(String.class, (ctx, _) -> ctx.waitForEvent("paid", String.class, Match.where("id", 1)));
        untilItWaits(run);
        reopen(OpenOptions.defaults());
        Workflow<String, String> changed =
                serve(String.class, (ctx, _) -> ctx.waitForEvent("paid", String.class, Match.where("id", 2)));
        perdure.signal(run.id(), "paid", Map.of("id", 2));

        Run<String> again = perdure.run(changed, run.id());
        untilItIsParked(again, ErrorCode.HISTORY_MISMATCH);
        assertThat(events(again, Event.EventReceived.class)).isEmpty();
        assertThat(again.status()).isEqualTo(RunStatus.PARKED);
    }
}
