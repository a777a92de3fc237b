package io.perdure.server.worker;

import io.perdure.client.ConnectOptions;
import io.perdure.client.PerdureClient;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowContext;
import io.perdure.testkit.crash.StepWitness;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;

/**
 * Another process that works on the runs of a server. Each step of theirs says a line to a witness before it returns. It goes on until it is
 * killed, or whoever started it is gone.
 */
final class WorkerProcess implements AutoCloseable {
    static final String WORKFLOW = "counting";
    static final List<String> STEPS = List.of("one", "two", "three");
    private static final int CONCURRENCY = 20;

    private final String name;
    private final Process process;

    private WorkerProcess(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /** What runs in the other process: the server's URL, the witness, and the name that it signs with. */
    public static void main(String[] arguments) throws IOException {
        try (StepWitness witness = StepWitness.at(Path.of(arguments[1]));
                PerdureClient client = PerdureClient.connect(
                        arguments[0], ConnectOptions.defaults().concurrency(CONCURRENCY))) {
            Workflow<Integer, String> counting = Workflow.named(WORKFLOW)
                    .run(Integer.class, String.class, (context, input) -> count(context, input, witness, arguments[2]));
            client.register(counting).start();
            // The end of its input is the end of its work.
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private static String count(WorkflowContext context, int input, StepWitness witness, String name) {
        String counted = Integer.toString(input);
        for (String step : STEPS) {
            String before = counted;
            counted = context.step(step, String.class, () -> {
                witness.say(new Sighting(name, context.attempt()).line());
                return before + " " + step;
            });
        }
        return counted;
    }

    /** What a run with this input results in. */
    static String result(int input) {
        return input + " " + String.join(" ", STEPS);
    }

    static WorkerProcess start(String name, URI server, Path witness) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerProcess.class.getName(),
                server.toString(),
                witness.toString(),
                name);
        return new WorkerProcess(
                name,
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
    }

    String name() {
        return name;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Kills it (SIGKILL), and waits until it is gone. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
