package io.perdure.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.OpenOptions;
import io.perdure.core.Perdure;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.wire.Words;
import io.perdure.server.Document;
import io.perdure.server.Document.Described;
import io.perdure.server.http.HttpStatus;
import io.perdure.server.http.KeyGate;
import io.perdure.server.http.Pages;
import io.perdure.server.http.UnderWay;
import io.perdure.server.http.Waiting;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds the document and the table of operations against each other. */
class DocumentTest {
    @TempDir
    private Path directory;

    private Perdure engine;
    private List<Operation> operations;

    @BeforeEach
    void open() {
        engine = Perdure.open("jdbc:sqlite:" + directory.resolve("store.db"), OpenOptions.defaults());
        KeyGate gate = new KeyGate(engine.keys(), true);
        Site site = new Site(
                engine::tenant,
                gate,
                engine.keys(),
                new Waiting(1),
                new UnderWay(1),
                new Pages(),
                new AtOnce(new SystemEnvironment()),
                1024,
                Site.OUTCOME_WAIT);
        operations = new Rest(site, () -> true, () -> true, () -> "").operations();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static String asLine(String method, String path, String id) {
        return method + " " + path + " " + id;
    }

    @Test
    void everyOperationIsDescribedAndEveryDescriptionIsServed() {
        assertThat(Document.restOperations().stream().map(one -> asLine(one.method(), one.path(), one.id())))
                .containsExactlyInAnyOrderElementsOf(operations.stream()
                        .map(one -> asLine(one.method(), one.path(), one.id()))
                        .toList());
    }

    @Test
    void rolesParametersAndBodiesAreThoseOfTheTable() {
        Map<String, Operation> byId = operations.stream().collect(Collectors.toMap(Operation::id, Function.identity()));
        for (Described described : Document.restOperations()) {
            Operation operation = Objects.requireNonNull(byId.get(described.id()), described.id());
            Role role = operation.role();
            assertThat(described.role())
                    .as(described.id())
                    .isEqualTo(Optional.ofNullable(role).map(Words::of));
            assertThat(described.node().has("security")).as(described.id()).isEqualTo(role == null);
            assertThat(described.hasBody()).as(described.id()).isEqualTo(operation.takesBody());
            assertThat(names(described, "query"))
                    .as(described.id())
                    .containsExactlyInAnyOrderElementsOf(operation.query());
            assertThat(names(described, "path").stream().map(name -> "{" + name + "}"))
                    .as(described.id())
                    .containsExactlyElementsOf(Arrays.stream(operation.path().split("/"))
                            .filter(part -> part.startsWith("{"))
                            .toList());
        }
    }

    @Test
    void whatMayChangeSomethingTakesARequestIdAndSaysThatItIsNotForAnother() {
        for (Operation operation : operations) {
            Described described = Document.operation(operation.id());
            assertThat(described.codes(409).contains(ErrorCode.REQUEST_REUSED.code()))
                    .as(described.id())
                    .isEqualTo(!operation.isRead());
            assertThat(names(described, "header").contains("Perdure-Request"))
                    .as(described.id())
                    .isEqualTo(!operation.isRead());
        }
    }

    private static List<String> names(Described described, String in) {
        return described.parameters(in).stream()
                .map(parameter -> parameter.path("name").asString())
                .toList();
    }

    @Test
    void everyCodeThatIsDocumentedExistsAndHasTheStatusItIsUnder() {
        Map<String, ErrorCode> codes =
                Arrays.stream(ErrorCode.values()).collect(Collectors.toMap(ErrorCode::code, Function.identity()));
        for (Described described : Document.operations()) {
            IntStream.range(400, 600)
                    .forEach(status -> described.codes(status).forEach(code -> {
                        assertThat(codes).containsKey(code);
                        assertThat(HttpStatus.of(Objects.requireNonNull(codes.get(code), code)))
                                .as(described.id() + " " + code)
                                .isEqualTo(status);
                    }));
        }
    }

    @Test
    void thePageNamesEveryOperationAndLoadsNothing() {
        DocumentPage page = DocumentPage.of(io.perdure.server.rest.Document.read());
        Document.operations().forEach(one -> assertThat(page.html()).contains("id=\"" + one.id() + "\""));
        assertThat(page.html().toLowerCase(Locale.ROOT)).doesNotContain("http://", "https://", "<script", "src=");
        assertThat(page.policy()).contains("default-src 'none'");
    }

    @Test
    void thePage_showsDescriptionsInParagraphsWithParametersFieldsAndAnswers() {
        String html = DocumentPage.of(io.perdure.server.rest.Document.read()).html();
        for (Described one : Document.operations()) {
            String section = section(html, one.id());
            for (String paragraph : one.node().path("description").asString().split("\n\n", -1)) {
                assertThat(section).contains("<p>" + escaped(paragraph) + "</p>");
            }
            one.parameters("query")
                    .forEach(parameter -> assertThat(section)
                            .contains("<code>" + escaped(parameter.path("name").asString()) + "</code>"));
            one.node()
                    .path("responses")
                    .propertyNames()
                    .forEach(status -> assertThat(section).contains("<code>" + status + "</code>"));
        }
        assertThat(html).contains("<b>Errors.</b>").doesNotContain("**");
        assertThat(section(html, "sendMessages")).contains("<code>deduplicationId</code>");
    }

    private static String section(String html, String id) {
        int begin = html.indexOf("id=\"" + id + "\"");
        int end = html.indexOf("<h3 ", begin);
        return html.substring(begin, end < 0 ? html.length() : end);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    @Test
    void thePage_ofADocumentWithMarkupInEveryText_hasNoneOfIt() {
        String bad = "</p><script>alert(1)</script>\\\"'&**<i>x</i>**";
        String text = io.perdure.server.rest.Document.read()
                .text()
                .replaceAll(
                        "(\"(?:description|summary|title|name|operationId)\": )\"[^\"]*\"",
                        "$1\"" + bad.replace("\\", "\\\\") + "\"");
        String html = DocumentPage.of(Json.of(text)).html();
        assertThat(text).contains("<script>");
        assertThat(html)
                .contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;<b>&lt;i&gt;x&lt;/i&gt;</b>")
                .doesNotContain("<script", "<i>", "alert(1)</");
    }
}
