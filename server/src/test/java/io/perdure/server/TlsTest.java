package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.perdure.client.ConnectOptions;
import io.perdure.client.PerdureClient;
import io.perdure.core.Perdure;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.queue.Receiving;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that speaks TLS with a certificate and a key in PEM. */
class TlsTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    private Path directory;

    private KeyStore keys;

    @BeforeEach
    void makeCertificate() throws Exception {
        Path store = directory.resolve("keys.p12");
        List<String> keytool = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD));
        Process process = new ProcessBuilder(keytool).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        pem("certificate.pem", "CERTIFICATE", keys.getCertificate("server").getEncoded());
        pem("key.pem", "PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded());
    }

    private void pem(String file, String kind, byte[] bytes) throws Exception {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        Files.writeString(
                directory.resolve(file), "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }

    @Test
    void othersReachItOverTlsAndNotWithout() throws Exception {
        String store = "jdbc:sqlite:" + directory.resolve("store.db");
        String key;
        try (Perdure engine = Perdure.open(store)) {
            key = engine.keys()
                    .create(TenantId.DEFAULT, "first", Role.ADMIN, null)
                    .token();
        }
        ServerOptions options = ServerOptions.of(store)
                .host("0.0.0.0")
                .port(0)
                .tls(directory.resolve("certificate.pem"), directory.resolve("key.pem"));
        try (PerdureServer server = PerdureServer.start(options);
                HttpClient http = HttpClient.newBuilder().sslContext(trusting()).build()) {
            assertThat(server.url().getScheme()).isEqualTo("https");
            HttpResponse<String> answer = http.send(ready("https", server), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.sslSession()).isPresent();
            assertClientIsServed(server, key);
            assertThatThrownBy(() -> http.send(ready("http", server), HttpResponse.BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
        }
    }

    private void assertClientIsServed(PerdureServer server, String key) throws Exception {
        String url = "https://127.0.0.1:" + server.port();
        ConnectOptions options = ConnectOptions.defaults().key(key);
        try (PerdureClient client = PerdureClient.connect(url, options.sslContext(trusting()))) {
            client.createQueue("mail").send(Json.number(1));
            assertThat(client.queue("mail").receive(Receiving.upTo(1))).hasSize(1);
        }
        try (PerdureClient trustsNobody = PerdureClient.connect(url, options.patience(Duration.ZERO))) {
            assertThatExceptionOfType(StoreException.class)
                    .isThrownBy(() -> trustsNobody.queue("mail").purge())
                    .returns(ErrorCode.SERVER_UNREACHABLE, StoreException::code);
        }
    }

    private static HttpRequest ready(String scheme, PerdureServer server) {
        return HttpRequest.newBuilder(URI.create(scheme + "://127.0.0.1:" + server.port() + "/readyz"))
                .build();
    }

    private SSLContext trusting() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", keys.getCertificate("server"));
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
