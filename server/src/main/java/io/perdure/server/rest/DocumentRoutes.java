package io.perdure.server.rest;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.perdure.sdk.json.Json;
import java.util.List;

/** Serves the document that describes all operations, and a page made of it. */
final class DocumentRoutes {
    private static final HeaderName POLICY = HeaderNames.create("Content-Security-Policy");
    private static final HeaderName REFERRER = HeaderNames.create("Referrer-Policy");
    private static final HeaderName FRAMES = HeaderNames.create("X-Frame-Options");

    private DocumentRoutes() {}

    static List<Operation> operations() {
        Json document = Document.read();
        DocumentPage page = DocumentPage.of(document);
        return List.of(
                Operation.get("/openapi.json", "getDocument", exchange -> exchange.answer(document))
                        .forEverybody(),
                Operation.get("/", "getPage", exchange -> {
                            exchange.header(POLICY, page.policy());
                            exchange.header(REFERRER, "no-referrer");
                            exchange.header(FRAMES, "DENY");
                            exchange.answer("text/html; charset=utf-8", page.html());
                        })
                        .forEverybody());
    }
}
