package io.perdure.server.rest;

import io.helidon.webserver.http.ServerRequest;
import io.perdure.sdk.logging.LogKey;
import io.perdure.server.http.Caller;
import io.perdure.server.http.RequestLog;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says to the log whose request is answered, and what it is about. */
final class Whose {
    private Whose() {}

    /** Says it of a request that was admitted: what others send has no place in the log. */
    static void say(ServerRequest request, Operation operation, Map<String, String> path, Caller caller) {
        RequestLog.say(LogKey.TENANT, caller.tenant().value());
        request.headers().first(Exchange.REQUEST_ID).ifPresent(id -> RequestLog.say(LogKey.REQUEST, id));
        String name = path.get("name");
        String id = path.get("id");
        if (operation.path().startsWith(QueueRoutes.QUEUES)) {
            say(LogKey.QUEUE, name);
        } else if (operation.path().startsWith(Runs.OF_WORKFLOW)) {
            say(LogKey.WORKFLOW, name);
            say(LogKey.RUN, id);
        } else if (operation.path().startsWith(Runs.ANY)) {
            say(LogKey.RUN, id);
        }
    }

    private static void say(LogKey key, @Nullable String value) {
        if (value != null) {
            RequestLog.say(key, value);
        }
    }
}
