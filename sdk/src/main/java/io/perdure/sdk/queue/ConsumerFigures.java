package io.perdure.sdk.queue;

/**
 * What a consumer has done since it began, and what it has in hand.
 *
 * @param handled messages whose handler returned, or settled them itself
 * @param retried messages that were given back because their handler threw or took too long, and are delivered again
 * @param deadLettered messages that were to be given back just so, but had used up their deliveries: they became dead letters, or were
 *     dropped where the queue keeps none
 * @param rejected messages whose handler gave them up
 * @param lost messages whose lease was lost before their handler began, or before its answer came
 * @param inHand messages that are received and not settled yet
 */
public record ConsumerFigures(long handled, long retried, long deadLettered, long rejected, long lost, int inHand) {}
