package io.perdure.sdk;

import java.time.Duration;

/**
 * How much goes into one request of a worker elsewhere, how long it may wait, and how long any request is remembered; part of {@link Limits}.
 *
 * @param waitMax longest wait of a request for something to happen
 * @param requestCommits most commits in one request
 * @param requestBytes largest request with commits
 * @param extendBytes largest request with leases to extend: twice what as many take as may be named
 * @param smallRequestBytes largest of all other requests of a worker
 * @param requestStarts most starts in one request
 * @param startsBytes how much of starts a client puts into one request; one that has more by itself goes alone
 * @param claimBytes how much of histories one answer to a claim brings; one that has more by itself comes alone
 * @param answerBytes largest answer that is read
 * @param workers most workers of one server that are told what happens
 * @param hintsKept how long it is kept for a worker that does not ask
 * @param requestsKept how long a request that bears an id is remembered with its answer, for when it is sent again
 */
public record RemoteLimits(
        Duration waitMax,
        int requestCommits,
        int requestBytes,
        int extendBytes,
        int smallRequestBytes,
        int requestStarts,
        int startsBytes,
        int claimBytes,
        int answerBytes,
        int workers,
        Duration hintsKept,
        Duration requestsKept) {}
