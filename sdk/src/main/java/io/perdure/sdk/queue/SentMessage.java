package io.perdure.sdk.queue;

import io.perdure.sdk.id.MessageId;

/**
 * What became of one message of a send.
 *
 * @param id the message that stands for it: itself, or the earlier one with the same deduplication id
 */
public record SentMessage(MessageId id, boolean created) {}
