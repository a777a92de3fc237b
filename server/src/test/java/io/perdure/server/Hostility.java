package io.perdure.server;

import io.perdure.server.Document.Described;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Makes up requests that nobody should send: the same ones for the same randomness. */
final class Hostility {
    private static final List<String> WRONG_VALUES = List.of(
            "null",
            "true",
            "-1",
            "0",
            "1.5",
            "1e400",
            "-1e-400",
            "9".repeat(2000),
            "1" + "0".repeat(900),
            "\"\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\"" + "x".repeat(5000) + "\"",
            "\"../../etc/passwd\"",
            "\"2026-99-99T00:00:00Z\"",
            "[]",
            "{}",
            "[[[[[[[[[[]]]]]]]]]]",
            "[".repeat(200) + "]".repeat(200),
            "{\"a\":{\"a\":{\"a\":{}}}}",
            "\"0199d0a0-8000-7000-8000-000000000001\"",
            "9223372036854775807",
            "-9223372036854775808",
            "2147483648");
    private static final List<String> WRONG_TEXTS = List.of(
            "",
            "-1",
            "61",
            "1e3",
            "0.001",
            "%00",
            "%ff%fe",
            "%",
            "%zz",
            "%f0%9f%92%a9",
            "..%2f..%2fetc%2fpasswd",
            "null",
            "true",
            "[",
            "%7B%22a%22:",
            "a".repeat(3000),
            "999999999999999999999",
            "2026-13-01",
            "name:",
            ":",
            "%0d%0aX:y");
    private static final List<String> METHODS =
            List.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "get", "BREW", "");
    private static final List<String> PATHS = List.of(
            "/../../../etc/passwd",
            "/v1/../v1/runs",
            "/v1/%2e%2e/%2e%2e/secret",
            "//v1//runs",
            "/v1/runs/%00",
            "/v1/runs/%",
            "/v1/runs/%zz",
            "/v1/queues/..;/x",
            "/v1/queues/;a=b",
            "*",
            "http://elsewhere/v1/runs",
            "/v1/runs#x",
            "v1/runs",
            "/v1/runs/",
            "/v1/workflows/%20/runs",
            "/" + "a".repeat(20_000),
            "/v1/runs?" + "a=b&".repeat(3000),
            "/v1/queues/\u00e9",
            "/v1/runs?input=" + "%5B".repeat(3000),
            "/v1/runs/ x",
            "/openapi.json/..",
            "/?%",
            "?x",
            "#x",
            "?");
    private static final List<String> HEADERS = List.of(
            "Content-Length: 5",
            "Content-Length: -1",
            "Content-Length: 99999999999999999999",
            "Content-Length: 3\r\nContent-Length: 4",
            "Transfer-Encoding: chunked",
            "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: chunked\r\nContent-Length: 3",
            "Content-Type: application/json\r\nContent-Type: text/html",
            "Content-Type: ;;;",
            "Content-Type: application/json; charset=utf-16",
            "Content-Encoding: gzip",
            "Perdure-Request: x",
            "Perdure-Request: 1\r\nPerdure-Request: 2",
            "Accept: \u0000",
            "Accept: ,,,;q=9",
            "Expect: 100-continue",
            "Expect: the-worst",
            "Upgrade: h2c\r\nConnection: Upgrade",
            "Authorization: Basic eA==",
            "Authorization:",
            ": nameless",
            "No colon",
            "X-Space : y",
            " X-Folded: y",
            "Host: a\r\nHost: b",
            "Cookie: " + "c".repeat(40_000),
            "X-Many: y\r\n".repeat(400) + "X-Last: y",
            "Range: bytes=0-",
            "Content-Type: application/json");

    /** Ids of requests that all of them use. */
    static final List<UUID> SHARED_IDS = LongStream.range(0, 16)
            .mapToObj(number -> new UUID(0x0199d0a080007000L, Long.MIN_VALUE + number))
            .toList();

    private static final String WORKER_HEADERS =
            "Perdure-Protocol: 1\r\nPerdure-Worker: 0199d0a0-8000-7000-8000-00000000000b\r\n";

    private static final Pattern RECEIPT = Pattern.compile("[0-9a-f-]{36}\\.[0-9a-f-]{36}");

    private final RandomGenerator random;
    private final String token;
    private final Supplier<Map<String, String>> targets;
    private final List<Described> operations = Document.operations();
    private RawRequest last = RawRequest.of("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");

    /**
     * Aims at what a key opens.
     *
     * @param targets what stands for the names in braces where a path is to be found
     */
    Hostility(RandomGenerator random, String token, Supplier<Map<String, String>> targets) {
        this.random = random;
        this.token = token;
        this.targets = targets;
    }

    /** The next one; now and then the very one before, under the same id. */
    RawRequest next() {
        if (random.nextInt(10) > 0) {
            last = another();
        }
        return last;
    }

    private RawRequest another() {
        return switch (random.nextInt(10)) {
            case 0 ->
                RawRequest.of(pick(METHODS) + " " + pick(PATHS) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            case 1 -> oddHeaders();
            case 2 -> garbage();
            case 3 -> oddBody();
            default -> wrongField();
        };
    }

    private <T> T pick(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    private RawRequest oddHeaders() {
        Described operation = pick(operations);
        StringBuilder request = new StringBuilder(line(operation.method(), path(operation, false)));
        for (int i = random.nextInt(3); i >= 0; i--) {
            request.append(pick(HEADERS)).append("\r\n");
        }
        return RawRequest.of(request + "\r\n{}");
    }

    private RawRequest garbage() {
        byte[] bytes = new byte[random.nextInt(1, 2000)];
        random.nextBytes(bytes);
        if (random.nextBoolean()) {
            // So that it begins as HTTP does.
            byte[] line = "POST /v1/queues HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(line, 0, bytes, 0, Math.min(line.length, bytes.length));
        }
        return new RawRequest(bytes, true);
    }

    private RawRequest oddBody() {
        Described operation =
                pick(operations.stream().filter(Described::hasBody).toList());
        String head = line(operation.method(), path(operation, false)) + "Content-Type: application/json\r\n";
        byte[] body = body(operation);
        return switch (random.nextInt(4)) {
            case 0 -> joined(head + "Content-Length: " + (body.length + 1 + random.nextInt(100)) + "\r\n\r\n", body);
            case 1 ->
                joined(
                        head + "Transfer-Encoding: chunked\r\n\r\n"
                                + pick(List.of("zz\r\n", "-5\r\n", "FFFFFFFFFFFF\r\n", "5;x\r\n")),
                        body);
            case 2 ->
                joined(
                        head + "Transfer-Encoding: chunked\r\n\r\n",
                        "5\r\n     \r\n".repeat(random.nextInt(1, 3000)).getBytes(StandardCharsets.US_ASCII));
            default -> joined(head + "Content-Length: " + body.length + "\r\n\r\n", body);
        };
    }

    private byte[] body(Described operation) {
        String example = aimed(operation.example());
        return switch (random.nextInt(6)) {
            case 0 -> new byte[] {'{', '"', (byte) 0xff, (byte) 0xfe, '"', ':', '1', '}'};
            case 1 -> example.substring(0, random.nextInt(example.length())).getBytes(StandardCharsets.UTF_8);
            case 2 -> "[".repeat(100_000).getBytes(StandardCharsets.UTF_8);
            case 3 -> ("{\"a\":".repeat(300) + "1" + "}".repeat(300)).getBytes(StandardCharsets.UTF_8);
            case 4 -> ("\u0000" + example).getBytes(StandardCharsets.UTF_8);
            default -> ("{\"input\":" + pick(WRONG_VALUES) + ",\"input\":1}").getBytes(StandardCharsets.UTF_8);
        };
    }

    /** A request by the document with one thing wrong in it: a value of a field, a part of the path, or a parameter. */
    private RawRequest wrongField() {
        Described operation = pick(operations);
        boolean inBody = operation.hasBody() && random.nextInt(3) > 0;
        String head = line(
                operation.method(),
                path(operation, !inBody && random.nextBoolean()) + (inBody ? "" : query(operation)));
        if (!operation.hasBody()) {
            return RawRequest.of(head + "\r\n");
        }
        JsonNode example = JsonMapper.shared().readTree(aimed(operation.example()));
        byte[] body = (inBody ? mutated(example) : example.toString()).getBytes(StandardCharsets.UTF_8);
        return joined(head + "Content-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n", body);
    }

    /** A body with receipts of messages that are leased. */
    private String aimed(String body) {
        return RECEIPT.matcher(body).replaceAll(targets.get().getOrDefault("receipt", ""));
    }

    private String line(String method, String path) {
        String key = random.nextInt(20) == 0 ? pick(List.of("x", "pd_", "pd_a_b", "")) : token;
        return method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + (path.startsWith("/v1/worker") ? WORKER_HEADERS : "") + "Authorization: Bearer " + key
                + "\r\n" + (random.nextInt(3) == 0 ? "Perdure-Request: " + requestId() + "\r\n" : "");
    }

    /** One of its own, or one that everybody uses for anything. */
    private UUID requestId() {
        return random.nextBoolean()
                ? pick(SHARED_IDS)
                : new UUID((random.nextLong() & ~0xf000L) | 0x7000L, (random.nextLong() >>> 2) | Long.MIN_VALUE);
    }

    private String path(Described operation, boolean wrong) {
        String path = operation.path();
        if (wrong && path.contains("{")) {
            return path.replaceAll(
                    "\\{[a-z]+\\}", pick(WRONG_TEXTS).replace("\\", "").replace("$", ""));
        }
        return Scenario.filled(
                path.startsWith("/v1/workflows/") ? path.replace("{name}", "order") : path, targets.get());
    }

    private String query(Described operation) {
        List<String> pairs = new ArrayList<>();
        for (JsonNode parameter : operation.parameters("query")) {
            if (random.nextBoolean()) {
                pairs.add(parameter.path("name").asString().replaceAll("<.*>", pick(List.of("a", "a..b", "%00"))) + "="
                        + pick(WRONG_TEXTS));
            }
        }
        return pairs.isEmpty() ? "" : "?" + String.join("&", pairs);
    }

    private String mutated(JsonNode example) {
        JsonNode wrong = StringNode.valueOf("__wrong__");
        String text = switch (example) {
            case ObjectNode object -> {
                List<String> names = new ArrayList<>(object.propertyNames());
                names.add("another");
                yield object.deepCopy().set(pick(names), wrong).toString();
            }
            case ArrayNode array -> {
                ArrayNode copy = array.deepCopy();
                copy.set(random.nextInt(copy.size()), wrong);
                yield copy.toString();
            }
            default -> wrong.toString();
        };
        return text.replace("\"__wrong__\"", pick(WRONG_VALUES));
    }

    private static RawRequest joined(String head, byte[] body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
        bytes.writeBytes(body);
        return new RawRequest(bytes.toByteArray(), true);
    }
}
