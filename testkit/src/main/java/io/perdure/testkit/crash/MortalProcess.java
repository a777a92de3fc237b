package io.perdure.testkit.crash;

import io.perdure.core.store.Stores;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Another process that sets out on a {@link Journey} and is gone, without a word, at the moment it was told. */
final class MortalProcess {
    /** Its exit code when its end came first. */
    static final int LIVED = 0;

    /** Its exit code when it died as told. */
    static final int DIED = 86;

    private MortalProcess() {}

    /** What runs in the other process: URL, witness, key of the run, moment and number. */
    public static void main(String[] arguments) throws IOException {
        MortalStore.Death death = new MortalStore.Death(Moment.valueOf(arguments[3]), Integer.parseInt(arguments[4]));
        try (StepWitness witness = StepWitness.at(Path.of(arguments[1]));
                MortalStore store = new MortalStore(
                        Stores.open(arguments[0], new SystemEnvironment(), Limits.defaults()),
                        death,
                        () -> Runtime.getRuntime().halt(DIED))) {
            Workflow<String, String> journey = Journey.seenBy(witness);
            try (Engine engine = Engine.over(store, journey)) {
                engine.start(journey, "", StartOptions.defaults().idempotencyKey(arguments[2]))
                        .result(Duration.ofSeconds(60));
            }
        }
    }

    /** Starts it and waits for its end; answers its exit code. */
    static int run(String url, Path witness, String key, MortalStore.Death death)
            throws IOException, InterruptedException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                MortalProcess.class.getName(),
                url,
                witness.toString(),
                key,
                death.moment().name(),
                Integer.toString(death.number()));
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}
