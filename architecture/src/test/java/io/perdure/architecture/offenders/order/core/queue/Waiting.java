package io.perdure.architecture.offenders.order.core.queue;

import io.perdure.architecture.offenders.order.core.Door;
import java.util.function.Supplier;

public final class Waiting {
    Object seesTheDoor(Supplier<Object> any) {
        return any.get() instanceof Door;
    }
}
