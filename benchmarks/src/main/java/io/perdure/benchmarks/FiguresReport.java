package io.perdure.benchmarks;

import io.perdure.cli.Terminal;
import io.perdure.cli.TextTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a benchmark found, figure by figure.
 *
 * @param machine what it was measured on
 * @param figures in the order in which they are shown
 * @param remark what they say together
 */
record FiguresReport(String machine, List<Figure> figures, String remark) {
    FiguresReport {
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

    void print(Terminal terminal) {
        terminal.out().println(machine);
        terminal.out().println();
        TextTable table = new TextTable("WHAT", "FIGURE", "TARGET ON 2 CORES");
        figures.forEach(figure -> table.row(figure.what(), figure.text(), figure.goalText()));
        table.print(terminal);
        terminal.out().println();
        terminal.out().println(remark);
    }
}
