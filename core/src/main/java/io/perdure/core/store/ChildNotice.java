package io.perdure.core.store;

import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * What a parent finds in its mailbox when its child ends: a signal as any other, under a name of Perdure's own. It is put
 * there by the commit that ends the child, full mailbox or not.
 */
public record ChildNotice(
        RunId child,
        RunStatus status,
        @Nullable Json output,
        @Nullable Failure error) {
    /** The event it comes as. */
    public EventName event() {
        return EventName.childEnded(child);
    }

    /** What it says: {@code {"child": …, "status": …, "output": …, "error": …}}. */
    public Json payload() {
        return JsonObject.builder()
                .put("child", child.toString())
                .put("status", status.word())
                .put("output", output)
                .put("error", error == null ? null : error.json())
                .build();
    }
}
