package io.perdure.sdk.wire;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.worker.Answer;
import io.perdure.sdk.worker.Progress;
import io.perdure.sdk.worker.Release;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What happened to runs, and what became of that. */
public final class CommitJson {
    private CommitJson() {}

    /**
     * A commit as it is sent.
     *
     * @param again whether nobody knows what became of an earlier try of the very same
     */
    public record Sent(Progress progress, boolean again) {}

    public static Json write(Sent sent) {
        Progress progress = sent.progress();
        return ClaimJson.builder(progress.held())
                .put("seq", progress.seq())
                .put(
                        "events",
                        JsonArray.of(progress.events().stream()
                                .map(HistoryJson::write)
                                .toList()))
                .put("release", progress.release() == null ? null : write(progress.release()))
                .put("again", sent.again() ? Json.bool(true) : null)
                .build();
    }

    public static Sent sent(Json json) {
        JsonObject object = JsonObject.parse(json);
        Progress progress = new Progress(
                ClaimJson.held(object),
                object.integer("seq"),
                Fields.list(object, "events", HistoryJson::draft),
                object.has("release") ? release(object.value("release")) : null);
        return new Sent(progress, Fields.flag(object, "again"));
    }

    private static Json write(Release release) {
        return JsonObject.builder()
                .put("ready", HistoryJson.write(release.ready()))
                .put(
                        "wakeOn",
                        JsonArray.of(release.wakeOn().stream()
                                .map(event -> Json.string(event.value()))
                                .toList()))
                .put("wakes", release.wakes())
                .build();
    }

    private static Release release(Json json) {
        JsonObject object = JsonObject.parse(json);
        return new Release(
                HistoryJson.due(object.value("ready")),
                Fields.list(object, "wakeOn", name -> new EventName(name.content())).stream()
                        .collect(Collectors.toSet()),
                object.integer("wakes"));
    }

    /**
     * An answer. What was kept is not sent back: whoever sent it has it. Only the times come back that the store fixed, of which that of the
     * commit is one for all its events.
     */
    public static Json write(Answer answer) {
        JsonObject.Builder json = JsonObject.builder();
        return switch (answer) {
            case Answer.Kept(List<Recorded> events) ->
                json.put("kept", times(events)).build();
            case Answer.Lost(String why) -> json.put("lost", why).build();
            case Answer.Woken() -> json.put("woken", true).build();
            case Answer.Refused(ErrorCode code, String what) ->
                json.put("refused", ProblemJson.write(ProblemJson.exception(code, what), 0))
                        .build();
        };
    }

    /** The answer to a commit that could not be tried, or whose outcome is unknown. */
    public static Json write(PerdureException error, int status) {
        return JsonObject.builder()
                .put("problem", ProblemJson.write(error, status))
                .build();
    }

    private static Json times(List<Recorded> events) {
        JsonObject.Builder json = JsonObject.builder();
        if (!events.isEmpty()) {
            json.put("at", events.getFirst().at());
        }
        if (events.stream().anyMatch(recorded -> recorded.until() != null)) {
            json.put(
                    "until", JsonArray.of(events.stream().map(CommitJson::until).toList()));
        }
        return json.build();
    }

    private static Json until(Recorded recorded) {
        Instant until = recorded.until();
        return until == null ? Json.NULL : Json.time(until);
    }

    /** Reads the answer to a commit; throws what it could not be tried for. */
    public static Answer answer(Json json, Progress progress) {
        JsonObject object = JsonObject.parse(json);
        if (object.has("kept")) {
            return kept(JsonObject.parse(object.value("kept")), progress);
        }
        if (object.has("lost")) {
            return new Answer.Lost(object.string("lost"));
        }
        if (Fields.flag(object, "woken")) {
            return new Answer.Woken();
        }
        if (object.has("refused")) {
            PerdureException refused = ProblemJson.read(object.value("refused"), 0);
            return new Answer.Refused(refused.code(), refused.what());
        }
        throw ProblemJson.read(object.value("problem"), 0);
    }

    private static Answer.Kept kept(JsonObject json, Progress progress) {
        if (progress.events().isEmpty()) {
            return new Answer.Kept(List.of());
        }
        Instant at = Fields.instant(json, "at");
        List<Json> untils = json.has("until") ? JsonArray.parse(json.value("until")) : List.of();
        List<Recorded> events = new ArrayList<>(progress.events().size());
        for (Draft draft : progress.events()) {
            int place = events.size();
            events.add(new Recorded(
                    progress.seq() + place,
                    at,
                    place < untils.size() ? until(untils.get(place)) : null,
                    draft.event()));
        }
        return new Answer.Kept(events);
    }

    private static @Nullable Instant until(Json json) {
        if (json.equals(Json.NULL)) {
            return null;
        }
        try {
            return json.time();
        } catch (DateTimeException e) {
            throw InvalidValueException.ofField("until", "is no time such as 2026-01-31T12:00:00Z.");
        }
    }

    /** Many under a name: the commits of a request, or the answers to them. */
    public static Json list(String name, List<Json> each) {
        return JsonObject.builder().put(name, JsonArray.of(each)).build();
    }

    /** The other way round; {@code PD-607} where there are more than that. */
    public static List<Json> list(Json json, String name, int most) {
        List<Json> each = JsonArray.parse(JsonObject.parse(json).value(name));
        if (each.size() > most) {
            throw new InvalidValueException(
                    ErrorCode.BODY_TOO_LARGE,
                    "There are " + each.size() + " " + name + "; at most " + most + " may come at once.");
        }
        return each;
    }
}
