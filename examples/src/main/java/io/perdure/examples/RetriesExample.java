package io.perdure.examples;

import io.perdure.core.Perdure;
import io.perdure.sdk.RunFailedException;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/**
 * A step that fails is tried again, as its policy says: here a call that hangs, a payment whose answer is lost after the money
 * has moved, and a card that no second attempt mends.
 */
final class RetriesExample {
    // region policy
    private static final Retry BANK = Retry.exponential(5, Duration.ofMillis(20)) // 20 ms, 40 ms, 80 ms, …
            .timeout(Duration.ofSeconds(1)) // an attempt that takes longer is interrupted
            .notOn(CardDeclined.class); // trying again would not mend this
    // endregion

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Map<String, String> payments = new ConcurrentHashMap<>();

    // region workflow
    private final Workflow<String, String> charge = Workflow.named("charge")
            .run(String.class, String.class, (ctx, card) -> {
                int rate = ctx.step("ask-rate", Integer.class, () -> rate(ctx), BANK);
                return ctx.step("pay", String.class, () -> pay(ctx, card, rate), BANK);
            });
    // endregion

    private RetriesExample() {}

    /** The bank says no, and will say so again. */
    static final class CardDeclined extends Exception {
        private static final long serialVersionUID = 1L;

        CardDeclined(String card) {
            super("card " + card + " was declined");
        }
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("perdure");
        tell("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Charges two cards in the store of this URL; tells what happened. */
    static List<String> tell(String url) {
        RetriesExample example = new RetriesExample();
        example.run(url);
        return example.told;
    }

    private void run(String url) {
        // region run
        try (Perdure perdure = Perdure.open(url).register(charge).start()) {
            Run<String> good = perdure.start(charge, "4242");
            told.add("result: " + good.result(Duration.ofMinutes(1)));

            Run<String> bad = perdure.start(charge, "0000");
            try {
                told.add("result: " + bad.result(Duration.ofMinutes(1)));
            } catch (RunFailedException e) {
                told.add(e.code().code() + " after attempt "
                        + bad.steps().getLast().attempts());
            }
        }
        // endregion
    }

    private int rate(WorkflowContext ctx) throws InterruptedException {
        int attempt = ctx.attempt().number();
        told.add("ask-rate, attempt " + attempt);
        if (attempt == 1) {
            new CountDownLatch(1).await(); // a call that never returns
        }
        return 2;
    }

    // region pay
    private String pay(WorkflowContext ctx, String card, int rate) throws IOException, CardDeclined {
        String key = ctx.attempt().idempotencyKey(); // of run and step: the same in every attempt
        told.add("pay, attempt " + ctx.attempt().number());
        if (card.equals("0000")) {
            throw new CardDeclined(card);
        }
        return payAtBank(key, 100 * rate); // the bank does nothing twice that comes under one key
    }
    // endregion

    /** A bank that moves the money, and whose answer is lost on the way when it is asked for the first time. */
    private String payAtBank(String key, int cents) throws IOException {
        String known = payments.get(key);
        if (known != null) {
            return known;
        }
        payments.put(key, "payment " + (payments.size() + 1) + " of " + cents);
        throw new IOException("connection reset");
    }
}
