package io.perdure.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.server.Document.Described;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Properties of the OpenAPI document that linters and generators of clients demand: the recommended rules of Redocly, without its tool. */
class OpenApiLintTest {
    private static final JsonNode ROOT = Document.root();
    private static final Path ERROR_PAGES = Path.of("..", "docs", "errors");
    private static final Pattern VARIABLE = Pattern.compile("\\{([a-z]+)}");
    private static final Pattern OPERATION_ID = Pattern.compile("[a-z][A-Za-z]+");
    private static final Pattern CODE = Pattern.compile("PD-[0-9]{3}");
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");
    private static final int LONGEST_SUMMARY = 80;

    /** Statuses of every operation that asks for a key. */
    private static final List<Integer> WITH_KEY = List.of(400, 401, 403, 415, 422, 429, 500, 503);

    private static List<JsonNode> list(JsonNode array) {
        return Document.elements(array);
    }

    private static String text(JsonNode node, String name) {
        return node.path(name).asString("");
    }

    private static void each(JsonNode object, BiConsumer<String, JsonNode> action) {
        object.properties().forEach(entry -> action.accept(entry.getKey(), entry.getValue()));
    }

    /** All nodes of the document with their places. */
    private static void walk(String at, JsonNode node, BiConsumer<String, JsonNode> action) {
        action.accept(at, node);
        if (node.isObject()) {
            each(node, (name, child) -> walk(at + "/" + name, child, action));
        } else if (node.isArray()) {
            IntStream.range(0, node.size()).forEach(i -> walk(at + "/" + i, node.get(i), action));
        }
    }

    @Test
    void info_hasTitleVersionDescriptionLicenseAndContact() {
        JsonNode info = ROOT.path("info");
        assertThat(ROOT.path("openapi").asString()).startsWith("3.1.");
        for (String field : List.of("title", "version", "summary", "description")) {
            assertThat(text(info, field)).as(field).isNotBlank();
        }
        assertThat(text(info.path("license"), "name")).isNotBlank();
        assertThat(text(info.path("license"), "identifier")).isEqualTo("Apache-2.0");
    }

    @Test
    void servers_arePresentAndDescribed() {
        assertThat(ROOT.path("servers").size()).isPositive();
        for (JsonNode server : list(ROOT.path("servers"))) {
            String url = text(server, "url");
            assertThat(url).isNotBlank().doesNotContain("example.com", "localhost");
            assertThat(url.equals("/") || !url.endsWith("/")).as(url).isTrue();
            assertThat(text(server, "description")).isNotBlank();
            Set<String> used =
                    VARIABLE.matcher(url).results().map(one -> one.group(1)).collect(Collectors.toSet());
            assertThat(server.path("variables").propertyNames()).containsExactlyInAnyOrderElementsOf(used);
            each(server.path("variables"), (name, variable) -> {
                assertThat(text(variable, "default")).as(name).isNotBlank();
                assertThat(text(variable, "description")).as(name).isNotBlank();
            });
        }
    }

    @Test
    void operations_haveIdSummaryDescriptionAndOneDeclaredTag() {
        Set<String> ids = new HashSet<>();
        Set<String> tags =
                list(ROOT.path("tags")).stream().map(tag -> text(tag, "name")).collect(Collectors.toSet());
        for (Described operation : Document.operations()) {
            JsonNode node = operation.node();
            assertThat(operation.id()).matches(OPERATION_ID);
            assertThat(ids.add(operation.id())).as("unique: %s", operation.id()).isTrue();
            assertThat(text(node, "summary"))
                    .as(operation.id())
                    .isNotBlank()
                    .endsWith(".")
                    .hasSizeLessThanOrEqualTo(LONGEST_SUMMARY);
            assertThat(text(node, "description"))
                    .as(operation.id())
                    .isNotBlank()
                    .endsWith(".")
                    .isNotEqualTo(text(node, "summary"));
            assertThat(node.path("tags").size()).as(operation.id()).isEqualTo(1);
            assertThat(tags).contains(node.path("tags").get(0).asString());
        }
    }

    @Test
    void tags_areDescribedAndUsed() {
        Set<String> used = Document.operations().stream()
                .map(operation -> operation.node().path("tags").get(0).asString())
                .collect(Collectors.toSet());
        for (JsonNode tag : list(ROOT.path("tags"))) {
            assertThat(text(tag, "description")).isNotBlank();
            assertThat(used).contains(text(tag, "name"));
        }
    }

    @Test
    void operations_listASuccessAnErrorAndWhatEachOfTheirKindCanAnswer() {
        for (Described operation : Document.operations()) {
            JsonNode responses = operation.node().path("responses");
            assertThat(responses.propertyNames()).as(operation.id()).anyMatch(status -> status.startsWith("2"));
            assertThat(responses.propertyNames()).as(operation.id()).contains("400", "415");
            if (operation.role().isPresent()) {
                WITH_KEY.stream()
                        // The request for the terms has nothing that could be invalid.
                        .filter(status -> status != 422 || !operation.id().equals("workerTerms"))
                        .forEach(status -> assertThat(operation.documents(status))
                                .as("%s %s", operation.id(), status)
                                .isTrue());
            }
            assertThat(operation.documents(413)).as(operation.id()).isEqualTo(operation.hasBody());
        }
    }

    @Test
    void responses_areDescribedAndErrorsNameTheirCodes() {
        for (Described operation : Document.operations()) {
            each(operation.node().path("responses"), (status, given) -> {
                JsonNode response = Document.resolved(given);
                String description = text(response, "description");
                assertThat(description).as(operation.id() + " " + status).isNotBlank();
                List<String> codes = operation.codes(Integer.parseInt(status));
                assertThat(response.path("content").has("application/problem+json"))
                        .as("%s %s", operation.id(), status)
                        .isEqualTo(!codes.isEmpty());
                assertThat(CODE.matcher(description).results().map(one -> one.group()))
                        .as(operation.id() + " " + status)
                        .containsExactlyInAnyOrderElementsOf(codes);
            });
        }
    }

    @Test
    void errorCodes_haveAPage() {
        Document.operations()
                .forEach(operation -> operation
                        .node()
                        .path("responses")
                        .propertyNames()
                        .forEach(status -> assertThat(operation.codes(Integer.parseInt(status)))
                                .allSatisfy(code -> assertThat(ERROR_PAGES.resolve(code + ".md"))
                                        .exists())));
    }

    @Test
    void security_isDeclaredForEveryOperationByASchemeThatExists() {
        Set<String> schemes =
                new HashSet<>(ROOT.path("components").path("securitySchemes").propertyNames());
        assertThat(ROOT.path("security").size()).isPositive();
        walk("", ROOT, (at, node) -> {
            if (at.endsWith("/security")) {
                list(node).forEach(one -> assertThat(schemes).containsAll(one.propertyNames()));
            }
        });
        for (Described operation : Document.operations()) {
            boolean open = operation.node().has("security")
                    && operation.node().path("security").isEmpty();
            assertThat(open).as(operation.id()).isEqualTo(operation.role().isEmpty());
        }
    }

    @Test
    void paths_areUnambiguousAndDeclareTheirVariables() {
        Set<String> shapes = new HashSet<>();
        each(ROOT.path("paths"), (path, item) -> {
            assertThat(METHODS).as(path).containsAll(item.propertyNames());
            assertThat(path).startsWith("/").doesNotContain("?");
            assertThat(path.length() == 1 || !path.endsWith("/")).as(path).isTrue();
            assertThat(shapes.add(VARIABLE.matcher(path).replaceAll("{}")))
                    .as(path)
                    .isTrue();
        });
        for (Described operation : Document.operations()) {
            List<String> variables = new ArrayList<>();
            Matcher matcher = VARIABLE.matcher(operation.path());
            while (matcher.find()) {
                variables.add(matcher.group(1));
            }
            assertThat(operation.parameters("path").stream().map(one -> text(one, "name")))
                    .as(operation.id())
                    .containsExactlyElementsOf(variables);
            assertThat(operation.parameters("path"))
                    .allMatch(one -> one.path("required").asBoolean(false));
        }
    }

    @Test
    void parameters_areDescribedUniqueAndTheirExamplesFit() {
        for (Described operation : Document.operations()) {
            Set<String> seen = new HashSet<>();
            for (JsonNode given : list(operation.node().path("parameters"))) {
                JsonNode parameter = Document.resolved(given);
                String name = text(parameter, "name");
                assertThat(Set.of("path", "query", "header")).contains(text(parameter, "in"));
                assertThat(seen.add(text(parameter, "in") + " " + name))
                        .as(name)
                        .isTrue();
                assertThat(text(parameter, "description")).as(name).isNotBlank();
                assertThat(parameter.has("schema")).as(name).isTrue();
                if (parameter.has("example")) {
                    assertThat(SchemaCheck.faults(parameter.path("schema"), parameter.path("example")))
                            .as("%s %s", operation.id(), name)
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void examplesOfBodies_fitTheirSchemas() {
        walk("", ROOT, (at, node) -> {
            if (at.contains("/content/") && node.has("schema") && node.has("example")) {
                assertThat(SchemaCheck.faults(node.path("schema"), node.path("example")))
                        .as(at)
                        .isEmpty();
            }
        });
        Document.operations().stream()
                .filter(Described::hasBody)
                .forEach(operation ->
                        assertThat(operation.example()).as(operation.id()).isNotEmpty());
    }

    @Test
    void schemas_requireOnlyWhatTheyDeclareAndListEachWordOnce() {
        walk("", ROOT.path("components").path("schemas"), (at, node) -> {
            if (node.path("properties").isObject() && node.path("required").isArray()) {
                list(node.path("required"))
                        .forEach(name -> assertThat(node.path("properties").has(name.asString()))
                                .as("%s %s", at, name)
                                .isTrue());
            }
            if (node.path("enum").isArray()) {
                assertThat(list(node.path("enum"))).as(at).isNotEmpty().doesNotHaveDuplicates();
            }
        });
    }

    @Test
    void references_leadSomewhereAndNoComponentIsUnused() {
        Set<String> used = new TreeSet<>();
        walk("", ROOT, (at, node) -> {
            if (node.has("$ref")) {
                String reference = text(node, "$ref");
                used.add(reference);
                assertThat(Document.resolved(node).isMissingNode())
                        .as("%s at %s", reference, at)
                        .isFalse();
            }
        });
        for (Map.Entry<String, JsonNode> kind : ROOT.path("components").properties()) {
            if (!kind.getKey().equals("securitySchemes")) {
                kind.getValue()
                        .propertyNames()
                        .forEach(name -> assertThat(used).contains("#/components/" + kind.getKey() + "/" + name));
            }
        }
    }
}
