package io.perdure.sdk.json;

import java.util.ArrayList;
import java.util.List;

/** A JSON array taken apart into its elements, which stay the text they were, as {@link JsonObject} does with members. */
public final class JsonArray {
    private JsonArray() {}

    /** Takes an array apart; any other value is {@code PD-004}. */
    public static List<Json> parse(Json json) {
        String text = json.text();
        JsonScan scan = new JsonScan(text);
        if (!scan.steps('[')) {
            throw JsonText.notJson("An array is expected.", null);
        }
        List<Json> elements = new ArrayList<>();
        if (!scan.steps(']')) {
            do {
                int from = scan.space().at();
                scan.value();
                elements.add(Json.ofStored(text.substring(from, scan.at())));
            } while (scan.steps(','));
            scan.require(']');
        }
        return elements;
    }

    /** The array of these. */
    public static Json of(List<Json> elements) {
        int length = 2;
        for (Json element : elements) {
            length += element.text().length() + 1;
        }
        StringBuilder text = new StringBuilder(length).append('[');
        for (Json element : elements) {
            if (text.length() > 1) {
                text.append(',');
            }
            text.append(element.text());
        }
        return Json.ofStored(text.append(']').toString());
    }
}
