package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.key.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A loopback server without keys refuses requests that a proxy passes on: whoever sent them may be on another machine. */
class ProxiedRequestsTest {
    private static final String PROXY_HEADERS = """
            Forwarded
            Via
            CDN-Loop
            Client-Cert
            Surrogate-Capability
            X-Forwarded
            X-Forwarded-For
            X-Forwarded-Host
            X-Forwarded-Proto
            X-Forwarded-Port
            X-Forwarded-Server
            X-Forwarded-Prefix
            X-Forwarded-Tls-Client-Cert
            X-Forwarded-Anything-Else
            Forwarded-For
            X-Forwarder-For
            X-Real-IP
            X-Real-Port
            X-Client-IP
            X-Cluster-Client-IP
            X-ProxyUser-Ip
            X-Remote-IP
            X-Remote-Addr
            X-Originating-IP
            True-Client-IP
            Client-IP
            Fly-Client-IP
            DO-Connecting-IP
            Proxy-Client-IP
            WL-Proxy-Client-IP
            X-Scheme
            X-Host
            X-Rewrite-URL
            X-Url-Scheme
            Front-End-Https
            X-Cloud-Trace-Context
            X-Varnish
            X-Proxy-Id
            X-Nginx-Proxy
            X-Original-Forwarded-For
            X-Original-Host
            X-Original-URI
            X-Original-URL
            X-Original-Method
            X-Envoy-External-Address
            X-Envoy-Original-Path
            X-Envoy-Internal
            CF-Connecting-IP
            CF-Connecting-IPv6
            CF-Ray
            CF-Visitor
            CloudFront-Viewer-Address
            X-Amz-Cf-Id
            X-Amzn-Trace-Id
            X-Amzn-Tls-Version
            Fastly-Client-IP
            Fastly-SSL
            X-Azure-ClientIP
            X-Azure-SocketIP
            X-AppEngine-User-IP
            X-ARR-LOG-ID
            """;

    @TempDir
    private static Path directory;

    private static PerdureServer keyless;

    @BeforeAll
    static void serve() {
        keyless = serve("keyless.db");
    }

    @AfterAll
    static void close() {
        keyless.close();
    }

    private static PerdureServer serve(String file) {
        return PerdureServer.start(
                ServerOptions.of("jdbc:sqlite:" + directory.resolve(file)).port(0));
    }

    private static RawAnswer ask(String path, String headers) throws IOException {
        return ask(keyless, path, headers);
    }

    private static RawAnswer ask(PerdureServer server, String path, String headers) throws IOException {
        RawRequest request = RawRequest.of(
                "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers + "\r\n");
        RawAnswer answer = request.ask(server.port());
        AnswerCheck.require(request.seen(answer));
        return answer;
    }

    private static Stream<String> proxyHeaders() {
        return PROXY_HEADERS.lines();
    }

    @ParameterizedTest
    @MethodSource("proxyHeaders")
    void keylessServer_headerOfAProxy_isRefusedAndNamed(String header) throws IOException {
        for (String name : List.of(header, header.toLowerCase(Locale.ROOT), header.toUpperCase(Locale.ROOT))) {
            RawAnswer answer = ask("/v1/queues", name + ": 10.1.2.3\r\n");

            assertThat(answer.status()).as(name).isEqualTo(401);
            assertThat(answer.body()).contains("PD-601").contains("perdure key create");
            assertThat(answer.body().toLowerCase(Locale.ROOT))
                    .as("the header is named")
                    .contains("(header " + header.toLowerCase(Locale.ROOT) + ")");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"User-Agent", "Accept", "X-Request-Id", "X-Correlation-Id", "traceparent", "Cookie", "X-Test"})
    void keylessServer_headerOfAProgram_isServed(String header) throws IOException {
        assertThat(ask("/v1/queues", header + ": 1\r\n").status()).isEqualTo(200);
    }

    @Test
    void keylessServer_behindAProxy_stillAnswersHealthChecksAndItsDocument() throws IOException {
        for (String path : List.of("/livez", "/readyz", "/openapi.json", "/")) {
            assertThat(ask(path, "X-Forwarded-For: 10.1.2.3\r\n").status())
                    .as(path)
                    .isEqualTo(200);
        }
    }

    @Test
    void serverWithAKey_headerOfAProxy_isServedToWhoeverHasTheKey() throws IOException {
        try (PerdureServer server = serve("keys.db")) {
            String token = server.engine()
                    .keys()
                    .create(TenantId.DEFAULT, "proxied", Role.CLIENT, null)
                    .token();
            String key = "Authorization: Bearer " + token + "\r\n";

            assertThat(ask(server, "/v1/queues", "X-Real-IP: 10.1.2.3\r\n" + key)
                            .status())
                    .isEqualTo(200);
            assertThat(ask(server, "/v1/queues", "X-Real-IP: 10.1.2.3\r\n").status())
                    .isEqualTo(401);
        }
    }
}
