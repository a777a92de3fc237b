package io.perdure.testkit.crash;

import io.perdure.core.store.Store;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.run.StartOptions;
import io.perdure.sdk.workflow.WorkflowDefinition;
import io.perdure.testkit.Seeds;
import io.perdure.testkit.crash.MortalStore.Death;
import io.perdure.testkit.crash.Verdict.Life;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Programs of a seed that run together in one process after another. Each process dies at some call of its store, all but the last; what
 * the runs have come to is then compared with what they come to straight through.
 */
final class Ordeal {
    private static final int OF_EACH_KIND = 4;
    private static final int MOST_DEATHS = 5;
    private static final int MOST_COMMITS = 24;
    private static final int MOST_CLAIMS = 3;
    private static final int MOST_EVENTS = 500;
    private static final Moment[] MOMENTS = Moment.values();
    private static final Json INPUT = Json.of("1");

    private final long seed;
    private final Place place;
    private final Duration patience;
    private final List<Program> programs;
    private final SplittableRandom die;
    private final Map<String, List<Life>> lives = new TreeMap<>();

    /** Where the database is. */
    interface Place {
        /** The database, as a process opens it. */
        Store open();

        /** Lets the leases of the dead run out. */
        void endLeases();
    }

    /** How many processes died, and how many runs ended one way or the other. */
    record Tally(int deaths, long completed, long failed) {
        Tally plus(Tally other) {
            return new Tally(deaths + other.deaths, completed + other.completed, failed + other.failed);
        }
    }

    Ordeal(long seed, Place place, Duration patience) {
        this.seed = seed;
        this.place = place;
        this.patience = patience;
        this.die = new SplittableRandom(seed);
        Programs made = new Programs(die.split());
        this.programs = IntStream.range(0, OF_EACH_KIND)
                .boxed()
                .flatMap(number -> Stream.<Program>of(made.flow("flow_" + number), made.code("code_" + number)))
                .toList();
    }

    /** Throws what went wrong, with the seed and the program. */
    Tally pass() {
        Deque<AutoCloseable> dead = new ArrayDeque<>();
        int deaths = 0;
        try {
            while (!lives(deaths < MOST_DEATHS ? death() : Death.never(), dead)) {
                deaths++;
            }
            try (Store store = place.open()) {
                return judged(store, deaths);
            }
        } catch (CompletionException e) {
            throw new AssertionError(
                    "-D%s=%d, after %d deaths, among %s: %s"
                            .formatted(Seeds.PROPERTY, seed, deaths, programs, e.getMessage()),
                    e);
        } finally {
            // Closed only once all is over, so that their threads end: a dead process closes nothing.
            dead.forEach(Ordeal::close);
        }
    }

    private Death death() {
        Moment moment = MOMENTS[die.nextInt(MOMENTS.length)];
        // Most of what can go wrong does so at a commit.
        Moment chosen = die.nextBoolean() ? moment : die.nextBoolean() ? Moment.BEFORE_COMMIT : Moment.AFTER_COMMIT;
        int most = switch (chosen) {
            case BEFORE_COMMIT, AFTER_COMMIT -> MOST_COMMITS;
            case BEFORE_CLAIM, AFTER_CLAIM, BEFORE_SNAPSHOTS, AFTER_SNAPSHOTS -> MOST_CLAIMS;
        };
        return new Death(chosen, 1 + die.nextInt(most));
    }

    /** One process; answers whether it lived to see the end of all runs. */
    private boolean lives(Death death, Deque<AutoCloseable> dead) {
        Effects effects = new Effects();
        MortalStore store = new MortalStore(place.open(), death, effects::silence);
        dead.push(store);
        for (Program program : programs) {
            lives.computeIfAbsent(program.name(), _ -> new ArrayList<>())
                    .add(new Life(history(store, program), effects));
        }
        List<WorkflowDefinition> definitions =
                programs.stream().map(program -> program.in(effects)).toList();
        Engine engine = Engine.over(store, definitions.toArray(WorkflowDefinition[]::new));
        dead.push(engine);
        CompletableFuture<Boolean> lived = CompletableFuture.supplyAsync(
                        () -> {
                            awaitAll(engine, definitions);
                            return false;
                        },
                        Thread::startVirtualThread)
                // Who is served by the dying may hear of it before the death is known.
                .exceptionallyCompose(
                        thrown -> store.isDoomed() ? store.death() : CompletableFuture.failedFuture(thrown));
        boolean died = (Boolean) CompletableFuture.anyOf(store.death(), lived).join();
        if (died) {
            store.awaitQuiet();
            store.release();
            place.endLeases();
        } else {
            close(dead.pop());
            close(dead.pop());
        }
        return !died;
    }

    private void awaitAll(Engine engine, List<WorkflowDefinition> definitions) {
        List<Run<Json>> runs = definitions.stream()
                .map(definition -> engine.start(
                        definition,
                        INPUT,
                        StartOptions.defaults()
                                .idempotencyKey(key(definition.name().value()))))
                .toList();
        for (int number = 0; number < runs.size(); number++) {
            Run<Json> run = runs.get(number);
            programs.get(number).course().signals().forEach((event, payload) -> signal(engine, run, event, payload));
        }
        for (Run<Json> run : runs) {
            tolerating(ErrorCode.RUN_FAILED, () -> run.result(patience));
        }
    }

    private static void signal(Engine engine, Run<Json> run, String event, String payload) {
        tolerating(ErrorCode.RUN_ENDED, () -> engine.signal(run.id(), event, Json.of(payload), event));
    }

    private static void tolerating(ErrorCode code, Runnable call) {
        try {
            call.run();
        } catch (PerdureException e) {
            if (e.code() != code) {
                throw e;
            }
        }
    }

    /** What a database has of a program's run: nothing before its start. */
    private List<Recorded> history(Store store, Program program) {
        return store.runOf(TenantId.DEFAULT, new WorkflowName(program.name()), new IdempotencyKey(key(program.name())))
                .map(run -> store.history(TenantId.DEFAULT, run, 0, MOST_EVENTS))
                .orElse(List.of());
    }

    /** One database sees many seeds. */
    private String key(String program) {
        return seed + "-" + program;
    }

    private Tally judged(Store store, int deaths) {
        long completed = 0;
        for (Program program : programs) {
            List<Recorded> history = history(store, program);
            try {
                new Verdict(program, history, lives.getOrDefault(program.name(), List.of())).pass();
            } catch (AssertionError e) {
                throw new AssertionError(
                        "-D%s=%d, after %d deaths, %s with the history %s: %s"
                                .formatted(Seeds.PROPERTY, seed, deaths, program, history, e.getMessage()),
                        e);
            }
            completed += Verdict.isCompleted(history) ? 1 : 0;
        }
        return new Tally(deaths, completed, programs.size() - completed);
    }

    private static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
