package io.perdure.client;

import io.perdure.sdk.history.Failure;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.wire.FieldReader;
import org.jspecify.annotations.Nullable;

/** What is done to runs from outside: they are signalled, cancelled, and put back to work. */
final class RemoteInterventions {
    /** What a reason may take of a request line, as it is written there: with the rest of it less than the 8 KiB that proxies allow. */
    private static final int REASON_BYTES = 7 * 1024;

    private static final String CUT = "…";

    private final Calls calls;
    private final Codec codec;

    RemoteInterventions(Calls calls, Codec codec) {
        this.calls = calls;
        this.codec = codec;
    }

    /** Sends a signal. If the caller gives no id it gets a fresh one, so that one that is sent twice is one signal. */
    boolean signal(RunId run, EventName event, @Nullable Object payload, @Nullable DeduplicationId id) {
        Json json = codec.write(payload, "The payload of signal \"%s\"".formatted(event));
        String path = Paths.run(run) + "/signals/" + Paths.encoded(event.value()) + "?deduplicationId="
                + (id == null ? "rq-" + calls.requestId() : Paths.encoded(id.value()));
        boolean created = calls.ask(
                calls.natural("POST", path, json),
                answer -> FieldReader.of(answer).flag("created"));
        // Where the second try finds the first there, this call has sent it all the same.
        return created || id == null;
    }

    /** Cancels a run; false where it was cancelled before. A reason that is too long for a request line is cut. */
    boolean cancel(RunId run, String reason) {
        return calls.ask(
                calls.repeatable("DELETE", Paths.run(run) + "?reason=" + Paths.encoded(fitting(reason)), null),
                answer -> FieldReader.of(answer).flag("cancelled"));
    }

    /** Cut as the engine cuts what it keeps, at a whole character. */
    private static String fitting(String reason) {
        String kept = Failure.cut(reason);
        if (Paths.encoded(kept).length() <= REASON_BYTES) {
            return kept;
        }
        int end = 0;
        int next = kept.offsetByCodePoints(0, 1);
        int bytes = Paths.encoded(CUT).length()
                + Paths.encoded(kept.substring(0, next)).length();
        while (bytes <= REASON_BYTES) {
            end = next;
            next = kept.offsetByCodePoints(end, 1);
            bytes += Paths.encoded(kept.substring(end, next)).length();
        }
        return kept.substring(0, end) + CUT;
    }

    /** Puts a parked run back to work, with its version or another one. */
    void resume(RunId run, String reason, @Nullable Integer version) {
        JsonObject.Builder body = JsonObject.builder().put("reason", reason);
        if (version != null) {
            body.put("version", version);
        }
        calls.ask(calls.repeatable("POST", Paths.run(run) + "/resume", body.build()));
    }

    /** Puts a failed run back to work where it failed. */
    void redrive(RunId run, String reason) {
        Json body = JsonObject.builder().put("reason", reason).build();
        calls.ask(calls.repeatable("POST", Paths.run(run) + "/redrive", body));
    }
}
