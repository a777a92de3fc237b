package io.perdure.server.rest;

import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.wire.Words;
import io.perdure.server.http.Query;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;

/** Reads which runs are meant from the parameters of a request. */
final class Filters {
    /** The parameters of a filter. */
    static final List<String> NAMES =
            List.of("status", "since", "until", "tag", "tag.<name>", "input", "input.<field>", "waiting");

    private static final String TAG = "tag.";
    private static final String INPUT = "input.";

    private Filters() {}

    /** The parameters of a filter, and these. */
    static String[] and(String... more) {
        return Stream.concat(NAMES.stream(), Stream.of(more)).toArray(String[]::new);
    }

    static RunFilter read(Exchange exchange) {
        Query query = exchange.query();
        RunFilter filter = RunFilter.all();
        if (exchange.hasPath("name")) {
            filter = filter.workflow(exchange.path("name", WorkflowName::new).value());
        }
        RunStatus status = query.parsed("status", word -> Words.parse(RunStatus.class, word))
                .orElse(null);
        filter = status == null ? filter : filter.status(status);
        filter = query.parsed("since", text -> time("since", text))
                .map(filter::since)
                .orElse(filter);
        filter = query.parsed("until", text -> time("until", text))
                .map(filter::until)
                .orElse(filter);
        filter = tags(filter, query);
        filter = inputs(filter, query);
        if (query.flag("waiting")) {
            if (status != null && status != RunStatus.RUNNING) {
                throw InvalidValueException.ofField("waiting", "is asked for together with another status.");
            }
            filter = filter.waitingForWorker();
        }
        return filter;
    }

    private static RunFilter tags(RunFilter before, Query query) {
        RunFilter filter = before;
        for (String tag : query.all("tag")) {
            int colon = tag.indexOf(':');
            if (colon < 1) {
                throw InvalidValueException.ofField("tag", "must be a name, a colon and a value.");
            }
            filter = filter.tag(tag.substring(0, colon), tag.substring(colon + 1));
        }
        for (String name : query.names()) {
            if (name.startsWith(TAG)) {
                for (String value : query.all(name)) {
                    filter = filter.tag(name.substring(TAG.length()), value);
                }
            }
        }
        return filter;
    }

    private static RunFilter inputs(RunFilter before, Query query) {
        RunFilter filter = before;
        for (Json part : query.allParsed("input", Filters::part)) {
            filter = filter.input(part);
        }
        for (String name : query.names()) {
            if (name.startsWith(INPUT)) {
                for (String value : query.all(name)) {
                    filter = filter.inputField(name.substring(INPUT.length()), jsonOrText(value));
                }
            }
        }
        return filter;
    }

    /** Held to what can be looked for, before any run is looked at. */
    private static Json part(String text) {
        Json part = Json.of(text);
        part.matcher();
        return part;
    }

    private static Json jsonOrText(String value) {
        try {
            return part(value);
        } catch (InvalidValueException _) {
            return Json.string(value);
        }
    }

    private static Instant time(String name, String text) {
        try {
            return text.length() == "2026-01-31".length()
                    ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : Instant.parse(text);
        } catch (DateTimeException _) {
            throw InvalidValueException.ofField(
                    name, "must be a time such as 2026-01-31T12:00:00Z, or a day such as 2026-01-31.");
        }
    }
}
