package io.perdure.examples;

import io.perdure.core.Perdure;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A start that is repeated, by a second click or a webhook that was sent twice, answers the run that is there. */
final class IdempotentStartExample {
    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final CountDownLatch paper = new CountDownLatch(1);
    private final Workflow<String, String> invoice = Workflow.named("invoice")
            .run(String.class, String.class, (ctx, customer) -> ctx.step("print", String.class, () -> print(customer)));

    private IdempotentStartExample() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("perdure");
        tell("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Starts the same work several times in the store of this URL; tells which starts began a run. */
    static List<String> tell(String url) {
        IdempotentStartExample example = new IdempotentStartExample();
        try (Perdure perdure = Perdure.open(url).register(example.invoice).start()) {
            example.byWorkflowId(perdure);
            example.byIdempotencyKey(perdure);
        }
        return example.told;
    }

    private void byWorkflowId(Perdure perdure) {
        // region workflow-id
        StartOptions forAnn = StartOptions.defaults().workflowId("customer-ann"); // at most one active run has it
        Run<String> first = perdure.start(invoice, "ann", forAnn);
        Run<String> meanwhile = perdure.start(invoice, "ann", forAnn); // answers the first
        paper.countDown();
        tell("workflow id, while active", first, meanwhile);
        told.add(first.result(A_MINUTE));

        Run<String> later = perdure.start(invoice, "ann", forAnn); // the first has ended: a run of its own
        tell("workflow id, afterwards", first, later);
        // endregion
        told.add(later.result(A_MINUTE));
    }

    private void byIdempotencyKey(Perdure perdure) {
        // region idempotency-key
        StartOptions once = StartOptions.defaults().idempotencyKey("invoice-2026-11"); // one request, one run
        Run<String> first = perdure.start(invoice, "bob", once);
        told.add(first.result(A_MINUTE));
        Run<String> again = perdure.start(invoice, "bob", once); // answers the first, though it has ended
        tell("idempotency key", first, again);
        told.add(again.result(A_MINUTE));

        try {
            perdure.start(invoice, "eve", once);
        } catch (RefusedException e) {
            told.add(e.code().code()); // the same key for another input is PD-303
        }
        // endregion
    }

    private void tell(String how, Run<String> one, Run<String> other) {
        told.add(how + ": " + (one.id().equals(other.id()) ? "the same run" : "another run")
                + (other.created() ? ", created" : ", not created"));
    }

    private String print(String customer) throws InterruptedException {
        paper.await();
        return "invoice for " + customer;
    }
}
