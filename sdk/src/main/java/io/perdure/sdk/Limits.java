package io.perdure.sdk;

import java.time.Duration;

/**
 * Every limit and default of Perdure, in one place; {@code docs/reference/limits.md} and {@code perdure limits} print it.
 * A KiB is 1,024 bytes. Most are checked when a value is made, and are the same everywhere. A store and
 * its ledger go by those that they are opened with for {@code runs.events}, {@code runs.mailbox}, {@code queues.deduplicationWindow}, {@code lanes},
 * {@code calls.examinedRows} and {@code ledger}; what is called a default is what holds unless a caller says otherwise.
 *
 * @param names how long names and keys may be
 * @param values how large values may be
 * @param runs bounds and timing of workflow runs
 * @param steps how steps are tried
 * @param queues bounds and defaults of queues
 * @param lanes how long the store remembers batches
 * @param calls how much one call may ask for
 * @param ledger how commits are gathered into batches
 * @param workers how runs are worked on
 * @param consumers how messages are consumed
 * @param upkeep what an engine does by itself while it works
 * @param keys bounds of API keys
 * @param remote how much goes into one request of a client or worker elsewhere, and how long requests are remembered
 * @param rest how much one request over HTTP may ask for
 * @param telemetry how many time series there are at most
 */
public record Limits(
        NameLimits names,
        ValueLimits values,
        Runs runs,
        StepLimits steps,
        Queues queues,
        Lanes lanes,
        Calls calls,
        Ledger ledger,
        Workers workers,
        ConsumerLimits consumers,
        UpkeepLimits upkeep,
        KeyLimits keys,
        RemoteLimits remote,
        RestLimits rest,
        TelemetryLimits telemetry) {
    private static final int KIB = 1024;
    private static final Limits DEFAULTS = new Limits(
            new NameLimits(48, 128, 128, 48, 48, 256),
            new ValueLimits(1024 * KIB, 128, 256, 16_384, 16, 8 * KIB, KIB, 10, 1024 * KIB, 4 * 1024 * KIB),
            new Runs(
                    100_000,
                    1_000_000,
                    64 * 1024 * KIB,
                    1024 * 1024 * KIB,
                    3,
                    10_000,
                    100,
                    32,
                    30,
                    365,
                    36_500,
                    Duration.ofSeconds(10),
                    10),
            new StepLimits(3, Duration.ofSeconds(1), Duration.ofSeconds(60), 0.2, Duration.ofMinutes(5)),
            new Queues(
                    128 * KIB,
                    100,
                    256 * KIB,
                    32,
                    10,
                    100,
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(30),
                    Duration.ofHours(12),
                    3,
                    100,
                    Duration.ofDays(4),
                    Duration.ofSeconds(60),
                    Duration.ofDays(14),
                    Duration.ofDays(4),
                    Duration.ofHours(12),
                    Duration.ofHours(24),
                    Duration.ofMinutes(5),
                    1_000),
            new Lanes(256, Duration.ofHours(1), Duration.ofDays(1)),
            new Calls(10_000, 1_000, 1_000, 10_000, 8 * 1024 * KIB, 10_000, 10_000),
            new Ledger(4, 2_000, 8 * 1024 * KIB, 20_000, 64 * 1024 * KIB, Duration.ofSeconds(30)),
            new Workers(
                    1_000,
                    100_000,
                    Duration.ofSeconds(50),
                    Duration.ofMillis(250),
                    Duration.ofMillis(5),
                    Duration.ofSeconds(3),
                    Duration.ofSeconds(7),
                    Duration.ofSeconds(30),
                    64),
            ConsumerLimits.DEFAULTS,
            new UpkeepLimits(
                    Duration.ofMinutes(1),
                    20_000,
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(5),
                    1_000,
                    Duration.ofSeconds(20),
                    Duration.ofSeconds(60)),
            new KeyLimits(128, Duration.ofDays(3_650), Duration.ofSeconds(5), 10_000, 500),
            new RemoteLimits(
                    Duration.ofSeconds(30),
                    1_000,
                    8 * 1024 * KIB,
                    2 * 1024 * KIB,
                    1024 * KIB,
                    1_000,
                    1024 * KIB,
                    16 * 1024 * KIB,
                    256 * 1024 * KIB,
                    10_000,
                    Duration.ofSeconds(60),
                    Duration.ofHours(24)),
            new RestLimits(
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(90),
                    Duration.ofSeconds(30),
                    50,
                    1_000,
                    16 * 1024 * KIB,
                    1_000,
                    4_000,
                    16 * KIB,
                    32 * KIB),
            new TelemetryLimits(100, 50, 50, 100, 10_000));

    /** The limits that hold unless an operator says otherwise. */
    public static Limits defaults() {
        return DEFAULTS;
    }

    /** The same with other bounds for runs. */
    public Limits with(Runs other) {
        return new Limits(
                names, values, other, steps, queues, lanes, calls, ledger, workers, consumers, upkeep, keys, remote,
                rest, telemetry);
    }

    /** The same with other bounds for calls. */
    public Limits with(Calls other) {
        return new Limits(
                names, values, runs, steps, queues, lanes, other, ledger, workers, consumers, upkeep, keys, remote,
                rest, telemetry);
    }

    /** The same with commits gathered otherwise. */
    public Limits with(Ledger other) {
        return new Limits(
                names, values, runs, steps, queues, lanes, calls, other, workers, consumers, upkeep, keys, remote, rest,
                telemetry);
    }

    /** The same with runs worked on otherwise. */
    public Limits with(Workers other) {
        return new Limits(
                names, values, runs, steps, queues, lanes, calls, ledger, other, consumers, upkeep, keys, remote, rest,
                telemetry);
    }

    /** The same with other upkeep. */
    public Limits with(UpkeepLimits other) {
        return new Limits(
                names, values, runs, steps, queues, lanes, calls, ledger, workers, consumers, other, keys, remote, rest,
                telemetry);
    }

    /**
     * Bounds and timing of workflow runs.
     *
     * @param events most events after the first in one run's history, unless the operator says otherwise; only ending, parking and interventions may go past it
     * @param eventsCeiling most events an operator may say
     * @param readBytes most bytes of history and waiting signals that a run goes on with, unless the operator says otherwise; at most an eighth of the process's heap. A run with more is parked
     * @param readBytesCeiling most bytes an operator may say
     * @param readTries how often a process tries to read a run that it cannot read before it parks it
     * @param mailbox most signals waiting for one run
     * @param wakeOn most events that a run can wait for at once
     * @param tags most tags on one run
     * @param retentionDaysDefault days a finished run is kept
     * @param retentionDaysMax most days a finished run is kept, unless the operator says otherwise
     * @param retentionDaysCeiling most days an operator may say
     * @param lease how long a claimed run stays with its worker without an extension
     * @param lapsesBeforeParking leases that may run out without progress before the run is parked
     */
    public record Runs(
            int events,
            int eventsCeiling,
            int readBytes,
            int readBytesCeiling,
            int readTries,
            int mailbox,
            int wakeOn,
            int tags,
            int retentionDaysDefault,
            int retentionDaysMax,
            int retentionDaysCeiling,
            Duration lease,
            int lapsesBeforeParking) {
        /** The same with runs kept for at most so many days. */
        public Runs retentionDaysMax(int days) {
            return with(events, readBytes, mailbox, days);
        }

        /** Returns these limits with another number of bytes that a run may have to be read. */
        public Runs readBytes(int bytes) {
            return with(events, bytes, mailbox, retentionDaysMax);
        }

        /** The same with room for other numbers of events and waiting signals. */
        public Runs holding(int otherEvents, int otherMailbox) {
            return with(otherEvents, readBytes, otherMailbox, retentionDaysMax);
        }

        private Runs with(int otherEvents, int otherBytes, int otherMailbox, int otherDays) {
            return new Runs(
                    otherEvents,
                    eventsCeiling,
                    otherBytes,
                    readBytesCeiling,
                    readTries,
                    otherMailbox,
                    wakeOn,
                    tags,
                    retentionDaysDefault,
                    otherDays,
                    retentionDaysCeiling,
                    lease,
                    lapsesBeforeParking);
        }
    }

    /**
     * Bounds and defaults of queues.
     *
     * @param messageBytes largest message, body and headers together
     * @param batchMessages most messages in one atomic send
     * @param batchBytes largest atomic send
     * @param headers most headers on one message
     * @param receiveDefault most messages in a receive that names no number
     * @param receiveMessages most messages in one receive
     * @param waitMax longest wait of a receive for messages to come
     * @param visibilityDefault how long a received message stays with its receiver
     * @param visibilityMax longest visibility timeout
     * @param retriesDefault redeliveries after the first delivery
     * @param retriesMax most redeliveries a queue may allow
     * @param retentionDefault how long an unread message is kept
     * @param retentionMin shortest retention
     * @param retentionMax longest retention
     * @param deadLetterRetention how long a dead letter is kept
     * @param delayDefault longest delay a queue allows unless set otherwise
     * @param delayMax longest delay a queue may allow
     * @param deduplicationWindow how long a deduplication id is remembered
     * @param examinedMessages most messages that one look of a receive with a match examines
     */
    public record Queues(
            int messageBytes,
            int batchMessages,
            int batchBytes,
            int headers,
            int receiveDefault,
            int receiveMessages,
            Duration waitMax,
            Duration visibilityDefault,
            Duration visibilityMax,
            int retriesDefault,
            int retriesMax,
            Duration retentionDefault,
            Duration retentionMin,
            Duration retentionMax,
            Duration deadLetterRetention,
            Duration delayDefault,
            Duration delayMax,
            Duration deduplicationWindow,
            int examinedMessages) {}

    /**
     * How many lanes there are, and how long the store remembers their batches so that one whose answer was lost can be sent
     * again.
     *
     * @param perProcess most lanes of one process
     * @param batchesKept how long a batch's outcomes are kept
     * @param lanesKept how long a silent lane is kept
     */
    public record Lanes(int perProcess, Duration batchesKept, Duration lanesKept) {}

    /**
     * How much one call may ask for, so that no transaction runs for long.
     *
     * @param batchCommits most commits in one batch
     * @param commitEvents most events in one commit
     * @param claimRuns most runs in one claim
     * @param pageRows most rows in one page of a read, and most runs or leases named in one call
     * @param readBytes most bytes of histories and mailboxes that one read brings; a run that has more by itself is read alone
     * @param examinedRows most rows that a store looks at to find the runs of one page
     * @param sweepRows most rows in one sweep or purge
     */
    public record Calls(
            int batchCommits,
            int commitEvents,
            int claimRuns,
            int pageRows,
            int readBytes,
            int examinedRows,
            int sweepRows) {
        /** Returns these limits with another number of bytes that one read of runs brings. */
        public Calls reading(int bytes) {
            return new Calls(batchCommits, commitEvents, claimRuns, pageRows, bytes, examinedRows, sweepRows);
        }

        /** The same with another number of rows that are looked at for one page. */
        public Calls examining(int rows) {
            return new Calls(batchCommits, commitEvents, claimRuns, pageRows, readBytes, rows, sweepRows);
        }
    }

    /**
     * How commits are gathered into batches. Bytes are counted roughly here: a character is one.
     *
     * @param lanes lanes that a process sends its batches by
     * @param batchRows most rows that the commits gathered into one batch write; each counts as one at least
     * @param batchBytes most bytes gathered into one batch; a larger commit travels alone
     * @param waitingCommits most commits handed over and not yet answered; whoever brings more waits
     * @param waitingBytes most bytes of them; a larger commit waits until it is alone
     * @param patience how long a batch without an answer is sent again before its callers hear that nobody knows
     */
    public record Ledger(
            int lanes, int batchRows, int batchBytes, int waitingCommits, int waitingBytes, Duration patience) {}

    /**
     * How runs are worked on.
     *
     * @param concurrency runs that a process works on at once, unless it is opened with another number
     * @param concurrencyMax most runs that a process may be told to work on at once
     * @param turn how long a run keeps its worker; then it lets others have a turn, at its next step
     * @param waitInMemory longest delay that a run waits out in its worker; for a longer one it lets go
     * @param completionWaits how long a returned step waits for company before it is written alone
     * @param extendEvery how often the leases of runs are extended
     * @param stepStartsWithin how old the newest confirmed claim or extension may be for a step to start
     * @param drain how long a process that closes waits for steps under way, before it interrupts them
     * @param spareThreads most runs that go on at once on threads of the operating system while steps that compute keep virtual threads from running
     */
    public record Workers(
            int concurrency,
            int concurrencyMax,
            Duration turn,
            Duration waitInMemory,
            Duration completionWaits,
            Duration extendEvery,
            Duration stepStartsWithin,
            Duration drain,
            int spareThreads) {
        /** The same with so many runs at once. */
        public Workers concurrency(int runs) {
            return new Workers(
                    runs,
                    concurrencyMax,
                    turn,
                    waitInMemory,
                    completionWaits,
                    extendEvery,
                    stepStartsWithin,
                    drain,
                    spareThreads);
        }

        /** The same with so long for steps to end. */
        public Workers drain(Duration atMost) {
            return new Workers(
                    concurrency,
                    concurrencyMax,
                    turn,
                    waitInMemory,
                    completionWaits,
                    extendEvery,
                    stepStartsWithin,
                    atMost,
                    spareThreads);
        }
    }
}
