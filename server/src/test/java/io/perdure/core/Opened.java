package io.perdure.core;

import io.perdure.core.store.Store;
import io.perdure.sdk.environment.SystemEnvironment;

/** Opens engines over stores that are open. */
public final class Opened {
    private Opened() {}

    /** The engine over this store, which it closes in the end. */
    public static Perdure over(Store store) {
        return Perdure.over(store, new SystemEnvironment(), OpenOptions.defaults());
    }
}
