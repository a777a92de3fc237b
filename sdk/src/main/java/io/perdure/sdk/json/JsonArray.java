package io.perdure.sdk.json;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** A JSON array taken apart into its elements, which stay the text they were, as {@link JsonObject} does with members. */
public final class JsonArray {
    private JsonArray() {}

    /** Takes an array apart; any other value is {@code PD-004}. */
    public static List<Json> parse(Json json) {
        String text = json.text();
        try (JsonParser parser = JsonText.parser(text)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw JsonText.notJson("An array is expected.", null);
            }
            List<Json> elements = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                elements.add(JsonText.slice(parser, text));
            }
            return elements;
        } catch (JacksonException e) {
            throw JsonText.notJson(e.getOriginalMessage() + ".", e);
        }
    }

    /** The array of these. */
    public static Json of(List<Json> elements) {
        return Json.ofStored(elements.stream().map(Json::text).collect(Collectors.joining(",", "[", "]")));
    }
}
