package io.perdure.server.rest;

import io.perdure.sdk.Sha256;
import io.perdure.sdk.json.Json;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The OpenAPI document as one HTML page to read, which loads nothing else.
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
            table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:.2rem 1rem .2rem 0}table{margin:.6rem 0}
            @media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}code,pre{background:#262626}h2{border-color:#444}a{color:#8ab4f8}}
            """;

    private static final Pattern BOLD = Pattern.compile("[*]{2}([^*]+)[*]{2}");

    static DocumentPage of(Json document) {
        String policy = "default-src 'none'; style-src 'sha256-" + hash(STYLE)
                + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
        return new DocumentPage(new Writer(JsonMapper.shared().readTree(document.text())).write(), policy);
    }

    /** Writes the page from the document, from top to bottom. */
    private static final class Writer {
        private final JsonNode root;
        private final StringBuilder html = new StringBuilder();

        Writer(JsonNode root) {
            this.root = root;
        }

        String write() {
            JsonNode info = root.path("info");
            String title = escaped(info, "title");
            html.append("<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">")
                    .append("<meta name=\"viewport\" content=\"width=device-width\"><title>" + title + "</title>")
                    .append("<style>" + STYLE + "</style></head><body><h1>" + title + "</h1>");
            paragraphs(info);
            html.append("<p>The same for programs: <a href=\"/openapi.json\">openapi.json</a>.</p><ul>");
            for (JsonNode tag : root.path("tags")) {
                html.append("<li><a href=\"#" + anchor(tag) + "\">" + escaped(tag, "name") + "</a></li>");
            }
            html.append("</ul>");
            root.path("tags").forEach(this::section);
            return html.append("</body></html>").toString();
        }

        private static String anchor(JsonNode tag) {
            return "tag-" + escaped(tag, "name").replace(' ', '-');
        }

        private void section(JsonNode tag) {
            html.append("<h2 id=\"" + anchor(tag) + "\">" + escaped(tag, "name") + "</h2>");
            paragraphs(tag);
            for (Map.Entry<String, JsonNode> path : root.path("paths").properties()) {
                for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                    if (method.getValue().path("tags").path(0).equals(tag.path("name"))) {
                        operation(method.getKey().toUpperCase(Locale.ROOT), path.getKey(), method.getValue());
                    }
                }
            }
        }

        /** The description, which has a blank line between two paragraphs and marks what is bold by two stars on each side. */
        private void paragraphs(JsonNode described) {
            for (String paragraph : described.path("description").asString("").split("\n\n", -1)) {
                html.append("<p>" + BOLD.matcher(escaped(paragraph)).replaceAll("<b>$1</b>") + "</p>");
            }
        }

        private void operation(String method, String path, JsonNode operation) {
            html.append("<h3 id=\"" + escaped(operation, "operationId") + "\"><span class=\"method\">"
                            + escaped(method))
                    .append("</span> <code>" + escaped(path) + "</code></h3><p><b>" + escaped(operation, "summary"))
                    .append("</b></p>");
            paragraphs(operation);
            html.append("<p>" + role(operation) + "</p>");
            JsonNode body = operation.at("/requestBody/content/application~1json");
            parameters(operation.path("parameters"));
            fields(resolved(body.path("schema")));
            if (body.has("example")) {
                html.append("<pre>" + escaped(body.path("example").toString()) + "</pre>");
            }
            answers(operation.path("responses"));
        }

        private static String role(JsonNode operation) {
            return operation.has("x-role")
                    ? "Role of the key: <code>" + escaped(operation, "x-role") + "</code>"
                    : "No key is needed.";
        }

        private void parameters(JsonNode parameters) {
            if (!parameters.isEmpty()) {
                table("Parameter");
                for (JsonNode given : parameters) {
                    JsonNode parameter = resolved(given);
                    String required = parameter.path("required").asBoolean(false) ? ", required" : "";
                    row(escaped(parameter, "name"), escaped(parameter, "in") + required, parameter);
                }
                html.append("</table>");
            }
        }

        /** The fields of an object, or of each object that a body can be. */
        private void fields(JsonNode schema) {
            if (!schema.path("properties").isEmpty()) {
                table("Field");
                for (Map.Entry<String, JsonNode> field :
                        schema.path("properties").properties()) {
                    String required = isRequired(schema, field.getKey()) ? ", required" : "";
                    JsonNode value = resolved(field.getValue());
                    row(escaped(field.getKey()), type(value) + required, value);
                }
                html.append("</table>");
            }
            for (JsonNode one : schema.path("oneOf")) {
                if (resolved(one).has("properties")) {
                    fields(resolved(one));
                }
            }
        }

        private static String type(JsonNode schema) {
            return schema.has("type") ? escaped(schema, "type") : "any";
        }

        private static boolean isRequired(JsonNode schema, String name) {
            for (JsonNode required : schema.path("required")) {
                if (required.asString("").equals(name)) {
                    return true;
                }
            }
            return false;
        }

        private void answers(JsonNode responses) {
            table("Answer");
            responses
                    .properties()
                    .forEach(response -> row(
                            escaped(response.getKey()),
                            escaped(String.join(
                                    ", ",
                                    resolved(response.getValue())
                                            .path("content")
                                            .propertyNames())),
                            resolved(response.getValue())));
            html.append("</table>");
        }

        private void table(String heading) {
            html.append("<table><tr><th>" + heading + "</th><th></th><th></th></tr>");
        }

        private void row(String name, String more, JsonNode described) {
            html.append("<tr><td><code>" + name + "</code></td><td>" + more + "</td><td>"
                    + escaped(described, "description") + "</td></tr>");
        }

        private JsonNode resolved(JsonNode node) {
            return node.has("$ref") ? root.at(node.path("$ref").asString("").substring(1)) : node;
        }

        private static String escaped(JsonNode node, String name) {
            return escaped(node.path(name).asString(""));
        }

        private static String escaped(String text) {
            return text.replace("&", "&amp;")
                    .replace("<", "&lt;")
                    .replace(">", "&gt;")
                    .replace("\"", "&quot;")
                    .replace("'", "&#39;");
        }
    }

    private static String hash(String style) {
        return Base64.getEncoder().encodeToString(Sha256.of(style));
    }
}
