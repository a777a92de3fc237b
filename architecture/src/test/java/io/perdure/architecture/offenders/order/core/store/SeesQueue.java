package io.perdure.architecture.offenders.order.core.store;

import io.perdure.architecture.offenders.order.core.queue.Waiting;

final class SeesQueue {
    boolean seesTheQueue(Object any) {
        return any instanceof Waiting;
    }
}
