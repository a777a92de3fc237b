package io.perdure.server.worker;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.StepName;
import io.perdure.sdk.trace.TraceContext;
import io.perdure.sdk.workflow.Attempt;
import java.util.Map;

/** A step that was seen at work: in whose hands, and which try it was. */
record Sighting(String worker, Attempt attempt) {
    /** As a witness is told. */
    String line() {
        return "%s %s %s %s %s"
                .formatted(worker, attempt.run(), attempt.step(), attempt.number(), attempt.idempotencyKey());
    }

    /** Reads what a witness was told; the key in it must be the one that its run and step have. */
    static Sighting of(String line) {
        String[] words = line.split(" ", -1);
        RunId run = RunId.parse(words[1]);
        TraceContext anywhere = TraceContext.ofRun(run, Map.of());
        Sighting sighting = new Sighting(
                words[0], new Attempt(run, new StepName(words[2]), Integer.parseInt(words[3]), 1, anywhere));
        if (!sighting.line().equals(line)) {
            throw new AssertionError("No line of a witness: " + line);
        }
        return sighting;
    }

    RunId run() {
        return attempt.run();
    }

    /** What the outside would know the step by. */
    String key() {
        return attempt.idempotencyKey();
    }
}
