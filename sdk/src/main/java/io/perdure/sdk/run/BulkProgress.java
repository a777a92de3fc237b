package io.perdure.sdk.run;

/**
 * How far something that is done to many runs has come.
 *
 * @param matched how many runs it was meant for when it began
 * @param done to how many of them it was done
 * @param missed how many did not allow it any more when it came to them, whoever was first, or, for a redrive, whose workflow id another
 *     run has or whose deadline has passed. With those that were done these need not be all that matched: a run can end before it is found again
 */
public record BulkProgress(long matched, long done, long missed) {}
