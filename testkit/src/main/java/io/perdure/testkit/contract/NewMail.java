package io.perdure.testkit.contract;

import io.perdure.core.store.NewMessage;
import io.perdure.core.store.QueueCommit.Send;
import io.perdure.sdk.id.DeduplicationId;
import io.perdure.sdk.id.GroupKey;
import io.perdure.sdk.id.MessageId;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message in the making: to the usual queue, at once, in no group, unless a test says otherwise. */
final class NewMail {
    private final MessageId id;
    private QueueName queue = StoreFixture.QUEUE;
    private Json body = Json.of("{\"to\":\"a@b.c\"}");
    private Map<String, String> headers = Map.of();
    private Duration delay = Duration.ZERO;
    private @Nullable GroupKey group;
    private @Nullable DeduplicationId deduplicationId;

    NewMail(MessageId id) {
        this.id = id;
    }

    NewMail queue(QueueName name) {
        queue = name;
        return this;
    }

    NewMail body(String json) {
        body = Json.of(json);
        return this;
    }

    NewMail headers(Map<String, String> all) {
        headers = all;
        return this;
    }

    NewMail delay(Duration by) {
        delay = by;
        return this;
    }

    NewMail group(String key) {
        group = new GroupKey(key);
        return this;
    }

    NewMail deduplicationId(String value) {
        deduplicationId = new DeduplicationId(value);
        return this;
    }

    NewMessage message() {
        return new NewMessage(id, queue, body, headers, delay, group, deduplicationId);
    }

    Send send(TenantId tenant) {
        return new Send(tenant, List.of(message()));
    }
}
