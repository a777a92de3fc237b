package io.perdure.server.http;

/** The connection that a request came by, for those who want to know when its caller closes it. Safe for many threads. */
public interface CallerConnection {
    /** The connection of the request that the current thread answers. Not bound where the server cannot see hang-ups; then no action runs. */
    ScopedValue<CallerConnection> CURRENT = ScopedValue.newInstance();

    /**
     * Runs the action once, on any thread, when the caller closes the connection; at once if that has happened already. The action returns at once and throws
     * nothing.
     *
     * @return what ends this: after it is closed the action does not begin any more
     */
    Registration onHangUp(Runnable action);

    /** Runs the action when the caller of the request that the current thread answers hangs up, if the server can see that. */
    static Registration whenCallerHangsUp(Runnable action) {
        return CURRENT.isBound() ? CURRENT.get().onHangUp(action) : () -> {};
    }

    /** An action that waits for a hang-up, until this is closed. Closing again does nothing. */
    @FunctionalInterface
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
