package io.perdure.core.queue;

/**
 * What a consumer has done since it began, and what it has in hand.
 *
 * @param handled messages whose handler returned, or settled them itself
 * @param retried messages that were given back because their handler threw or took too long; those that had used up their deliveries
 *     became dead letters by that
 * @param rejected messages whose handler gave them up
 * @param lost messages whose lease was lost before their handler began, or before its answer came
 * @param inHand messages that are received and not settled yet
 */
public record ConsumerFigures(long handled, long retried, long rejected, long lost, int inHand) {}
