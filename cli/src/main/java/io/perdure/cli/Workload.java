package io.perdure.cli;

import io.perdure.core.store.Finding;
import io.perdure.core.store.Store;
import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.queue.QueueStatus;
import io.perdure.sdk.run.LiveWorker;
import io.perdure.sdk.run.RunCount;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What there is to do for one tenant, and who does it.
 *
 * @param whose what to say of a tenant that is not the usual one, with a blank before it
 * @param overdue whether a run is long past its deadline: nobody looks after the store
 */
record Workload(
        String whose,
        List<RunCount> runs,
        List<LiveWorker> workers,
        List<QueueStatus> queues,
        boolean overdue,
        Instant now) {
    private static final Duration LONG_OVERDUE = Duration.ofMinutes(10);
    private static final Duration LONG_READY = Duration.ofHours(1);

    static Workload of(Store store, TenantId tenant) {
        return new Workload(
                tenant.equals(TenantId.DEFAULT) ? "" : " of tenant " + tenant,
                store.runCounts(tenant),
                store.workers(tenant),
                store.queues(tenant).stream()
                        .flatMap(queue -> store
                                .figures(tenant, queue.name())
                                .map(figures -> new QueueStatus(queue.name(), queue.settings(), figures))
                                .stream())
                        .toList(),
                !store.overdue(tenant, LONG_OVERDUE, 1).isEmpty(),
                store.now());
    }

    /** A server tells nothing of overdue runs, which it looks after itself. */
    static Workload of(Engine engine, Instant now) {
        return new Workload("", engine.runCounts(), engine.operations().workers(), engine.queues(), false, now);
    }

    /**
     * What is to be looked at.
     *
     * @param where what to add to a command so that it finds the same data
     */
    List<Finding> findings(String where) {
        List<Finding> findings = new ArrayList<>();
        String names = workers.stream().map(LiveWorker::name).sorted().collect(Collectors.joining(", "));
        findings.add(Finding.ok(
                "workers", workers.isEmpty() ? "None is alive" + whose + "." : "Alive%s: %s.".formatted(whose, names)));
        findings.addAll(parked(where));
        findings.addAll(unserved(where));
        queues.forEach(queue -> findings.addAll(queue(queue, where)));
        if (overdue) {
            findings.add(Finding.warning(
                    "deadlines",
                    "A run%s is more than %s minutes past its deadline, and was not cancelled."
                            .formatted(whose, LONG_OVERDUE.toMinutes()),
                    "Look whether a worker or a server runs over this store, and what its log says of sweeping."));
        }
        return findings;
    }

    private long count(RunStatus status) {
        return runs.stream()
                .filter(count -> count.status() == status)
                .mapToLong(RunCount::count)
                .sum();
    }

    private List<Finding> parked(String where) {
        long parked = count(RunStatus.PARKED);
        return List.of(
                parked == 0
                        ? Finding.ok(
                                "runs",
                                "%s running%s, none parked.".formatted(Units.count(count(RunStatus.RUNNING)), whose))
                        : Finding.warning(
                                "runs",
                                "%s parked%s: they go on only when somebody helps."
                                        .formatted(Units.count(parked), whose),
                                "Run perdure runs list --status parked" + where + "."));
    }

    private List<Finding> unserved(String where) {
        String waiting = runs.stream()
                .filter(count -> count.status() == RunStatus.RUNNING && count.count() > 0)
                .filter(count -> workers.stream()
                        .flatMap(worker -> worker.served().stream())
                        .noneMatch(served -> served.workflow().equals(count.workflow())))
                .map(count -> "%s of %s".formatted(Units.count(count.count()), count.workflow()))
                .sorted()
                .collect(Collectors.joining(", "));
        return waiting.isEmpty()
                ? List.of()
                : List.of(Finding.warning(
                        "unserved",
                        "Runs%s have no worker: %s.".formatted(whose, waiting),
                        "Start a worker that has their code. Run perdure runs list --waiting" + where + "."));
    }

    private List<Finding> queue(QueueStatus queue, String where) {
        if (queue.name().holdsDeadLetters()) {
            return queue.figures().depth() == 0
                    ? List.of()
                    : List.of(Finding.warning(
                            "dead letters",
                            "%s in queue \"%s\"%s."
                                    .formatted(
                                            Units.count(queue.figures().depth()),
                                            queue.name().origin(),
                                            whose),
                            "Run perdure dlq list %s%s.".formatted(queue.name().origin(), where)));
        }
        Instant oldest = queue.figures().oldest();
        return oldest == null || Duration.between(oldest, now).compareTo(LONG_READY) < 0
                ? List.of()
                : List.of(Finding.warning(
                        "queues",
                        "%s ready in queue \"%s\"%s, the oldest since %s: nobody seems to receive them."
                                .formatted(Units.count(queue.figures().ready()), queue.name(), whose, oldest),
                        "Start a consumer. Run perdure queue show %s%s.".formatted(queue.name(), where)));
    }
}
