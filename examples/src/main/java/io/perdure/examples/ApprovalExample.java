package io.perdure.examples;

import io.perdure.core.Perdure;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Match;
import io.perdure.sdk.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A run waits for somebody's word: the approval that it asked for, which may come before it waits, and for which it does not wait for
 * ever. One for another invoice is left in the mailbox.
 */
final class ApprovalExample {
    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    private final List<String> told = new CopyOnWriteArrayList<>();

    // region workflow
    private final Workflow<Invoice, String> pay = Workflow.named("pay")
            .run(Invoice.class, String.class, (ctx, invoice) -> {
                ctx.step("ask", () -> tell("please approve " + invoice.id()));
                Optional<Approval> approval = ctx.waitForEvent(
                        "approval",
                        Approval.class,
                        Match.where("invoice", invoice.id()), // and whatever else the payload has
                        invoice.patience()); // by the store's clock: a waiting run is a row, not a thread
                if (approval.isEmpty()) {
                    return invoice.id() + " is not paid";
                }
                ctx.step("pay", () -> tell("pay " + invoice.id()));
                return invoice.id() + " is paid, says " + approval.get().by();
            });
    // endregion

    // region names
    private final Workflow<String, String> read = Workflow.named("read").run(String.class, String.class, (ctx, _) -> {
        // Each wait has a name of its own, so the event is named apart.
        Approval first = ctx.waitForEvent(
                "second-invoice", Approval.class, Match.where("invoice", "i-2").event("approval"));
        Approval second =
                ctx.waitForEvent("any-invoice", Approval.class, Match.any().event("approval"));
        return first.invoice() + ", " + second.invoice();
    });
    // endregion

    private ApprovalExample() {}

    record Invoice(String id, Duration patience) {}

    record Approval(String invoice, String by) {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("perdure");
        tellAll("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Has invoices approved in the store of this URL; tells what happened. */
    static List<String> tellAll(String url) {
        ApprovalExample example = new ApprovalExample();
        try (Perdure perdure = Perdure.open(url).register(example.pay).register(example.read)) {
            example.early(perdure);
            example.wrong(perdure);
            example.inOrder(perdure);
        }
        return example.told;
    }

    private void early(Perdure perdure) {
        // region signal
        Run<String> run = perdure.start(pay, new Invoice("i-1", A_MINUTE));
        Approval approval = new Approval("i-1", "ann");
        boolean sent = perdure.signal(run.id(), "approval", approval, "mail-17"); // on disk when this returns
        boolean again = perdure.signal(run.id(), "approval", approval, "mail-17"); // the same id: nothing is sent
        tell("sent " + sent + ", again " + again);

        perdure.start(); // nobody worked on the run before: the signal came early, and was kept
        tell(run.result(A_MINUTE));
        // endregion
    }

    private void wrong(Perdure perdure) {
        Run<String> run = perdure.start(pay, new Invoice("i-2", Duration.ofSeconds(5)));
        perdure.signal(run.id(), "approval", new Approval("i-3", "bob")); // stays in the mailbox
        tell(run.result(A_MINUTE));
    }

    private void inOrder(Perdure perdure) {
        Run<String> run = perdure.start(read, "");
        perdure.signal(run.id(), "approval", new Approval("i-1", "ann"));
        perdure.signal(run.id(), "approval", new Approval("i-2", "ann"));
        tell(run.result(A_MINUTE));
    }

    private void tell(String what) {
        told.add(what);
    }
}
