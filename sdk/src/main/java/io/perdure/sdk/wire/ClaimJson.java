package io.perdure.sdk.wire;

import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.WorkflowName;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonArray;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.worker.Assignment;
import io.perdure.sdk.worker.Claim;
import io.perdure.sdk.worker.Claimed;
import io.perdure.sdk.worker.Held;
import io.perdure.sdk.worker.Mailbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Claims and what answers them, leases, mailboxes. */
public final class ClaimJson {
    /** What a worker names that has received no answer yet. */
    public static final long NONE_RECEIVED = 0;

    private static final long NOT_SAID = -1;

    private ClaimJson() {}

    /**
     * A claim of a worker that has one under way at a time.
     *
     * @param wait how long the server may wait for a run to become due
     * @param received the number of the newest answer that the worker has received, nought where there is none: what was leased by another one
     *     since did not arrive, and is to be had again
     */
    public static Json write(Claim claim, Duration wait, long received) {
        return JsonObject.builder()
                .put("served", writeServed(claim.served()))
                .put("max", claim.max())
                .put("reclaims", claim.reclaims())
                .put("wait", wait.toString())
                .put("received", received)
                .build();
    }

    public static Claim claim(Json json) {
        JsonObject object = JsonObject.parse(json);
        return new Claim(served(object), Fields.count(object, "max"), Fields.flag(object, "reclaims"));
    }

    /** How long the server may wait before it answers a claim or a poll; not at all where nothing is said. */
    public static Duration wait(Json json) {
        Duration wait = Fields.durationOrNull(JsonObject.parse(json), "wait");
        if (wait != null && wait.isNegative()) {
            throw InvalidValueException.ofField("wait", "is negative.");
        }
        return wait == null ? Duration.ZERO : wait;
    }

    /** The number of the newest answer that the worker has received; where it names none, that of no answer at all. */
    public static long received(Json json) {
        JsonObject object = JsonObject.parse(json);
        return object.has("received") ? object.integer("received") : NOT_SAID;
    }

    static Json writeServed(List<Claim.Served> served) {
        return JsonArray.of(served.stream()
                .map(one -> JsonObject.builder()
                        .put("workflow", one.workflow().value())
                        .put(
                                "versions",
                                JsonArray.of(one.versions().stream()
                                        .sorted()
                                        .map(Json::number)
                                        .toList()))
                        .build())
                .toList());
    }

    /** What a claim, a poll or an announcement says that the worker has code for. */
    public static List<Claim.Served> served(JsonObject object) {
        return Fields.list(object, "served", ClaimJson::servedWorkflow);
    }

    static Claim.Served servedWorkflow(Json json) {
        JsonObject one = JsonObject.parse(json);
        return new Claim.Served(
                new WorkflowName(one.string("workflow")),
                JsonArray.parse(one.value("versions")).stream()
                        .map(ClaimJson::version)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    private static int version(Json json) {
        try {
            return Integer.parseInt(json.text());
        } catch (NumberFormatException e) {
            throw InvalidValueException.ofField("versions", "holds what is no version of a workflow.");
        }
    }

    /** The answer of this number, of assignments that are written already; without one where nobody notes what arrives. */
    public static Json writeClaimed(List<Json> assignments, @Nullable Duration nextIn, @Nullable Long number) {
        return JsonObject.builder()
                .put("number", number == null ? null : Json.number(number))
                .put("runs", JsonArray.of(assignments))
                .put("nextIn", Fields.text(nextIn))
                .build();
    }

    /**
     * What answers a claim.
     *
     * @param number which one it is of those that the server notes; absent where it notes none
     */
    public record Answer(Claimed claimed, @Nullable Long number) {}

    /**
     * Reads an answer to a claim.
     *
     * @param unreadable is told of each run that this release cannot read: it keeps its own run from going on, and no other
     */
    public static Answer answer(Json json, Consumer<PerdureException> unreadable) {
        JsonObject object = JsonObject.parse(json);
        List<Assignment> runs = new ArrayList<>();
        for (Json run : JsonArray.parse(object.value("runs"))) {
            try {
                runs.add(assignment(run));
            } catch (PerdureException e) {
                unreadable.accept(e);
            }
        }
        return new Answer(new Claimed(runs, Fields.durationOrNull(object, "nextIn")), number(object));
    }

    private static @Nullable Long number(JsonObject answer) {
        long number = answer.has("number") ? answer.integer("number") : NONE_RECEIVED;
        return number == NONE_RECEIVED ? null : number;
    }

    public static Json write(Assignment assignment) {
        return builder(assignment.held())
                .put("workflow", assignment.workflow().value())
                .put("version", assignment.version())
                .put("lapses", assignment.lapses())
                .put("at", assignment.at())
                .put("deadline", assignment.deadline())
                .put(
                        "history",
                        JsonArray.of(assignment.history().stream()
                                .map(HistoryJson::write)
                                .toList()))
                .put("mailbox", write(assignment.mailbox()))
                .build();
    }

    static Assignment assignment(Json json) {
        JsonObject object = JsonObject.parse(json);
        return new Assignment(
                held(object),
                new WorkflowName(object.string("workflow")),
                Fields.count(object, "version"),
                Fields.count(object, "lapses"),
                Fields.instant(object, "at"),
                Fields.instantOrNull(object, "deadline"),
                Fields.list(object, "history", HistoryJson::recorded),
                mailbox(object.value("mailbox")));
    }

    public static Json write(Held held) {
        return builder(held).build();
    }

    static JsonObject.Builder builder(Held held) {
        return JsonObject.builder()
                .put("run", held.run().toString())
                .put("token", held.token().toString());
    }

    public static Held held(Json json) {
        return held(JsonObject.parse(json));
    }

    static Held held(JsonObject object) {
        return new Held(RunId.parse(object.string("run")), Fields.uuid(object, "token"));
    }

    /** Leases under a name: those to extend, or those that are lost. */
    public static Json write(String name, List<Held> leases) {
        return JsonObject.builder()
                .put(name, JsonArray.of(leases.stream().map(ClaimJson::write).toList()))
                .build();
    }

    public static List<Held> leases(Json json, String name) {
        return Fields.list(JsonObject.parse(json), name, ClaimJson::held);
    }

    public static Json write(Mailbox mailbox) {
        return JsonObject.builder()
                .put("wakes", mailbox.wakes())
                .put(
                        "letters",
                        JsonArray.of(
                                mailbox.letters().stream().map(ClaimJson::write).toList()))
                .build();
    }

    public static Json write(Mailbox.Letter letter) {
        return JsonObject.builder()
                .put("number", letter.number())
                .put("event", letter.event().value())
                .put("payload", letter.payload())
                .put("at", letter.at())
                .build();
    }

    public static Mailbox mailbox(Json json) {
        JsonObject object = JsonObject.parse(json);
        return new Mailbox(object.integer("wakes"), Fields.list(object, "letters", ClaimJson::letter));
    }

    private static Mailbox.Letter letter(Json json) {
        JsonObject object = JsonObject.parse(json);
        return new Mailbox.Letter(
                object.integer("number"),
                new EventName(object.string("event")),
                object.value("payload"),
                Fields.instant(object, "at"));
    }
}
