package io.perdure.client;

import io.perdure.sdk.worker.Registry;

/** The work that this process does on a server's runs. */
interface RemoteWork extends AutoCloseable {
    /** How it is begun. */
    interface Beginning {
        /**
         * Begins to work on runs.
         *
         * @param transport by which the server is asked; stays open after the work is over
         * @param registry what there is code for, at least one
         */
        RemoteWork begin(Transport transport, Registry registry, ConnectOptions options);
    }

    /** Begins to work on a server's runs. */
    static RemoteWork begin(Transport transport, Registry registry, ConnectOptions options) {
        return RemoteWorker.start(new RemoteWorker.Setup(
                transport,
                registry,
                options.codec(),
                options.limits(),
                options.limits().workers().concurrency()));
    }

    /** How many runs are worked on now. */
    int working();

    /** Claims no more runs, and lets go of every run at its next step; does not wait for them. The time to drain begins. */
    void leave();

    /** Leaves, and returns when all runs are let go of. Interrupts steps that still run when the time to drain is over. */
    @Override
    void close();
}
