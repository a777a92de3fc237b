package io.perdure.client;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.WorkflowCodeException;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.logging.Logs;
import io.perdure.sdk.wire.Presence;
import io.perdure.sdk.wire.Terms;
import io.perdure.sdk.worker.Follower;
import io.perdure.sdk.worker.LoggedRuns;
import io.perdure.sdk.worker.Registry;
import io.perdure.sdk.worker.Worker;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Works on the runs of a server: the very worker that an engine has in its own process, over another port. While the server is away it goes on with
 * nothing new, and takes up its work by itself when the server is back.
 */
final class RemoteWorker implements RemoteWork {
    private static final System.Logger LOG = Logs.of(RemoteWorker.class);

    /** Nobody in this process waits for what becomes of a run. */
    private static final Follower NOBODY = new Follower() {
        @Override
        public void ended(RunStatus status, @Nullable Json output, @Nullable Failure error) {}

        @Override
        public void left() {}
    };

    private final Worker worker;
    private final RemoteBackend backend;
    private final Announcer announcer;

    /**
     * What a worker works with.
     *
     * @param registry what it has code for
     * @param concurrency how many runs it works on at once
     * @param protocols the versions of the protocol that it speaks
     */
    record Setup(
            Transport transport,
            Registry registry,
            Codec codec,
            Limits limits,
            int concurrency,
            Set<Integer> protocols) {
        Setup(Transport transport, Registry registry, Codec codec, Limits limits, int concurrency) {
            this(transport, registry, codec, limits, concurrency, Set.of(Terms.PROTOCOL));
        }
    }

    private RemoteWorker(Worker worker, RemoteBackend backend, Announcer announcer) {
        this.worker = worker;
        this.backend = backend;
        this.announcer = announcer;
    }

    /**
     * Begins to claim and work. Throws what the server refuses the worker for: a key that is not valid ({@code PD-601}, {@code PD-602}), releases that are too
     * far apart, or no server of ours ({@code PD-604}); {@code PD-507} where no workflow is registered. A server that is away, or has too much to do, is waited
     * for. One that is there knows of the worker when this returns.
     */
    static RemoteWorker start(Setup setup) {
        if (setup.registry().isEmpty()) {
            throw new WorkflowCodeException(ErrorCode.REGISTRATION, "No workflow is registered.");
        }
        Environment environment = setup.transport().environment();
        ProcessId id = environment.ids().processId();
        Agreement agreement = new Agreement(setup.transport(), id, setup.limits(), setup.protocols());
        boolean there = agrees(agreement);
        RemoteBackend backend =
                new RemoteBackend(agreement, environment, setup.registry().served(), setup.limits());
        Announcer announcer = new Announcer(
                agreement,
                environment,
                new Presence(id, environment.processName(), setup.registry().served(), setup.concurrency()),
                setup.limits().upkeep().announceEvery());
        try {
            announcer.start(there);
            Worker worker = Worker.start(new Worker.Setup(
                    backend,
                    setup.registry(),
                    setup.codec(),
                    environment,
                    setup.limits(),
                    setup.concurrency(),
                    LoggedRuns.ifSetUp(),
                    _ -> NOBODY));
            return new RemoteWorker(worker, backend, announcer);
        } catch (RuntimeException | Error e) {
            announcer.close();
            backend.close();
            throw e;
        }
    }

    /** Whether the server is there to agree with; throws where it is, and they do not agree. */
    private static boolean agrees(Agreement agreement) {
        try {
            agreement.agree();
            return true;
        } catch (PerdureException e) {
            if (!(e instanceof StoreException) && e.code() != ErrorCode.TOO_MANY_REQUESTS) {
                throw e;
            }
            LOG.log(System.Logger.Level.WARNING, "The server is waited for. " + e.getMessage());
            return false;
        }
    }

    @Override
    public int working() {
        return worker.working();
    }

    @Override
    public void leave() {
        worker.leave();
    }

    /** Claims no more, says so, lets go of every run at its next step, and sends what is left to send. */
    @Override
    public void close() {
        worker.leave();
        announcer.close();
        worker.close();
        backend.close();
    }
}
