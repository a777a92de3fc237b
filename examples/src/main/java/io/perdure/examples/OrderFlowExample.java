package io.perdure.examples;

import io.perdure.core.Perdure;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.retry.Backoff;
import io.perdure.sdk.run.RecoveryReport;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.run.StepInfo;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.StepFlowContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An order as a StepFlow: named steps, each of which says which one comes next, and a scratchpad between them. The first charge moves the
 * money and loses its answer, so that it is tried again.
 */
final class OrderFlowExample {
    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Map<String, String> payments = new ConcurrentHashMap<>();

    // region flow
    private final StepFlow order = StepFlow.named("order")
            .step("start", ctx -> {
                // Every flow begins with the step of this name.
                Order order = ctx.input(Order.class);
                int discount = ctx.find("discount", Integer.class).orElse(0);
                ctx.put("total", order.lamps() * 40 - discount);
                return order.lamps() == 0 ? Next.done("nothing to do") : Next.step("reserve");
            })
            .step("reserve", ctx -> {
                tell("reserve " + ctx.input(Order.class).lamps());
                return Next.step("charge");
            })
            .step("charge", this::charge)
            .step("ship", ctx -> Next.done("shipped, " + ctx.get("payment", String.class)))
            .maxAttempts(5) // of each step
            .backoff(Backoff.exponential(Duration.ofMillis(20), Duration.ofSeconds(1)))
            .stepTimeout(Duration.ofSeconds(30)); // of one attempt
    // endregion

    // region charge
    private Next charge(StepFlowContext ctx) throws IOException {
        tell("charge, attempt " + ctx.attempt().number());
        String key = ctx.attempt().idempotencyKey(); // the same in every attempt at this visit
        String payment = payAtBank(key, ctx.get("total", Integer.class));
        ctx.put("payment", payment); // kept when the step returns, forgotten where it throws
        return Next.step("ship");
    }
    // endregion

    private OrderFlowExample() {}

    record Order(String customer, int lamps) {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("perdure");
        tellAll("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Has an order worked on in the store of this URL; tells what happened. */
    static List<String> tellAll(String url) {
        OrderFlowExample example = new OrderFlowExample();
        try (Perdure perdure = Perdure.open(url).register(example.order)) {
            Run<String> run = example.begin(perdure);
            example.tellSteps(run);
            example.recover(perdure);
        }
        return example.told;
    }

    private Run<String> begin(Perdure perdure) {
        // region start
        StartOptions once = StartOptions.defaults()
                .workflowId("order-17") // at most one active run has it
                .write("discount", 5); // what the first step finds in the scratchpad
        Run<Json> first = perdure.start(order, new Order("ann", 2), once);
        Run<Json> again = perdure.start(order, new Order("ann", 2), once); // answers the first
        tell("created " + first.created() + ", again " + again.created());

        perdure.start(); // begins to work
        Run<String> run = first.as(String.class);
        tell(run.result(A_MINUTE));
        // endregion
        return run;
    }

    private void tellSteps(Run<String> run) {
        // region steps
        for (StepInfo step : run.steps()) {
            tell(step.name() + ", attempts: " + step.attempts());
        }
        // endregion
    }

    private void recover(Perdure perdure) {
        // region recover
        RecoveryReport report = perdure.operations().recover(); // looks at every run that is running
        report.counts().forEach((reason, count) -> tell(reason.word() + " " + count));
        // endregion
    }

    /** A bank that moves the money, and whose answer is lost on the way when it is asked for the first time. */
    private String payAtBank(String key, int euros) throws IOException {
        String known = payments.get(key);
        if (known != null) {
            return known;
        }
        payments.put(key, "payment " + (payments.size() + 1) + " of " + euros);
        throw new IOException("connection reset");
    }

    private void tell(String what) {
        told.add(what);
    }
}
