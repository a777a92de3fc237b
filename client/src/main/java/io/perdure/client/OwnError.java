package io.perdure.client;

import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.RunFailedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.UnreadableHistoryException;
import io.perdure.sdk.WorkflowCodeException;

/** Errors of requests that several callers share. */
final class OwnError {
    private OwnError() {}

    /** One of the caller's own: many fail for the same reason, and none is to see the stack of another. */
    static PerdureException of(PerdureException why, String what) {
        return switch (why) {
            case StoreException e -> new StoreException(e.code(), what, e);
            case InvalidValueException e -> new InvalidValueException(e.code(), what, e);
            case RefusedException e -> new RefusedException(e.code(), what, e);
            case UnreadableHistoryException e -> new UnreadableHistoryException(e.code(), what, e);
            case WorkflowCodeException e -> new WorkflowCodeException(e.code(), what, e);
            case RunFailedException e -> new RunFailedException(e.code(), what, e);
        };
    }
}
