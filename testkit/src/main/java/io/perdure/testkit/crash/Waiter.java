package io.perdure.testkit.crash;

import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.workflow.Match;
import io.perdure.sdk.workflow.Workflow;
import io.perdure.sdk.workflow.WorkflowContext;
import java.util.ArrayList;
import java.util.List;

/** The workflow that is attacked at its suspensions: it waits for numbered events, one after another, and tells which it took. */
final class Waiter {
    static final String NAME = "waiter";
    static final String EVENT = "go";
    static final String OTHER_EVENT = "stay";
    static final int TURNS = 5;

    private static final String WAIT = "turn-";

    private Waiter() {}

    /** What is sent to it: which turn it is meant for, none where it is negative, and which of all it is. */
    record Parcel(int turn, int nonce) {
        Json json() {
            return JsonObject.builder().put("turn", turn).put("nonce", nonce).build();
        }

        static Parcel of(Json payload) {
            JsonObject fields = JsonObject.parse(payload);
            return new Parcel((int) fields.integer("turn"), (int) fields.integer("nonce"));
        }
    }

    static Workflow<Integer, String> workflow() {
        return Workflow.named(NAME).run(Integer.class, String.class, (ctx, _) -> run(ctx));
    }

    private static String run(WorkflowContext ctx) {
        List<Parcel> taken = new ArrayList<>();
        for (int turn = 0; turn < TURNS; turn++) {
            Match ours = Match.where("turn", turn).event(EVENT);
            taken.add(Parcel.of(ctx.waitForEvent(WAIT + turn, Json.class, ours)));
        }
        return result(taken);
    }

    static String result(List<Parcel> taken) {
        return taken.toString();
    }

    /** The turn of a wait. */
    static int turnOf(String wait) {
        return Integer.parseInt(wait.substring(WAIT.length()));
    }
}
