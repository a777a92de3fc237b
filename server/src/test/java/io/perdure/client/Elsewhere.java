package io.perdure.client;

import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.wire.Terms;
import io.perdure.sdk.worker.Registry;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.net.URI;
import java.time.Duration;
import java.util.Set;

/** A worker at the other end of HTTP. */
public final class Elsewhere implements AutoCloseable {
    private final Transport transport;
    private final RemoteWorker worker;

    private Elsewhere(Transport transport, RemoteWorker worker) {
        this.transport = transport;
        this.worker = worker;
    }

    /** Works on the runs of the server at this port of the loopback. */
    public static Elsewhere working(int port, int concurrency, WorkflowDefinition... workflows) {
        return speaking(Set.of(Terms.PROTOCOL), port, concurrency, workflows);
    }

    /** The same with other versions of the protocol. */
    public static Elsewhere speaking(
            Set<Integer> protocols, int port, int concurrency, WorkflowDefinition... workflows) {
        return start(usual(), protocols, port, concurrency, workflows);
    }

    /** One that never asks by itself whether a run is still its own: that one was ended it learns by a hint, or not at all. */
    public static Elsewhere hinted(int port, int concurrency, WorkflowDefinition... workflows) {
        Limits usual = usual();
        Limits.Workers workers = usual.workers();
        Limits limits = usual.with(new Limits.Workers(
                workers.concurrency(),
                workers.concurrencyMax(),
                workers.turn(),
                workers.waitInMemory(),
                workers.completionWaits(),
                Duration.ofHours(1),
                workers.stepStartsWithin(),
                workers.drain(),
                workers.spareThreads()));
        return start(limits, Set.of(Terms.PROTOCOL), port, concurrency, workflows);
    }

    /** A worker that waits up to the given duration for steps in progress when it closes. */
    public static Elsewhere draining(Duration drain, int port, int concurrency, WorkflowDefinition... workflows) {
        return start(draining(drain), Set.of(Terms.PROTOCOL), port, concurrency, workflows);
    }

    private static Limits usual() {
        return draining(Duration.ofSeconds(1));
    }

    private static Limits draining(Duration drain) {
        Limits limits = Limits.defaults();
        return limits.with(limits.workers().drain(drain));
    }

    private static Elsewhere start(
            Limits limits, Set<Integer> protocols, int port, int concurrency, WorkflowDefinition... workflows) {
        Registry registry = new Registry();
        for (WorkflowDefinition workflow : workflows) {
            registry.add(workflow);
        }
        Transport transport =
                new Transport(URI.create("http://127.0.0.1:" + port), null, null, new SystemEnvironment());
        try {
            return new Elsewhere(
                    transport,
                    RemoteWorker.start(new RemoteWorker.Setup(
                            transport, registry, Codec.standard(), limits, concurrency, protocols)));
        } catch (RuntimeException e) {
            transport.close();
            throw e;
        }
    }

    /** How many runs it works on now. */
    public int runs() {
        return worker.working();
    }

    @Override
    public void close() {
        worker.close();
        transport.close();
    }
}
