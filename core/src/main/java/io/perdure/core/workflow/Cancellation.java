package io.perdure.core.workflow;

/**
 * How far the cancelling of many runs has come.
 *
 * @param matched how many were running or parked when it began
 * @param cancelled how many it has cancelled
 * @param missed how many had ended, whoever ended them, before it came to them. With the cancelled ones that need not be all that matched:
 *     a run can end before it is found again
 */
public record Cancellation(long matched, long cancelled, long missed) {}
