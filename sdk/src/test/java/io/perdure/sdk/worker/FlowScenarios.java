package io.perdure.sdk.worker;

import io.perdure.sdk.retry.Backoff;
import io.perdure.sdk.worker.Scenarios.Scenario;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.StepFlowCode;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.type.TypeReference;

/** Sample StepFlows whose histories are kept for ever. */
final class FlowScenarios {
    private static final StepFlow SAMPLE =
            StepFlow.named("sample").maxAttempts(3).backoff(Backoff.fixed(Duration.ofMinutes(1)));

    private FlowScenarios() {}

    static Map<String, Scenario> all() {
        Map<String, Scenario> all = new TreeMap<>();
        all.put("flow-finished", new Scenario(finished()));
        all.put("flow-retried", new Scenario(retried()));
        all.put("flow-exhausted", new Scenario(broken(SAMPLE.maxAttempts(2))));
        all.put("flow-not-retryable", new Scenario(broken(SAMPLE.notOn(IOException.class))));
        all.put("flow-redriven", new Scenario(broken(SAMPLE.maxAttempts(2)), mended(SAMPLE.maxAttempts(2)), true));
        all.put("flow-looped", new Scenario(SAMPLE.step("start", ctx -> {
            int turn = ctx.find("turn", Integer.class).orElse(0) + 1;
            ctx.put("turn", turn);
            return turn < 3 ? Next.step("start") : Next.done(turn);
        })));
        all.put(
                "flow-missing-step",
                new Scenario(
                        SAMPLE.step("start", _ -> Next.step("charge")).step("charge", _ -> Next.done("paid")),
                        SAMPLE.step("start", _ -> Next.step("invoice")).step("invoice", _ -> Next.done("sent")),
                        false));
        all.put("flow-begun-anew", new Scenario(begun(_ -> throwDeath()), begun(_ -> Next.done("paid")), true));
        return all;
    }

    private static StepFlow finished() {
        return SAMPLE.step("start", ctx -> {
                    String email = ctx.input(new TypeReference<Map<String, String>>() {})
                            .getOrDefault("email", "");
                    ctx.put("email", email);
                    ctx.put("nothing", null);
                    return Next.step("greet");
                })
                .step("greet", ctx -> Next.done("hello " + ctx.get("email", String.class)));
    }

    private static StepFlow retried() {
        return SAMPLE.step("start", ctx -> {
            ctx.put("attempt", ctx.attempt().number());
            if (ctx.attempt().number() < 3) {
                throw new IOException("attempt " + ctx.attempt().number());
            }
            return Next.done();
        });
    }

    private static StepFlow broken(StepFlow flow) {
        return flow.step("start", ctx -> {
                    ctx.put("total", 7);
                    return Next.step("charge");
                })
                .step("charge", ctx -> {
                    throw new IOException("attempt " + ctx.attempt().number(), new IllegalStateException("root"));
                });
    }

    private static StepFlow mended(StepFlow flow) {
        return flow.step("start", _ -> Next.step("charge"))
                .step("charge", ctx -> Next.done("paid " + ctx.get("total", Integer.class)));
    }

    private static StepFlow begun(StepFlowCode charge) {
        return SAMPLE.step("start", _ -> Next.step("charge")).step("charge", charge);
    }

    /** The process is gone while the step is under way. */
    private static Next throwDeath() {
        throw new Suspension(new Command.Drop("died"));
    }
}
