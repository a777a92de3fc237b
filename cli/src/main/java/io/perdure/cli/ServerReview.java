package io.perdure.cli;

import io.perdure.client.ConnectOptions;
import io.perdure.client.PerdureClient;
import io.perdure.core.store.Finding;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.wire.Terms;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks a server over, by questions alone: whether it is there, which it is, and what the key may do. */
final class ServerReview {
    /** A server that does not answer within this time counts as unreachable; a busy machine may stall for seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The header that tells its time has no fractions of a second. */
    private static final Duration CLOCK_SLACK = Duration.ofSeconds(5);

    private static final int OK = 200;
    private static final int NO_KEY = 401;

    private final URI url;
    private final @Nullable String key;
    private final InstantSource clock;
    private final List<Finding> findings = new ArrayList<>();

    ServerReview(String url, @Nullable String key, InstantSource clock) {
        try {
            this.url = URI.create(url.endsWith("/") ? url.substring(0, url.length() - 1) : url);
        } catch (IllegalArgumentException e) {
            throw new InvalidValueException(ErrorCode.USAGE, "\"%s\" is no URL of a server.".formatted(url), e);
        }
        if (!"http".equals(this.url.getScheme()) && !"https".equals(this.url.getScheme())) {
            throw new InvalidValueException(ErrorCode.USAGE, "\"%s\" is no URL of a server.".formatted(url));
        }
        this.key = key;
        this.clock = clock;
    }

    /** What is found of it, and of what there is to do behind it. */
    List<Finding> findings(String where) throws InterruptedException {
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
            HttpResponse<String> ready = get(http, "/readyz");
            findings.add(
                    ready.statusCode() == OK
                            ? Finding.ok("server", "%s is ready.".formatted(url))
                            : Finding.problem(
                                    "server",
                                    "%s answers %s to /readyz: it cannot reach its store, stops, or is no server of Perdure's."
                                            .formatted(url, ready.statusCode()),
                                    "Look at its log."));
            clock(ready);
            if (role(http)) {
                work(where);
            }
        } catch (IOException e) {
            findings.add(Finding.problem(
                    "server",
                    "%s cannot be reached: %s.".formatted(url, e),
                    "Look whether it runs, and whether the URL is right: https where it speaks TLS."));
        }
        return findings;
    }

    private HttpResponse<String> get(HttpClient http, String path) throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE);
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private void clock(HttpResponse<String> answer) {
        date(answer).ifPresent(there -> {
            Duration offset = Duration.between(clock.instant(), there);
            String found = "The server's clock says %s.".formatted(there);
            findings.add(
                    offset.abs().compareTo(CLOCK_SLACK) > 0
                            ? Finding.warning(
                                    "clock",
                                    found
                                            + " This machine's is %s s off."
                                                    .formatted(offset.abs().toSeconds()),
                                    "Have both set by NTP.")
                            : Finding.ok("clock", found));
        });
    }

    private static Optional<Instant> date(HttpResponse<String> answer) {
        try {
            return answer.headers()
                    .firstValue("Date")
                    .map(text -> ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant());
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** What the key may do is found out by asking; whether it may look at runs and queues is answered. */
    private boolean role(HttpClient http) throws IOException, InterruptedException {
        HttpResponse<String> terms = get(http, "/v1/worker");
        if (terms.statusCode() == NO_KEY) {
            findings.add(
                    Finding.problem(
                            "key",
                            key == null
                                    ? "The server asks for a key, and there is none."
                                    : "The server does not know this key.",
                            "Put a key that is neither expired nor revoked into PERDURE_KEY, or name its file with --key-file."));
            return false;
        }
        boolean admin = get(http, "/v1/keys").statusCode() == OK;
        boolean client = get(http, "/v1/workers").statusCode() == OK;
        if (terms.statusCode() == OK) {
            version(Terms.read(Json.of(terms.body())));
        }
        String role = admin ? "admin" : terms.statusCode() == OK ? "worker" : client ? "client" : "unknown";
        findings.add(Finding.ok(
                "key",
                key == null ? "None is asked for: everybody there is an administrator." : "Its role is " + role + "."));
        return client;
    }

    private void version(Terms terms) {
        String ours = Product.running().perdure();
        String found = "The server is %s, this is %s.".formatted(terms.server(), ours);
        findings.add(
                terms.agree(List.of(Terms.PROTOCOL)).isPresent()
                        ? Finding.ok("version", found)
                        : Finding.problem("version", found, ErrorCode.PROTOCOL_MISMATCH.remedy()));
    }

    private void work(String where) {
        ConnectOptions options = ConnectOptions.defaults().patience(PATIENCE);
        try (PerdureClient client = PerdureClient.connect(url.toString(), key == null ? options : options.key(key))) {
            findings.addAll(Workload.of(client, clock.instant()).findings(where));
        } catch (PerdureException e) {
            findings.add(Finding.problem("work", e));
        }
    }
}
