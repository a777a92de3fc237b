package io.perdure.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A call that {@link StaticWorld} forbids, by its owner (subtypes are meant too), name and parameters.
 *
 * @param owner the type that declares the call; {@code *} is any
 * @param name which of its methods; {@code <init>} is the constructor
 * @param parameters which overloads
 * @param takes what the call takes from the static world
 */
record ForbiddenCall(String owner, Predicate<String> name, Predicate<List<String>> parameters, String takes) {
    private static final String CONSTRUCTOR = "<init>";
    private static final String ANYTHING = "*";
    private static final String TIME_UNIT = "java.util.concurrent.TimeUnit";

    private static final List<ForbiddenCall> ALL = List.of(
            every("time", "java.lang.System", "currentTimeMillis", "nanoTime"),
            every("time", "java.time.Clock", "system", "systemUTC", "systemDefaultZone"),
            every("time", "java.time.Clock", "tickMillis", "tickSeconds", "tickMinutes"),
            every("time", "java.time.InstantSource", "system"),
            every("time", "java.util.Calendar", "getInstance"),
            where("time", "java.util.Date", List::isEmpty, CONSTRUCTOR),
            now("java.time.Instant"),
            now("java.time.LocalDate"),
            now("java.time.LocalTime"),
            now("java.time.LocalDateTime"),
            now("java.time.ZonedDateTime"),
            now("java.time.OffsetDateTime"),
            now("java.time.OffsetTime"),
            now("java.time.Year"),
            now("java.time.YearMonth"),
            now("java.time.MonthDay"),
            every("randomness", "java.lang.Math", "random"),
            every("randomness", "java.lang.StrictMath", "random"),
            every("randomness", "java.util.random.RandomGenerator", "getDefault", "of"),
            where("randomness", "java.util.Random", List::isEmpty, CONSTRUCTOR),
            where("randomness", "java.util.SplittableRandom", List::isEmpty, CONSTRUCTOR),
            where("randomness", "java.util.Collections", parameters -> parameters.size() == 1, "shuffle"),
            every("an id", "java.util.UUID", "randomUUID"),
            every("a thread", "java.lang.Thread", CONSTRUCTOR, "start"),
            every("a thread", "java.lang.Thread", "ofVirtual", "ofPlatform", "startVirtualThread"),
            every("threads", "java.util.concurrent.ThreadPoolExecutor", CONSTRUCTOR),
            every("threads", "java.util.concurrent.ForkJoinPool", CONSTRUCTOR, "commonPool"),
            every("threads", "java.util.Collection", "parallelStream"),
            every("threads", "java.util.stream.BaseStream", "parallel"),
            new ForbiddenCall(
                    "java.util.concurrent.CompletionStage",
                    name -> name.endsWith("Async"),
                    parameters -> !parameters.contains("java.util.concurrent.Executor"),
                    "threads"),
            every("timed waiting", "java.lang.Thread", "sleep"),
            where("timed waiting", "java.lang.Thread", parameters -> !parameters.isEmpty(), "join"),
            where("timed waiting", ANYTHING, parameters -> parameters.contains("long"), "wait"),
            where("timed waiting", "java.lang.Process", parameters -> !parameters.isEmpty(), "waitFor"),
            every("timed waiting", "java.util.concurrent.locks.LockSupport", "parkNanos", "parkUntil"),
            every("timed waiting", "java.util.concurrent.locks.Condition", "awaitNanos", "awaitUntil"),
            every("timed waiting", TIME_UNIT, "sleep", "timedJoin", "timedWait"),
            // In java.util.concurrent a unit of time is given to nothing but waits: get, poll, await, tryLock,
            // orTimeout.
            new ForbiddenCall(ANYTHING, name -> true, parameters -> parameters.contains(TIME_UNIT), "timed waiting"));

    /** Types that are nothing but a source of time, randomness or threads. */
    private static final Set<String> TYPES = Set.of(
            "java.util.Timer",
            "java.util.TimerTask",
            "java.util.concurrent.DelayQueue",
            "java.util.concurrent.Executors",
            "java.util.concurrent.ScheduledExecutorService",
            "java.util.concurrent.ScheduledFuture",
            "java.util.concurrent.ScheduledThreadPoolExecutor",
            "java.util.concurrent.StructuredTaskScope",
            "java.util.concurrent.ThreadLocalRandom",
            "java.security.SecureRandom",
            "java.util.random.RandomGeneratorFactory");

    static boolean isForbiddenType(JavaClass type) {
        return TYPES.contains(type.getBaseComponentType().getName().replaceFirst("\\$.*", ""));
    }

    /** What a call takes from the static world; nothing for an innocent one. */
    static Optional<String> judge(JavaClass owner, String name, List<String> parameters) {
        // Conversions between units are arithmetic; its waits are listed by name.
        boolean arithmetic = owner.getName().equals(TIME_UNIT) && parameters.contains(TIME_UNIT);
        return ALL.stream()
                .filter(call -> !arithmetic)
                .filter(call -> call.name.test(name) && call.parameters.test(parameters))
                .filter(call -> call.owner.equals(ANYTHING) || owner.isAssignableTo(call.owner))
                .map(ForbiddenCall::takes)
                .findFirst();
    }

    private static ForbiddenCall every(String takes, String owner, String... names) {
        return where(takes, owner, parameters -> true, names);
    }

    private static ForbiddenCall where(
            String takes, String owner, Predicate<List<String>> parameters, String... names) {
        return new ForbiddenCall(owner, Set.of(names)::contains, parameters, takes);
    }

    /** A clock that was passed in may be asked; the system's may not. */
    private static ForbiddenCall now(String owner) {
        return where("time", owner, parameters -> !parameters.contains("java.time.Clock"), "now");
    }
}
