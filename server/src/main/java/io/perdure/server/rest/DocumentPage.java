package io.perdure.server.rest;

import io.perdure.sdk.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The document as one page to read, without anything from elsewhere.
 *
 * @param policy what a browser may load for it: its own style, and nothing else
 */
record DocumentPage(String html, String policy) {
    private static final String STYLE = """
            body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
            h2{border-bottom:1px solid #ccc;margin-top:2.5rem}
            code,pre{font:14px/1.4 ui-monospace,monospace;background:#f4f4f4;border-radius:3px}
            code{padding:1px 4px}pre{padding:.8rem;overflow:auto}
            .method{display:inline-block;min-width:4.5rem;font-weight:bold}
            table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:.2rem 1rem .2rem 0}
            @media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}code,pre{background:#262626}h2{border-color:#444}a{color:#8ab4f8}}
            """;

    static DocumentPage of(Json document) {
        JsonNode root = JsonMapper.shared().readTree(document.text());
        StringBuilder html = new StringBuilder("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<meta name=\"viewport\" content=\"width=device-width\"><title>")
                .append(escaped(root.path("info").path("title").asString("")))
                .append("</title><style>")
                .append(STYLE)
                .append("</style></head><body><h1>")
                .append(escaped(root.path("info").path("title").asString("")))
                .append("</h1><p>")
                .append(escaped(root.path("info").path("description").asString("")))
                .append("</p><p>The same for programs: <a href=\"/openapi.json\">openapi.json</a>.</p>");
        for (JsonNode tag : root.path("tags")) {
            section(html, root, tag);
        }
        String policy = "default-src 'none'; style-src 'sha256-" + hash(STYLE)
                + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
        return new DocumentPage(html.append("</body></html>").toString(), policy);
    }

    private static void section(StringBuilder html, JsonNode root, JsonNode tag) {
        String name = tag.path("name").asString("");
        html.append("<h2>").append(escaped(name)).append("</h2><p>");
        html.append(escaped(tag.path("description").asString(""))).append("</p>");
        for (Map.Entry<String, JsonNode> path : root.path("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                JsonNode operation = method.getValue();
                if (operation.path("tags").path(0).asString("").equals(name)) {
                    operation(html, method.getKey().toUpperCase(Locale.ROOT), path.getKey(), operation);
                }
            }
        }
    }

    private static void operation(StringBuilder html, String method, String path, JsonNode operation) {
        html.append("<h3 id=\"")
                .append(escaped(operation.path("operationId").asString("")))
                .append("\"><span class=\"method\">")
                .append(escaped(method))
                .append("</span> <code>")
                .append(escaped(path))
                .append("</code></h3><p>")
                .append(escaped(operation.path("summary").asString("")))
                .append(' ')
                .append(escaped(operation.path("description").asString("")))
                .append("</p><table>");
        for (JsonNode parameter : operation.path("parameters")) {
            row(
                    html,
                    parameter
                            .path("name")
                            .asString(parameter.path("$ref").asString("").replaceAll(".*/", "")),
                    parameter.path("description").asString(""));
        }
        for (Map.Entry<String, JsonNode> response : operation.path("responses").properties()) {
            row(
                    html,
                    response.getKey(),
                    response.getValue()
                            .path("description")
                            .asString(response.getValue()
                                    .path("$ref")
                                    .asString("")
                                    .replaceAll(".*/", "")));
        }
        html.append("</table>");
        JsonNode example = operation.at("/requestBody/content/application~1json/example");
        if (!example.isMissingNode()) {
            html.append("<pre>").append(escaped(example.toString())).append("</pre>");
        }
    }

    private static void row(StringBuilder html, String name, String description) {
        html.append("<tr><td><code>").append(escaped(name)).append("</code></td><td>");
        html.append(escaped(description)).append("</td></tr>");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private static String hash(String style) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(style.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256.", e);
        }
    }
}
