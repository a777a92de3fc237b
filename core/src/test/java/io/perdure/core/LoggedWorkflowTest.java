package io.perdure.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.memory.MemoryStore;
import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.retry.Retry;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/** What log lines of a workflow can say of themselves. */
class LoggedWorkflowTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Map<String, Map<String, String>> seen = new ConcurrentHashMap<>();

    private void look(String where) {
        Map<String, String> context = MDC.getCopyOfContextMap();
        seen.put(where, context == null ? Map.of() : context);
    }

    @Test
    void logLinesSayWhichRunWorkflowStepAndAttemptTheyBelongTo() {
        Workflow<String, String> greet = Workflow.named("greet").run(String.class, String.class, (ctx, name) -> {
            look("before");
            ctx.step("hello", () -> look("inside"));
            look("after");
            return name;
        });
        Environment environment = new SystemEnvironment();
        MemoryStore store = new MemoryStore(environment.clock(), Limits.defaults());
        try (Perdure perdure = Perdure.over(store, environment, OpenOptions.defaults())
                .register(greet)
                .start()) {
            Run<String> run = perdure.start(greet, "ann");
            run.result(PATIENCE);

            Map<String, String> ofRun = Map.of("perdure.run", run.id().toString(), "perdure.workflow", "greet");
            assertThat(seen.get("before")).isEqualTo(ofRun);
            assertThat(seen.get("after")).isEqualTo(ofRun);
            assertThat(seen.get("inside"))
                    .containsAllEntriesOf(ofRun)
                    .containsEntry("perdure.step", "hello")
                    .containsEntry("perdure.attempt", "1");
        }
    }

    @Test
    void logLines_ofAStepOnAnExecutor_sayWhoseTheyAreAndLeaveItsThreadAsItWas() throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(1)) {
            Workflow<String, String> greet = Workflow.named("greet").run(String.class, String.class, (ctx, name) -> {
                ctx.step("hello", () -> look("inside"), Retry.defaults().executor(pool));
                look("after");
                return name;
            });
            Environment environment = new SystemEnvironment();
            MemoryStore store = new MemoryStore(environment.clock(), Limits.defaults());
            try (Perdure perdure = Perdure.over(store, environment, OpenOptions.defaults())
                    .register(greet)
                    .start()) {
                Run<String> run = perdure.start(greet, "ann");
                run.result(PATIENCE);
                pool.submit(() -> look("later")).get();

                Map<String, String> ofRun = Map.of("perdure.run", run.id().toString(), "perdure.workflow", "greet");
                assertThat(seen.get("inside"))
                        .containsAllEntriesOf(ofRun)
                        .containsEntry("perdure.step", "hello")
                        .containsEntry("perdure.attempt", "1");
                assertThat(seen.get("after")).isEqualTo(ofRun);
                assertThat(seen.get("later")).isEmpty();
            }
        }
    }
}
