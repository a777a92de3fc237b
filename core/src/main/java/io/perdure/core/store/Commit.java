package io.perdure.core.store;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.id.TenantId;

/**
 * One atomic change of a store. There are two families: {@link RunCommit} changes a run, its message and its mailbox;
 * {@link QueueCommit} changes queues and the messages that users put there. {@code docs/decisions/0001} has the table of who
 * sends which.
 */
public sealed interface Commit permits RunCommit, QueueCommit {
    /** The tenant that everything in this commit belongs to. */
    TenantId tenant();

    /** Throws {@code PD-008} unless the rule holds: a commit that breaks it must never reach a store. */
    static void require(boolean holds, String rule) {
        if (!holds) {
            throw new InvalidValueException(ErrorCode.MALFORMED_COMMIT, rule);
        }
    }
}
