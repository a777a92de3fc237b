package io.perdure.server.http;

import io.helidon.common.socket.SocketOptions;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How connections are set up. The end of an answer is sent at once: it would wait until the caller has confirmed the beginning otherwise, up to 40 ms. And whoever stops
 * in the middle of its headers, or says nothing at all, is left after a while; the web server has a setting for that, but does not apply it to connections that it accepts.
 */
public final class ConnectionOptions implements SocketOptions {
    private final SocketOptions usual;

    /**
     * For the connections of a server that does not read by channels, which know no timeouts.
     *
     * @param quietWithin how long may pass between two bytes that are to be read
     */
    public ConnectionOptions(Duration quietWithin) {
        this.usual = SocketOptions.builder()
                .tcpNoDelay(true)
                .readTimeout(quietWithin)
                .build();
    }

    @Override
    public void configureSocket(SocketChannel channel) {
        usual.configureSocket(channel);
        try {
            channel.socket().setSoTimeout(Math.toIntExact(readTimeout().toMillis()));
        } catch (SocketException e) {
            throw new UncheckedIOException("A connection was closed before it could be set up.", e);
        }
    }

    @Override
    public Map<SocketOption<?>, Object> socketOptions() {
        return usual.socketOptions();
    }

    @Override
    public Duration connectTimeout() {
        return usual.connectTimeout();
    }

    @Override
    public Duration readTimeout() {
        return usual.readTimeout();
    }

    @Override
    public Optional<Integer> socketReceiveBufferSize() {
        return usual.socketReceiveBufferSize();
    }

    @Override
    public Optional<Integer> socketSendBufferSize() {
        return usual.socketSendBufferSize();
    }

    @Override
    public boolean socketReuseAddress() {
        return usual.socketReuseAddress();
    }

    @Override
    public boolean socketKeepAlive() {
        return usual.socketKeepAlive();
    }

    @Override
    public boolean tcpNoDelay() {
        return usual.tcpNoDelay();
    }
}
