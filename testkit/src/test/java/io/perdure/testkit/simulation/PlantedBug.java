package io.perdure.testkit.simulation;

import io.perdure.core.store.Store;
import io.perdure.sdk.history.Event;
import io.perdure.testkit.invariant.Violation;
import java.time.Duration;
import java.util.function.UnaryOperator;

/** A store with one bug, the name of the invariant that must notice it, and what that must say where others would do as well. */
enum PlantedBug {
    ACKNOWLEDGED_BEFORE_COMMITTED(
            "AckDurability", store -> BrokenCommits.unapplied(store, BrokenCommits::completionsAcknowledged)),
    START_ACKNOWLEDGED_AND_LOST(
            "AckDurability", store -> BrokenCommits.unapplied(store, BrokenCommits::startsAcknowledged)),
    SETTLEMENT_ACKNOWLEDGED_AND_LOST(
            "AckDurability", store -> BrokenCommits.unapplied(store, BrokenCommits::settlementsAcknowledged)),
    RESENT_BATCH_APPLIED_TWICE("UnknownIsNotFailed", BrokenBatches::resentAppliedAgain),
    APPLIED_ANSWERED_AS_CONFLICT("UnknownIsNotFailed", BrokenBatches::appliedAnsweredAsConflict),
    ENDED_RUN_CHANGES_ITS_END(
            "OneTerminalState", store -> BrokenReads.everySecond(store, BrokenReads::cancelledAfterwards)),
    WAKE_UP_LOST("Liveness", BrokenCommits::wakesIgnored),
    TIMER_LOST("Liveness", store -> BrokenCommits.instead(store, BrokenCommits::dueInAYear)),
    CHILD_NOTICE_LOST("Liveness", BrokenReads::childNoticeLost),
    LEASE_ENDS_LATE("Liveness", BrokenLeases::endingLate),
    QUEUE_FORGOTTEN("Liveness", BrokenLeases::queueForgotten),
    WORKFLOW_ID_NOT_CHECKED("OneActiveRun", store -> BrokenCommits.instead(store, BrokenCommits::withoutWorkflowId)),
    IDEMPOTENCY_KEY_NOT_CHECKED("OneRunPerKey", store -> BrokenCommits.instead(store, BrokenCommits::withoutKey)),
    HISTORY_REWRITTEN("DenseHistory", store -> BrokenReads.everySecond(store, BrokenReads::rewritten)),
    HISTORY_WITH_A_GAP("DenseHistory", store -> BrokenReads.everySecond(store, BrokenReads::withAGap)),
    PAGE_BEGINS_TOO_LATE("DenseHistory", BrokenReads::pagesShifted),
    PAGE_EMPTY("DenseHistory", BrokenReads::pagesEmpty),
    COMPLETED_STEP_NOT_READ(
            "CompletedStepNeverReruns",
            store -> BrokenReads.everySecond(
                    store, snapshot -> BrokenReads.lagging(snapshot, Event.StepCompleted.class))),
    FAILED_ATTEMPT_NOT_READ(
            "AttemptsWithinPolicy",
            store -> BrokenReads.everySecond(store, snapshot -> BrokenReads.lagging(snapshot, Event.StepFailed.class))),
    FENCING_OFF("Fencing", BrokenBatches::fencingOff),
    LOST_LEASE_EXTENDED("Fencing", BrokenLeases::alwaysExtended),
    PARKED_RUN_KEEPS_ITS_MESSAGE(
            "OneMessagePerRun", store -> BrokenReads.everySecond(store, BrokenReads::parkedWithMessage)),
    MESSAGE_DROPPED("MessageConservation", "and is nowhere", BrokenBatches::messageDropped),
    FIGURES_OFF_BY_ONE("MessageConservation", BrokenReads::figuresOff),
    DELAYED_COUNTED_AS_READY(
            "MessageConservation",
            "of its messages are delayed",
            store -> BrokenFigures.saying(store, BrokenFigures::delayedCountedAsReady)),
    LEASED_COUNTED_AS_READY(
            "MessageConservation",
            "leased, and says",
            store -> BrokenFigures.saying(store, BrokenFigures::leasedCountedAsReady)),
    READY_COUNTED_AS_DELAYED(
            "MessageConservation",
            "of its messages are delayed",
            store -> BrokenFigures.saying(store, BrokenFigures::readyCountedAsDelayed)),
    OLDEST_FORGOTTEN(
            "MessageConservation",
            "the oldest is ready since",
            store -> BrokenFigures.saying(store, BrokenFigures::withoutTheOldest)),
    EXPIRED_COUNTED_TWICE(
            "MessageConservation",
            "of its messages can have expired",
            store -> BrokenFigures.saying(store, BrokenFigures::expiredTwice)),
    DEAD_LETTER_LOST("MessageConservation", BrokenMessages::rejectedAndGone),
    NEXT_OF_A_GROUP_FORGOTTEN("Liveness", BrokenGroups::nextForgotten),
    TWO_OF_A_GROUP_AT_ONCE("FifoOrder", "was not settled", BrokenGroups::twoAtOnce),
    REDRIVEN_MESSAGE_FIRST("FifoOrder", "which was sent first", BrokenGroups::redrivenFirst),
    GROUP_ORDER_IGNORED("FifoOrder", store -> BrokenCommits.instead(store, BrokenMessages::ungrouped)),
    DELIVERED_TO_TWO_LEASES("NeverBeforeDue", BrokenLeases::deliveredTwice),
    STOLEN_AFTER_STEP_BACK("NeverBeforeDue", "while a lease of it lasted", BrokenLeases::stolenAfterStepBack),
    DELAY_IGNORED("NeverBeforeDue", store -> BrokenCommits.instead(store, BrokenMessages::undelayed)),
    RUN_DUE_TOO_EARLY("NeverBeforeDue", store -> BrokenCommits.instead(store, BrokenCommits::releasedAtOnce)),
    DEAD_LETTERED_TOO_EARLY(
            "DeadLetterAfterLimit",
            "it was DEAD_LETTERED",
            store -> BrokenCommits.instead(store, BrokenMessages::retriesRejected)),
    DELIVERED_TOO_OFTEN(
            "DeadLetterAfterLimit",
            "times of at most",
            store -> BrokenCommits.instead(store, BrokenMessages::oneDeliveryMore)),
    RELEASED_DELIVERY_COUNTED(
            "DeadLetterAfterLimit", "before its redrive", store -> BrokenMessages.released(store, Duration.ZERO)),
    RELEASED_MESSAGE_WAITS("Liveness", store -> BrokenMessages.released(store, Duration.ofHours(1))),
    TIMER_FIXED_TOO_EARLY("TimersNeverEarly", store -> BrokenCommits.instead(store, BrokenCommits::timersHalved)),
    SIGNAL_DOUBLED("SignalOnce", BrokenBatches::signalDoubled),
    SIGNAL_DROPPED("SignalOnce", store -> BrokenReads.everySecond(store, BrokenReads::emptyMailbox)),
    CANCEL_IGNORED("NoStepAfterCancel", BrokenCommits::cancelIgnored),
    EVENTS_WITHOUT_THEIR_MESSAGES(
            "AtomicTransition", store -> BrokenCommits.instead(store, BrokenCommits::messagesLeftBehind)),
    VERDICT_WITHOUT_ITS_MESSAGES(
            "AtomicTransition", store -> BrokenCommits.instead(store, BrokenMessages::leftBehindByVerdicts)),
    COMMIT_APPLIED_IN_PART("AtomicTransition", store -> BrokenCommits.instead(store, BrokenCommits::lastEventLost)),
    READ_ACROSS_TENANTS("TenantIsolation", BrokenReads::acrossTenants),
    HISTORY_READ_ACROSS_TENANTS("TenantIsolation", BrokenReads::historyAcrossTenants),
    LEASE_EXTENDED_ACROSS_TENANTS("TenantIsolation", BrokenLeases::extendedAcrossTenants),
    SETTLED_ACROSS_TENANTS("TenantIsolation", BrokenMessages::settledAcrossTenants),
    CLAIMED_ACROSS_TENANTS("TenantIsolation", BrokenLeases::claimedAcrossTenants),
    LIVE_RUN_SWEPT("RetentionRespected", BrokenReads::liveRunSwept);

    private final String caughtBy;
    private final String saying;

    // An operator here is a method reference or a lambda without state: the bugs themselves live in the store it makes.
    @SuppressWarnings("ImmutableEnumChecker")
    private final UnaryOperator<Store> broken;

    PlantedBug(String caughtBy, UnaryOperator<Store> broken) {
        this(caughtBy, "", broken);
    }

    PlantedBug(String caughtBy, String saying, UnaryOperator<Store> broken) {
        this.caughtBy = caughtBy;
        this.saying = saying;
        this.broken = broken;
    }

    String caughtBy() {
        return caughtBy;
    }

    boolean isCaughtBy(Violation violation) {
        return violation.invariant().equals(caughtBy) && violation.seen().contains(saying);
    }

    Store plantedIn(Store store) {
        return broken.apply(store);
    }
}
