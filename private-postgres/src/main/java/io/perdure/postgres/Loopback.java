package io.perdure.postgres;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** The only network that anything here listens on. */
final class Loopback {
    static final String HOST = "127.0.0.1";

    // Below the ports that systems give to outgoing connections: one of those could take the port while its server is
    // down.
    private static final int FIRST_PORT = 20_000;
    private static final int END_OF_PORTS = 32_000;
    private static final int MOST_TRIES = 1_000;

    private Loopback() {}

    /** A port that nobody has at the moment. */
    static int freePort() throws IOException {
        for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, END_OF_PORTS);
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(at(port));
                return port;
            } catch (BindException e) {
                // Taken: try another.
            }
        }
        throw new IOException(
                "No free port was found from %s to %s on %s.".formatted(FIRST_PORT, END_OF_PORTS - 1, HOST));
    }

    /** By its bytes, since the loopback address that Java prefers may be that of IPv6. */
    static InetSocketAddress at(int port) throws IOException {
        return new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port);
    }

    static String url(int port, String database) {
        return "jdbc:postgresql://%s:%s/%s?user=%s".formatted(HOST, port, database, PlainSession.USER);
    }
}
