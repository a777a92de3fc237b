package io.perdure.cli.demo;

import io.perdure.cli.demo.OrderWorkflow.Order;
import io.perdure.cli.demo.OrderWorkflow.Receipt;
import io.perdure.core.Perdure;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A process of the demo: opens the store, registers the workflow and works. Only the first one is given an order to start. It ends
 * when its standard input does, so it does not outlive whoever started it.
 */
public final class DemoWorker {
    private DemoWorker() {}

    /** Works on the orders of a folder, and starts one where it is named. */
    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        SystemEnvironment environment = new SystemEnvironment();
        Workflow<Order, Receipt> workflow = OrderWorkflow.over(new Witness(folder, environment.clock()), environment);
        try (Perdure perdure = Perdure.open(url(folder))) {
            perdure.register(workflow).start();
            if (args.length > 1) {
                perdure.start(
                        workflow,
                        OrderWorkflow.order(args[1]),
                        StartOptions.defaults().idempotencyKey(args[1]));
            }
            int read = System.in.read();
            while (read >= 0) {
                read = System.in.read();
            }
        }
    }

    static String url(Path folder) {
        return "jdbc:sqlite:" + folder.resolve("order.db");
    }
}
