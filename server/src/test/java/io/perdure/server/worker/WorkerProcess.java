package io.perdure.server.worker;

import io.perdure.client.ConnectOptions;
import io.perdure.client.PerdureClient;
import io.perdure.sdk.workflow.Attempt;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowContext;
import io.perdure.testkit.crash.StepWitness;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Another process that works on the runs of a server. Each step of theirs says a line to a witness before it returns. After so many lines its steps
 * wait until they are let go on, so that it has some in hand then. It goes on until it is killed, or whoever started it is gone.
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

    /** What runs in the other process: the server's URL, the witness, the name that it signs with, and how many lines it says before it waits. */
    public static void main(String[] arguments) throws IOException {
        try (StepWitness witness = StepWitness.at(Path.of(arguments[1]));
                PerdureClient client = PerdureClient.connect(
                        arguments[0], ConnectOptions.defaults().concurrency(CONCURRENCY))) {
            Path goOn = goOn(Path.of(arguments[1]));
            AtomicInteger freely = new AtomicInteger(Integer.parseInt(arguments[3]));
            Witnessed witnessed = attempt -> {
                witness.say(new Sighting(arguments[2], attempt).line());
                if (freely.decrementAndGet() < 0) {
                    Waiting.until(() -> Files.exists(goOn));
                }
            };
            Workflow<Integer, String> counting = Workflow.named(WORKFLOW)
                    .run(Integer.class, String.class, (context, input) -> count(context, input, witnessed));
            client.register(counting).start();
            // The end of its input is the end of its work.
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    /** What a step does. */
    private interface Witnessed {
        void step(Attempt attempt) throws IOException, InterruptedException;
    }

    private static Path goOn(Path witness) {
        return witness.resolveSibling(witness.getFileName() + ".go-on");
    }

    /** No step of those who say their lines to this witness waits any more. */
    static void letGoOn(Path witness) throws IOException {
        Files.createFile(goOn(witness));
    }

    private static String count(WorkflowContext context, int input, Witnessed witnessed) {
        String counted = Integer.toString(input);
        for (String step : STEPS) {
            String before = counted;
            counted = context.step(step, String.class, () -> {
                witnessed.step(context.attempt());
                return before + " " + step;
            });
        }
        return counted;
    }

    /** What a run with this input results in. */
    static String result(int input) {
        return input + " " + String.join(" ", STEPS);
    }

    /**
     * Starts one.
     *
     * @param freely how many lines it says before its steps wait until they are let go on
     */
    static WorkerProcess start(String name, URI server, Path witness, int freely) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerProcess.class.getName(),
                server.toString(),
                witness.toString(),
                name,
                Integer.toString(freely));
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

    /** Freezes it (SIGSTOP): it keeps its connections, and does nothing. */
    void pause() throws IOException, InterruptedException {
        signal("-STOP");
    }

    /** Lets it go on (SIGCONT). */
    void goOn() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", signal, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("kill " + signal + " ended with " + status);
        }
    }

    /** Has it end its work, and waits until it has. */
    void leave() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }

    /** Kills it (SIGKILL), and waits until it is gone. */
    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
