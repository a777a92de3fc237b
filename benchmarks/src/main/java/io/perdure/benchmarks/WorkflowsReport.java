package io.perdure.benchmarks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code perdure bench workflows} found.
 *
 * @param machine what it was measured on
 * @param figures in the order in which they are shown
 * @param remark what they say together
 */
record WorkflowsReport(String machine, List<Figure> figures, String remark) {
    WorkflowsReport {
        figures = List.copyOf(figures);
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("machine", machine);
        figures.forEach(figure -> json.put(figure.key(), figure.json()));
        json.put(
                "missed",
                figures.stream().filter(Figure::isMissed).map(Figure::key).toList());
        return json;
    }
}
