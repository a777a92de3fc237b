package io.perdure.server;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How {@link PerdureServer} is started. What is out of bounds is {@code PD-610}.
 *
 * @param store the URL of the store that is served
 * @param host the address to listen on; anything but a loopback address needs a key, and TLS or a proxy that has it
 * @param port 0 for any that is free
 * @param tls certificate and key to speak TLS with; absent for plain HTTP
 * @param behindProxy whether a proxy that ends TLS is all that can reach the server
 * @param drain how long requests under way may take when the server closes
 * @param maxRetentionDays most days that an ended run is kept
 * @param sweeperInterval how often runs whose retention is over are looked for
 * @param maxBodyBytes largest body of a request
 * @param maxWaiting how many requests may wait for something to happen at once
 * @param maxRequests how many requests that carry a body or write may be under way at once, besides those that wait
 * @param otlpEndpoint the collector that spans are sent to, over OTLP/HTTP; absent where none are
 */
public record ServerOptions(
        String store,
        String host,
        int port,
        @Nullable Tls tls,
        boolean behindProxy,
        Duration drain,
        int maxRetentionDays,
        Duration sweeperInterval,
        int maxBodyBytes,
        int maxWaiting,
        int maxRequests,
        @Nullable URI otlpEndpoint) {
    private static final int MOST_PORT = 65_535;
    private static final int MIB = 1024 * 1024;
    private static final int MOST_BODY_BYTES = 1024 * MIB;
    private static final int MOST_WAITING = 1_000_000;
    private static final int MOST_REQUESTS = 1_000_000;
    private static final Duration LONGEST = Duration.ofDays(365);

    /** The files, in PEM, of a certificate with those that vouch for it, and of its private key. */
    public record Tls(Path certificate, Path privateKey) {}

    public ServerOptions {
        require(!store.isBlank(), "store", "it is empty");
        require(!host.isBlank(), "host", "it is empty");
        within("port", port, 0, MOST_PORT);
        within("maxRetentionDays", maxRetentionDays, 1, Limits.defaults().runs().retentionDaysCeiling());
        within("maxBodyBytes", maxBodyBytes, 1, MOST_BODY_BYTES);
        within("maxWaiting", maxWaiting, 1, MOST_WAITING);
        within("maxRequests", maxRequests, 1, MOST_REQUESTS);
        require(!drain.isNegative() && drain.compareTo(LONGEST) <= 0, "drain", drain + " is not from 0 to 365 days");
        require(
                sweeperInterval.isPositive() && sweeperInterval.compareTo(LONGEST) <= 0,
                "sweeperInterval",
                sweeperInterval + " is not more than 0 and at most 365 days");
        require(
                otlpEndpoint == null || isHttp(otlpEndpoint),
                "otlpEndpoint",
                otlpEndpoint + " is no http or https URL such as http://localhost:4318");
    }

    /** What holds unless said otherwise: this machine only, port 7450, plain HTTP. */
    public static ServerOptions of(String store) {
        return new ServerOptions(
                store,
                "127.0.0.1",
                7450,
                null,
                false,
                Duration.ofSeconds(30),
                Limits.defaults().runs().retentionDaysMax(),
                Duration.ofMinutes(5),
                8 * MIB,
                10_000,
                2_000,
                null);
    }

    /** The same at another address. */
    public ServerOptions host(String other) {
        return new ServerOptions(
                store,
                other,
                port,
                tls,
                behindProxy,
                drain,
                maxRetentionDays,
                sweeperInterval,
                maxBodyBytes,
                maxWaiting,
                maxRequests,
                otlpEndpoint);
    }

    /** The same at another port; 0 for any that is free. */
    public ServerOptions port(int other) {
        return new ServerOptions(
                store,
                host,
                other,
                tls,
                behindProxy,
                drain,
                maxRetentionDays,
                sweeperInterval,
                maxBodyBytes,
                maxWaiting,
                maxRequests,
                otlpEndpoint);
    }

    /** The same, speaking TLS. */
    public ServerOptions tls(Path certificate, Path privateKey) {
        return new ServerOptions(
                store,
                host,
                port,
                new Tls(certificate, privateKey),
                behindProxy,
                drain,
                maxRetentionDays,
                sweeperInterval,
                maxBodyBytes,
                maxWaiting,
                maxRequests,
                otlpEndpoint);
    }

    /** The same, reached only through a proxy that ends TLS, or not. */
    public ServerOptions behindProxy(boolean is) {
        return new ServerOptions(
                store,
                host,
                port,
                tls,
                is,
                drain,
                maxRetentionDays,
                sweeperInterval,
                maxBodyBytes,
                maxWaiting,
                maxRequests,
                otlpEndpoint);
    }

    /** The same with so long for requests under way to end when the server closes. */
    public ServerOptions drain(Duration atMost) {
        return new ServerOptions(
                store,
                host,
                port,
                tls,
                behindProxy,
                atMost,
                maxRetentionDays,
                sweeperInterval,
                maxBodyBytes,
                maxWaiting,
                maxRequests,
                otlpEndpoint);
    }

    /** The same, where no ended run is kept for more than so many days. */
    public ServerOptions maxRetentionDays(int days) {
        return new ServerOptions(
                store,
                host,
                port,
                tls,
                behindProxy,
                drain,
                days,
                sweeperInterval,
                maxBodyBytes,
                maxWaiting,
                maxRequests,
                otlpEndpoint);
    }

    /** The same, where runs whose retention is over are looked for so often. */
    public ServerOptions sweeperInterval(Duration rest) {
        return new ServerOptions(
                store,
                host,
                port,
                tls,
                behindProxy,
                drain,
                maxRetentionDays,
                rest,
                maxBodyBytes,
                maxWaiting,
                maxRequests,
                otlpEndpoint);
    }

    /** The same with bodies of at most so many bytes. */
    public ServerOptions maxBodyBytes(int bytes) {
        return new ServerOptions(
                store,
                host,
                port,
                tls,
                behindProxy,
                drain,
                maxRetentionDays,
                sweeperInterval,
                bytes,
                maxWaiting,
                maxRequests,
                otlpEndpoint);
    }

    /** The same with so many requests that wait at once. */
    public ServerOptions maxWaiting(int requests) {
        return new ServerOptions(
                store,
                host,
                port,
                tls,
                behindProxy,
                drain,
                maxRetentionDays,
                sweeperInterval,
                maxBodyBytes,
                requests,
                maxRequests,
                otlpEndpoint);
    }

    /** The same with so many requests under way at once that carry a body or write. */
    public ServerOptions maxRequests(int requests) {
        return new ServerOptions(
                store,
                host,
                port,
                tls,
                behindProxy,
                drain,
                maxRetentionDays,
                sweeperInterval,
                maxBodyBytes,
                maxWaiting,
                requests,
                otlpEndpoint);
    }

    /** The same, where spans of runs, steps and signals are sent to this collector; only by HTTP. */
    public ServerOptions otlpEndpoint(URI endpoint) {
        return new ServerOptions(
                store,
                host,
                port,
                tls,
                behindProxy,
                drain,
                maxRetentionDays,
                sweeperInterval,
                maxBodyBytes,
                maxWaiting,
                maxRequests,
                endpoint);
    }

    private static boolean isHttp(URI url) {
        String scheme = url.getScheme();
        return url.getHost() != null && ("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme));
    }

    private static void within(String setting, int value, int least, int most) {
        require(value >= least && value <= most, setting, value + " is not from " + least + " to " + most);
    }

    private static void require(boolean holds, String setting, String why) {
        if (!holds) {
            throw new InvalidValueException(
                    ErrorCode.SERVER_SETTINGS, "Setting \"%s\" cannot be taken: %s.".formatted(setting, why));
        }
    }
}
