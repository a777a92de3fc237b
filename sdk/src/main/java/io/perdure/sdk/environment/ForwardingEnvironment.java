package io.perdure.sdk.environment;

import io.perdure.sdk.id.Ids;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** An environment that is another one in all but what it says itself: a world whose clock is wrong, or whose waits are over at once. */
public interface ForwardingEnvironment extends Environment {
    /** The one that all else comes from. */
    Environment real();

    @Override
    default InstantSource clock() {
        return real().clock();
    }

    @Override
    default long nanoTime() {
        return real().nanoTime();
    }

    @Override
    default RandomGenerator random() {
        return real().random();
    }

    @Override
    default Ids ids() {
        return real().ids();
    }

    @Override
    default String processName() {
        return real().processName();
    }

    @Override
    default Thread start(String name, Runnable task) {
        return real().start(name, task);
    }

    @Override
    default Thread startApart(String name, Runnable task) {
        return real().startApart(name, task);
    }

    @Override
    default Bell bell() {
        return real().bell();
    }
}
