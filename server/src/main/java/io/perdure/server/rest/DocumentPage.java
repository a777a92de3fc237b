package io.perdure.server.rest;

import io.perdure.sdk.Sha256;
import io.perdure.sdk.json.Json;
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
        String policy = "default-src 'none'; style-src 'sha256-" + hash(STYLE)
                + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
        return new DocumentPage(new Writer(JsonMapper.shared().readTree(document.text())).write(), policy);
    }

    /** Goes through the document from top to bottom. */
    private static final class Writer {
        private final JsonNode root;
        private final StringBuilder html = new StringBuilder();

        Writer(JsonNode root) {
            this.root = root;
        }

        String write() {
            String title = escaped(root.path("info"), "title");
            html.append("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")
                    .append("<meta name=\"viewport\" content=\"width=device-width\"><title>" + title + "</title>")
                    .append("<style>" + STYLE + "</style></head><body><h1>" + title + "</h1>")
                    .append("<p>" + escaped(root.path("info"), "description") + "</p>")
                    .append("<p>The same for programs: <a href=\"/openapi.json\">openapi.json</a>.</p>");
            root.path("tags").forEach(this::section);
            return html.append("</body></html>").toString();
        }

        private void section(JsonNode tag) {
            html.append("<h2>" + escaped(tag, "name") + "</h2><p>" + escaped(tag, "description") + "</p>");
            for (Map.Entry<String, JsonNode> path : root.path("paths").properties()) {
                for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                    if (method.getValue().path("tags").path(0).equals(tag.path("name"))) {
                        operation(method.getKey().toUpperCase(Locale.ROOT), path.getKey(), method.getValue());
                    }
                }
            }
        }

        private void operation(String method, String path, JsonNode operation) {
            html.append("<h3 id=\"" + escaped(operation, "operationId") + "\"><span class=\"method\">"
                            + escaped(method))
                    .append("</span> <code>" + escaped(path) + "</code></h3><p>" + escaped(operation, "summary"))
                    .append(" " + escaped(operation, "description") + "</p><table>");
            for (JsonNode given : operation.path("parameters")) {
                JsonNode parameter = resolved(given);
                row(parameter.path("name").asString(""), parameter);
            }
            JsonNode body = operation.at("/requestBody/content/application~1json");
            resolved(body.path("schema"))
                    .path("properties")
                    .properties()
                    .forEach(field -> row(field.getKey(), resolved(field.getValue())));
            operation
                    .path("responses")
                    .properties()
                    .forEach(response -> row(response.getKey(), resolved(response.getValue())));
            html.append("</table>");
            if (body.has("example")) {
                html.append("<pre>" + escaped(body.path("example").toString()) + "</pre>");
            }
        }

        private JsonNode resolved(JsonNode node) {
            return node.has("$ref") ? root.at(node.path("$ref").asString("").substring(1)) : node;
        }

        private void row(String name, JsonNode described) {
            html.append("<tr><td><code>" + escaped(name) + "</code></td><td>");
            html.append(escaped(described, "description") + "</td></tr>");
        }

        private static String escaped(JsonNode node, String name) {
            return escaped(node.path(name).asString(""));
        }

        private static String escaped(String text) {
            return text.replace("&", "&amp;")
                    .replace("<", "&lt;")
                    .replace(">", "&gt;")
                    .replace("\"", "&quot;");
        }
    }

    private static String hash(String style) {
        return Base64.getEncoder().encodeToString(Sha256.of(style));
    }
}
