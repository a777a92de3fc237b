package io.perdure.cli.demo;

import io.perdure.cli.demo.WitnessLine.What;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.workflow.Attempt;
import io.perdure.sdk.workflow.Match;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowContext;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The demo's workflow: an order, from the shelf to the customer's mailbox. */
final class OrderWorkflow {
    static final String RESERVE = "reserve-stock";
    static final String CHARGE = "charge-card";
    static final String CARRIER = "wait-for-carrier";
    static final String PACK = "pack";
    static final String COURIER = "courier-is-here";
    static final String SEND = "send-parcel";
    static final String MAIL = "send-mail";

    /** Those with an effect outside, in their order. */
    static final List<String> STEPS = List.of(RESERVE, CHARGE, PACK, SEND, MAIL);

    /** How often the bank does not answer. */
    static final int CHARGE_FAILURES = 2;

    static final Duration CHARGE_AGAIN_AFTER = Duration.ofMillis(400);

    /** Longer than a worker keeps a run that only waits. */
    static final Duration CARRIER_COMES_AFTER = Duration.ofSeconds(2);

    private static final Duration WORK = Duration.ofMillis(150);

    /** How long the parcel stands there, packed, before the step returns: time to be killed in. */
    private static final Duration PACK_RETURNS_AFTER = Duration.ofSeconds(30);

    private final Witness witness;
    private final Environment environment;

    /** What is ordered. */
    record Order(String id, String item, int cents) {}

    /** Who takes it along: the payload of a signal. */
    record Courier(String order, String name) {
        static Courier of(Order order) {
            return new Courier(order.id(), "Mia");
        }
    }

    /** What comes of it. */
    record Receipt(String order, int cents, String courier) {
        static Receipt of(Order order) {
            return new Receipt(order.id(), order.cents(), Courier.of(order).name());
        }
    }

    private OrderWorkflow(Witness witness, Environment environment) {
        this.witness = witness;
        this.environment = environment;
    }

    static Order order(String id) {
        return new Order(id, "lamp", 4_900);
    }

    static Workflow<Order, Receipt> over(Witness witness, Environment environment) {
        OrderWorkflow steps = new OrderWorkflow(witness, environment);
        return Workflow.named("order").run(Order.class, Receipt.class, steps::run);
    }

    private Receipt run(WorkflowContext ctx, Order order) {
        ctx.step(RESERVE, () -> once(ctx.attempt(), Duration.ZERO));
        int cents = ctx.step(
                CHARGE,
                Integer.class,
                () -> {
                    charge(ctx.attempt());
                    return order.cents();
                },
                Retry.fixed(CHARGE_FAILURES + 3, CHARGE_AGAIN_AFTER));
        ctx.sleep(CARRIER, CARRIER_COMES_AFTER);
        ctx.step(PACK, () -> once(ctx.attempt(), PACK_RETURNS_AFTER));
        Courier courier = ctx.waitForEvent(COURIER, Courier.class, Match.where("order", order.id()));
        String signature = ctx.step(SEND, String.class, () -> {
            once(ctx.attempt(), Duration.ZERO);
            return courier.name();
        });
        ctx.step(MAIL, () -> once(ctx.attempt(), Duration.ZERO));
        return new Receipt(order.id(), cents, signature);
    }

    private void charge(Attempt attempt) throws IOException, InterruptedException {
        if (attempt.number() <= CHARGE_FAILURES) {
            witness.write(attempt, What.BEGAN);
            environment.sleep(WORK);
            witness.write(attempt, What.FAILED);
            throw new IOException("the bank does not answer");
        }
        once(attempt, Duration.ZERO);
    }

    /** Makes the step's effect, unless it was made before under this key; returns so long after making it. */
    private void once(Attempt attempt, Duration after) throws IOException, InterruptedException {
        witness.write(attempt, What.BEGAN);
        if (witness.hasSeen(attempt)) {
            witness.write(attempt, What.FOUND);
        } else {
            environment.sleep(WORK);
            witness.write(attempt, What.DID);
            environment.sleep(after);
        }
        witness.write(attempt, What.DONE);
    }
}
