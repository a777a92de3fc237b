package io.perdure.server.rest;

import io.perdure.core.store.RequestAnswer;
import io.perdure.sdk.PerdureException;

/** Hears what comes of a request, before its sender does. */
interface Witness {
    /** Nobody wants to know. */
    Witness NOBODY = new Witness() {
        @Override
        public void answers(RequestAnswer answer) {
            // Nobody wants to know.
        }

        @Override
        public void fails(PerdureException error, RequestAnswer answer) {
            // Nor this.
        }
    };

    /** It was done, and this is about to be answered. */
    void answers(RequestAnswer answer);

    /** It failed, and this is about to be answered. */
    void fails(PerdureException error, RequestAnswer answer);
}
