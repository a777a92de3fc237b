package io.perdure.server.telemetry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The expressions of what is watched with. */
final class Queries {
    private Queries() {}

    /** Of a dashboard of Grafana, its variables included. */
    static List<Query> ofDashboard(Path file) throws IOException {
        JsonNode dashboard = JsonMapper.shared().readTree(Files.readString(file));
        Stream<String> variables = dashboard
                .path("templating")
                .path("list")
                .valueStream()
                .map(variable -> variable.path("query").path("query").asString(""))
                .filter(query -> query.startsWith("label_values("))
                .map(query -> query.replaceAll("label_values\\((\\w+(?:\\{.*\\})?), *(\\w+)\\)", "sum by ($2) ($1)"));
        Stream<String> panels = dashboard.path("panels").findValuesAsString("expr").stream();
        return Stream.concat(variables, panels)
                .map(query -> query.replace("$__rate_interval", "5m")
                        .replace("$workflow", ".*")
                        .replace("$job", ".*"))
                .map(Query::new)
                .toList();
    }

    /** Of a file of rules of Prometheus, in which each has a line of its own. */
    static List<Query> ofRules(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(String::strip)
                .filter(line -> line.startsWith("expr: "))
                .map(line -> new Query(line.substring("expr: ".length())))
                .toList();
    }
}
