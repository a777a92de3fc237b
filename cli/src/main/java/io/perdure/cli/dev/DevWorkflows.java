package io.perdure.cli.dev;

import io.perdure.sdk.retry.Backoff;
import io.perdure.sdk.workflow.Match;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What {@code perdure dev} has code for. Nothing outside is touched: the steps only say what they would do. */
public final class DevWorkflows {
    private DevWorkflows() {}

    /** Who signs up. */
    public record Signup(String email) {}

    /** Somebody has clicked on the link. */
    public record Verified(String userId) {}

    /** What is to be decided. */
    public record Request(String what) {}

    /** How it was. */
    public record Decision(boolean approved, String by) {}

    /** What is bought. */
    public record Order(String item, int cents) {}

    /** A user is made, welcomed after two seconds, and reminded if the link is not clicked within ten. */
    static final Workflow<Signup, String> ONBOARD_USER = Workflow.named("onboard_user")
            .run(Signup.class, String.class, (ctx, signup) -> {
                String user = ctx.step(
                        "create-user",
                        String.class,
                        () -> "user-" + Integer.toHexString(signup.email().hashCode()));
                ctx.sleep("welcome-delay", Duration.ofSeconds(2));
                ctx.step("send-welcome", () -> {});
                Optional<Verified> seen =
                        ctx.waitForEvent("verify", Verified.class, Match.where("userId", user), Duration.ofSeconds(10));
                if (seen.isEmpty()) {
                    ctx.step("nudge", () -> {});
                }
                return user;
            });

    /** Waits a week for the event {@code decision}. */
    static final Workflow<Request, String> APPROVAL = Workflow.named("approval")
            .run(Request.class, String.class, (ctx, request) -> {
                ctx.step("ask", () -> {});
                Optional<Decision> decision = ctx.waitForEvent("decision", Decision.class, Duration.ofDays(7));
                return decision.map(made -> request.what()
                                + (made.approved() ? " was approved by " : " was refused by ")
                                + made.by())
                        .orElse(request.what() + " was not decided");
            });

    /** Three steps that say which comes next; the bank does not answer at first. */
    static final StepFlow ORDER = StepFlow.named("order")
            .step("start", ctx -> {
                Order order = ctx.input(Order.class);
                ctx.put("total", order.cents() + order.cents() / 5);
                return Next.step("charge");
            })
            .step("charge", ctx -> {
                if (ctx.attempt().number() == 1) {
                    throw new IllegalStateException("the bank does not answer");
                }
                ctx.put("charged", true);
                return Next.step("ship");
            })
            .step("ship", ctx -> Next.done("shipped for " + ctx.get("total", Integer.class) + " cents"))
            .backoff(Backoff.fixed(Duration.ofMillis(500)));

    /** All of them. */
    public static List<WorkflowDefinition> all() {
        return List.of(ONBOARD_USER, APPROVAL, ORDER);
    }
}
