package io.perdure.store.postgres;

import io.perdure.core.store.Hint;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Queues in which something became ready, as a function answers them: their tenants, and then their names. */
final class Ready {
    private Ready() {}

    static List<Hint> of(@Nullable String @Nullable [] texts) {
        if (texts == null) {
            return List.of();
        }
        List<Hint> hints = new ArrayList<>();
        int count = texts.length / 2;
        for (int at = 0; at < count; at++) {
            hints.add(new Hint.Ready(
                    new TenantId(Objects.requireNonNull(texts[at])),
                    new QueueName(Objects.requireNonNull(texts[count + at]))));
        }
        return hints;
    }
}
