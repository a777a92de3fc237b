package io.perdure.core.store;

import io.perdure.core.store.RunSnapshot.MailboxEntry;
import java.util.List;

/**
 * Some of the signals that a run has not taken.
 *
 * @param wakes how many signals the run was sent
 * @param entries in the order they came
 * @param more whether others follow that did not fit
 */
public record MailboxPage(long wakes, List<MailboxEntry> entries, boolean more) {
    public MailboxPage {
        entries = List.copyOf(entries);
    }
}
