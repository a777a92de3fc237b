package io.perdure.server.worker;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.perdure.core.Perdure;
import io.perdure.core.workflow.WorkerDesk;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.RemoteLimits;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.logging.LogKey;
import io.perdure.sdk.wire.ClaimJson;
import io.perdure.sdk.wire.CommitJson;
import io.perdure.sdk.wire.Poll;
import io.perdure.sdk.wire.Presence;
import io.perdure.sdk.wire.Terms;
import io.perdure.sdk.worker.Held;
import io.perdure.server.http.Bodies;
import io.perdure.server.http.Caller;
import io.perdure.server.http.Gate;
import io.perdure.server.http.Percent;
import io.perdure.server.http.Problems;
import io.perdure.server.http.Release;
import io.perdure.server.http.RequestFigures;
import io.perdure.server.http.RequestLog;
import io.perdure.server.http.UnderWay;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The port of a worker over HTTP, to be registered under {@code /v1/worker}. What each request and answer looks like is told by
 * {@code io.perdure.sdk.wire}. Requests that wait are answered when this is closed, which is to be done before the server is stopped.
 */
public final class WorkerRoutes implements HttpService, AutoCloseable {
    /** Where these routes belong. */
    public static final String PATH = "/v1/worker";

    private static final HeaderName PROTOCOL = HeaderNames.create(Terms.PROTOCOL_HEADER);
    private static final HeaderName WORKER = HeaderNames.create(Terms.WORKER_HEADER);
    private static final RemoteLimits LIMITS = Limits.defaults().remote();

    private final Function<TenantId, Perdure> engines;
    private final Gate gate;
    private final Set<Integer> protocols;
    private final WaitingWorkers waiters;
    private final HintBoxes boxes;
    private final UnderWay underWay;
    private final Claims claims;
    private final Map<Perdure, WorkerDesk> desks = new ConcurrentHashMap<>();

    /**
     * Serves the engine of each caller's tenant, as far as the gate lets callers in.
     *
     * @param underWay what commits count in; all else is small, and keeps runs with their workers when there is much to do
     */
    public WorkerRoutes(Function<TenantId, Perdure> engines, Gate gate, UnderWay underWay) {
        this(engines, gate, underWay, new SystemEnvironment(), Set.of(Terms.PROTOCOL));
    }

    WorkerRoutes(
            Function<TenantId, Perdure> engines,
            Gate gate,
            UnderWay underWay,
            Environment environment,
            Set<Integer> protocols) {
        this.engines = engines;
        this.gate = gate;
        this.underWay = underWay;
        this.protocols = Set.copyOf(protocols);
        this.waiters = new WaitingWorkers(environment);
        this.boxes = new HintBoxes(waiters);
        this.claims = new Claims(waiters);
    }

    /**
     * One thing that a worker can ask for.
     *
     * @param path below {@link #PATH}
     * @param id the name in the OpenAPI document and in metrics
     */
    record Route(String method, String path, String id, Handler handler) {}

    /** Returns all that a worker can ask for. */
    List<Route> routes() {
        return List.of(
                new Route("GET", "/", "workerTerms", this::terms),
                new Route("POST", "/claim", "workerClaim", this::claim),
                new Route("POST", "/commits", "workerCommits", this::commit),
                new Route("POST", "/mailbox", "workerMailbox", this::mailbox),
                new Route("POST", "/extend", "workerExtend", this::extend),
                new Route("POST", "/watch", "workerWatch", this::watch),
                new Route("POST", "/announce", "workerAnnounce", this::announce),
                new Route("POST", "/withdraw", "workerWithdraw", this::withdraw));
    }

    @Override
    public void routing(HttpRules rules) {
        Set<List<String>> parts = routes().stream()
                .map(route -> Percent.parts(route.path().equals("/") ? PATH : PATH + route.path()))
                .collect(Collectors.toUnmodifiableSet());
        rules.any((request, response) -> requireWrittenOut(parts, request, response));
        for (Route route : routes()) {
            rules.route(Method.create(route.method()), route.path(), RequestFigures.named(route.id(), route.handler()))
                    .any(route.path(), Problems.onlyAllows(route.method()));
        }
    }

    /**
     * Lets only requests on whose path has exactly the parts of a route. The web server matches paths after it has decoded them and has dropped their
     * parameters and dot segments: an encoded slash would separate parts.
     */
    private static void requireWrittenOut(Set<List<String>> parts, ServerRequest request, ServerResponse response) {
        String path = request.prologue().uriPath().rawPath();
        if (!parts.contains(Percent.parts(path))) {
            throw new RefusedException(
                    ErrorCode.NO_SUCH_ROUTE,
                    "%s %s is nothing that this server answers."
                            .formatted(request.prologue().method(), path));
        }
        response.next();
    }

    private Visit admit(ServerRequest request) {
        Caller caller = caller(request);
        requireProtocol(request);
        String worker = request.headers()
                .first(WORKER)
                .orElseThrow(() -> new RefusedException(
                        ErrorCode.PROTOCOL_MISMATCH, "The request has no header " + Terms.WORKER_HEADER + "."));
        return new Visit(new HintBoxes.Owner(caller.tenant(), ProcessId.parse(worker)), desk(caller));
    }

    private Caller caller(ServerRequest request) {
        Caller caller = gate.admit(request);
        caller.require(Role.WORKER);
        RequestLog.say(LogKey.TENANT, caller.tenant().value());
        return caller;
    }

    private WorkerDesk desk(Caller caller) {
        return desks.computeIfAbsent(engines.apply(caller.tenant()), Perdure::desk);
    }

    private void requireProtocol(ServerRequest request) {
        String spoken = request.headers().first(PROTOCOL).orElse("none");
        if (protocols.stream().noneMatch(known -> Integer.toString(known).equals(spoken))) {
            throw new RefusedException(
                    ErrorCode.PROTOCOL_MISMATCH,
                    "The worker speaks protocol %s; this server (%s) speaks %s."
                            .formatted(spoken, Release.running(), new TreeSet<>(protocols)));
        }
    }

    private void terms(ServerRequest request, ServerResponse response) {
        Caller caller = caller(request);
        Bodies.send(
                response, new Terms(protocols, Release.running(), desk(caller).lease()).json());
    }

    private void claim(ServerRequest request, ServerResponse response) throws InterruptedException {
        Visit visit = admit(request);
        Json body = Bodies.json(request, LIMITS.smallRequestBytes());
        Json answer = claims.claim(
                visit,
                ClaimJson.claim(body),
                bounded(ClaimJson.wait(body)),
                boxes.find(visit.owner()),
                ClaimJson.received(body));
        Bodies.send(response, answer);
    }

    private static Duration bounded(Duration wait) {
        return wait.compareTo(LIMITS.waitMax()) < 0 ? wait : LIMITS.waitMax();
    }

    private void commit(ServerRequest request, ServerResponse response) {
        Visit visit = admit(request);
        List<Json> answers;
        try (UnderWay.Place place = underWay.enter(visit.owner().tenant())) {
            Json body = Bodies.json(request, LIMITS.requestBytes(), place);
            List<Json> commits = CommitJson.list(body, "commits", LIMITS.requestCommits());
            answers = Commits.answers(
                    visit.desk(), commits, run -> boxes.find(visit.owner()).ifPresent(box -> box.letsGo(run)));
        }
        // Whoever is slow to read the answer has no place any more.
        Bodies.send(response, CommitJson.list("answers", answers));
    }

    private void mailbox(ServerRequest request, ServerResponse response) {
        Visit visit = admit(request);
        Held held = ClaimJson.held(Bodies.json(request, LIMITS.smallRequestBytes()));
        Json mailbox = visit.desk().mailbox(held).map(ClaimJson::write).orElse(null);
        Bodies.send(response, JsonObject.builder().put("mailbox", mailbox).build());
    }

    private void extend(ServerRequest request, ServerResponse response) {
        Visit visit = admit(request);
        List<Held> leases = ClaimJson.leases(Bodies.json(request, LIMITS.extendBytes()), "leases");
        List<Held> lost = visit.desk().extend(leases);
        boxes.find(visit.owner())
                .ifPresent(box -> box.holds(leases.stream().map(Held::run).toList()));
        Bodies.send(response, ClaimJson.write("lost", lost));
    }

    private void watch(ServerRequest request, ServerResponse response) throws InterruptedException {
        Visit visit = admit(request);
        Poll poll = Poll.read(Bodies.json(request, LIMITS.smallRequestBytes()));
        Bodies.send(
                response,
                boxes.poll(visit.owner(), visit.desk(), poll, bounded(poll.atMost()))
                        .json());
    }

    private void announce(ServerRequest request, ServerResponse response) {
        Visit visit = admit(request);
        Presence presence = Presence.read(Bodies.json(request, LIMITS.smallRequestBytes()));
        requireSame(visit, presence.worker());
        visit.desk().announce(presence.worker(), presence.name(), presence.served(), presence.concurrency());
        Bodies.send(response, Json.NULL);
    }

    private void withdraw(ServerRequest request, ServerResponse response) {
        Visit visit = admit(request);
        Bodies.jsonIfAny(request, LIMITS.smallRequestBytes(), UnderWay.UNCOUNTED)
                .flatMap(body -> JsonObject.parse(body).get("worker"))
                .ifPresent(worker -> requireSame(visit, ProcessId.parse(worker.content())));
        visit.desk().withdraw(visit.owner().worker());
        boxes.forget(visit.owner());
        Bodies.send(response, Json.NULL);
    }

    private static void requireSame(Visit visit, ProcessId worker) {
        if (!worker.equals(visit.owner().worker())) {
            throw InvalidValueException.ofField("worker", "is another one than the header names.");
        }
    }

    /** How many requests of workers wait for something to happen. */
    public int waiting() {
        return waiters.count();
    }

    /** Answers those who wait, and hears no hints any more. */
    @Override
    public void close() {
        waiters.close();
        boxes.close();
    }
}
