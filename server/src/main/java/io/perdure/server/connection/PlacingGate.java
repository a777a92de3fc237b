package io.perdure.server.connection;

import io.helidon.webserver.http.ServerRequest;
import io.perdure.server.http.Caller;
import io.perdure.server.http.Gate;

/**
 * Lets in whom another gate lets in, and gives the connection of each admitted caller a place of its own.
 *
 * @param gate decides
 */
public record PlacingGate(Gate gate) implements Gate {
    /** Returns who is asking; throws {@code PD-605} if there is no place for another connection of its tenant. */
    @Override
    public Caller admit(ServerRequest request) {
        Caller caller = gate.admit(request);
        Connection.current().ifPresent(connection -> connection.prove(caller.tenant()));
        return caller;
    }
}
