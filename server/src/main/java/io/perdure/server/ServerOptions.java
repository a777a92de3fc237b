package io.perdure.server;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.Limits;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
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
 * @param maxRunEvents most events in the history of one run
 * @param maxRunBytes most bytes of history and waiting signals that a run goes on with
 * @param sweeperInterval how often runs whose retention is over are looked for
 * @param maxBodyBytes largest body of a request
 * @param maxWaiting how many requests may wait for something to happen at once
 * @param maxRequests how many requests that carry a body or write may be under way at once, besides those that wait
 * @param otlpEndpoint the collector that spans are sent to, over OTLP/HTTP; absent where none are
 * @param otlpHeaders what it is sent with every request
 */
public record ServerOptions(
        String store,
        String host,
        int port,
        @Nullable Tls tls,
        boolean behindProxy,
        Duration drain,
        int maxRetentionDays,
        int maxRunEvents,
        int maxRunBytes,
        Duration sweeperInterval,
        int maxBodyBytes,
        int maxWaiting,
        int maxRequests,
        @Nullable URI otlpEndpoint,
        OtlpHeaders otlpHeaders) {
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
        within("maxRunEvents", maxRunEvents, 1, Limits.defaults().runs().eventsCeiling());
        within("maxRunBytes", maxRunBytes, 1, Limits.defaults().runs().readBytesCeiling());
        within("maxBodyBytes", maxBodyBytes, 1, MOST_BODY_BYTES);
        within("maxWaiting", maxWaiting, 1, MOST_WAITING);
        within("maxRequests", maxRequests, 1, MOST_REQUESTS);
        require(!drain.isNegative() && drain.compareTo(LONGEST) <= 0, "drain", drain + " is not from 0 to 365 days");
        require(
                sweeperInterval.isPositive() && sweeperInterval.compareTo(LONGEST) <= 0,
                "sweeperInterval",
                sweeperInterval + " is not more than 0 and at most 365 days");
        require(
                otlpEndpoint == null
                        || !String.valueOf(otlpEndpoint.getRawAuthority()).contains("@"),
                "otlpEndpoint",
                "A URL with a user or a password is not taken, because these would not be sent; a header can be");
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
                Limits.defaults().runs().events(),
                Limits.defaults().runs().readBytes(),
                Duration.ofMinutes(5),
                8 * MIB,
                10_000,
                2_000,
                null,
                OtlpHeaders.NONE);
    }

    /** The same at another address. */
    public ServerOptions host(String other) {
        return with(draft -> draft.host = other);
    }

    /** The same at another port; 0 for any that is free. */
    public ServerOptions port(int other) {
        return with(draft -> draft.port = other);
    }

    /** The same, speaking TLS. */
    public ServerOptions tls(Path certificate, Path privateKey) {
        return with(draft -> draft.tls = new Tls(certificate, privateKey));
    }

    /** The same, reached only through a proxy that ends TLS, or not. */
    public ServerOptions behindProxy(boolean is) {
        return with(draft -> draft.behindProxy = is);
    }

    /** The same with so long for requests under way to end when the server closes. */
    public ServerOptions drain(Duration atMost) {
        return with(draft -> draft.drain = atMost);
    }

    /** The same, where no ended run is kept for more than so many days. */
    public ServerOptions maxRetentionDays(int days) {
        return with(draft -> draft.maxRetentionDays = days);
    }

    /** The same, where the history of a run has at most so many events. */
    public ServerOptions maxRunEvents(int events) {
        return with(draft -> draft.maxRunEvents = events);
    }

    /** Returns options with the most bytes of history and waiting signals that a run may go on with. */
    public ServerOptions maxRunBytes(int bytes) {
        return with(draft -> draft.maxRunBytes = bytes);
    }

    /** The same, where runs whose retention is over are looked for so often. */
    public ServerOptions sweeperInterval(Duration rest) {
        return with(draft -> draft.sweeperInterval = rest);
    }

    /** The same with bodies of at most so many bytes. */
    public ServerOptions maxBodyBytes(int bytes) {
        return with(draft -> draft.maxBodyBytes = bytes);
    }

    /** The same with so many requests that wait at once. */
    public ServerOptions maxWaiting(int requests) {
        return with(draft -> draft.maxWaiting = requests);
    }

    /** The same with so many requests under way at once that carry a body or write. */
    public ServerOptions maxRequests(int requests) {
        return with(draft -> draft.maxRequests = requests);
    }

    /** The same, where spans of runs, steps and signals are sent to this collector; only by HTTP. */
    public ServerOptions otlpEndpoint(URI endpoint) {
        return with(draft -> draft.otlpEndpoint = endpoint);
    }

    /** The same, where that collector is sent these headers, such as its key. */
    public ServerOptions otlpHeaders(OtlpHeaders headers) {
        return with(draft -> draft.otlpHeaders = headers);
    }

    private ServerOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options();
    }

    /** The options while one of them is changed. */
    private static final class Draft {
        private final String store;
        private String host;
        private int port;
        private @Nullable Tls tls;
        private boolean behindProxy;
        private Duration drain;
        private int maxRetentionDays;
        private int maxRunEvents;
        private int maxRunBytes;
        private Duration sweeperInterval;
        private int maxBodyBytes;
        private int maxWaiting;
        private int maxRequests;
        private @Nullable URI otlpEndpoint;
        private OtlpHeaders otlpHeaders;

        Draft(ServerOptions from) {
            store = from.store;
            host = from.host;
            port = from.port;
            tls = from.tls;
            behindProxy = from.behindProxy;
            drain = from.drain;
            maxRetentionDays = from.maxRetentionDays;
            maxRunEvents = from.maxRunEvents;
            maxRunBytes = from.maxRunBytes;
            sweeperInterval = from.sweeperInterval;
            maxBodyBytes = from.maxBodyBytes;
            maxWaiting = from.maxWaiting;
            maxRequests = from.maxRequests;
            otlpEndpoint = from.otlpEndpoint;
            otlpHeaders = from.otlpHeaders;
        }

        ServerOptions options() {
            return new ServerOptions(
                    store,
                    host,
                    port,
                    tls,
                    behindProxy,
                    drain,
                    maxRetentionDays,
                    maxRunEvents,
                    maxRunBytes,
                    sweeperInterval,
                    maxBodyBytes,
                    maxWaiting,
                    maxRequests,
                    otlpEndpoint,
                    otlpHeaders);
        }
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
