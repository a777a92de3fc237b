package io.perdure.examples;

import io.perdure.core.Perdure;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.workflow.Next;
import io.perdure.sdk.workflow.StepFlow;
import io.perdure.sdk.workflow.Workflow;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Steps that compute for long run on a pool of threads of their own, beside steps that wait. */
final class ComputingStepsExample {
    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    // region pool
    private static final int CORES = Runtime.getRuntime().availableProcessors();
    private final ExecutorService pool = Executors.newFixedThreadPool(Math.max(1, CORES - 1));
    private final Retry onPool =
            Retry.defaults().timeout(Duration.ofMinutes(10)).executor(pool);
    // endregion

    // region workflow
    private final Workflow<Integer, String> factorial = Workflow.named("factorial")
            .run(Integer.class, String.class, (ctx, input) -> {
                int number = ctx.step("load", Integer.class, () -> input); // waits: on the run's virtual thread
                String digits = ctx.step("compute", String.class, () -> compute(number), onPool); // on the pool
                ctx.step("store", () -> store(digits));
                return digits;
            });
    // endregion

    // region flow
    private final StepFlow factorialFlow =
            StepFlow.named("factorial_flow").step("start", pool, ctx -> Next.done(compute(ctx.input(Integer.class))));
    // endregion

    private ComputingStepsExample() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("perdure");
        tell("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Computes in the store of this URL; tells the results. */
    static List<String> tell(String url) {
        ComputingStepsExample example = new ComputingStepsExample();
        // region close
        try (ExecutorService _ = example.pool; // closed last: runs that go on need it
                Perdure perdure = Perdure.open(url)) {
            // endregion
            perdure.register(example.factorial).register(example.factorialFlow).start();
            return List.of(
                    perdure.start(example.factorial, 10).result(A_MINUTE),
                    perdure.start(example.factorialFlow, 5).as(String.class).result(A_MINUTE));
        }
    }

    /** Looks at the interrupt from time to time, so that a timeout or a cancel can end it. */
    // region compute
    private static String compute(int number) throws InterruptedException {
        BigInteger product = BigInteger.ONE;
        for (int factor = 2; factor <= number; factor++) {
            if (Thread.interrupted()) {
                throw new InterruptedException("a timeout, a cancel or a shutdown");
            }
            product = product.multiply(BigInteger.valueOf(factor));
        }
        return product.toString();
    }
    // endregion

    private static void store(String digits) {
        if (digits.isEmpty()) {
            throw new IllegalStateException("nothing was computed");
        }
    }
}
