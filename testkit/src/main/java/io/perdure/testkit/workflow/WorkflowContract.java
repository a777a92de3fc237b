package io.perdure.testkit.workflow;

import io.perdure.sdk.id.RunId;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;

/**
 * Everything workflows promise, over a real store and in real time. A store's test extends this class and says where a fresh
 * store is.
 */
public abstract class WorkflowContract {
    private final Opening opening;
    private final LostMessage lost;

    /**
     * Runs every rule in this process on a store of its own, at the URL that this gives.
     *
     * @param lost loses messages of runs behind the store's back
     */
    protected WorkflowContract(Supplier<String> freshUrl, LostMessage lost) {
        this(Opening.embedded(freshUrl), lost);
    }

    /**
     * Runs every rule on a store of its own, by the engines that this opens.
     *
     * @param lost loses messages of runs behind the store's back
     */
    protected WorkflowContract(Opening opening, LostMessage lost) {
        this.opening = opening;
        this.lost = lost;
    }

    /** Takes away the message of a run, as no store of ours does. */
    public interface LostMessage {
        /** Deletes the row; the run is one of the default tenant. */
        void lose(String url, RunId run);
    }

    @Nested
    final class Steps extends StepContract {
        Steps() {
            super(opening);
        }
    }

    @Nested
    final class Retries extends RetryContract {
        Retries() {
            super(opening);
        }
    }

    @Nested
    final class StackTraces extends StackTraceContract {
        StackTraces() {
            super(opening);
        }
    }

    @Nested
    final class StepExecutors extends StepExecutorContract {
        StepExecutors() {
            super(opening);
        }
    }

    @Nested
    final class Starts extends StartOptionsContract {
        Starts() {
            super(opening);
        }
    }

    @Nested
    final class Results extends ResultContract {
        Results() {
            super(opening);
        }
    }

    @Nested
    final class ParkedResults extends ParkedResultContract {
        ParkedResults() {
            super(opening);
        }
    }

    @Nested
    final class Workers extends WorkerContract {
        Workers() {
            super(opening);
        }
    }

    @Nested
    final class Versions extends VersionContract {
        Versions() {
            super(opening);
        }
    }

    @Nested
    final class Events extends EventContract {
        Events() {
            super(opening);
        }
    }

    @Nested
    final class EventTimeouts extends EventTimeoutContract {
        EventTimeouts() {
            super(opening);
        }
    }

    @Nested
    final class Mailboxes extends MailboxContract {
        Mailboxes() {
            super(opening);
        }
    }

    @Nested
    final class Cancels extends CancelContract {
        Cancels() {
            super(opening);
        }
    }

    @Nested
    final class Deadlines extends DeadlineContract {
        Deadlines() {
            super(opening);
        }
    }

    @Nested
    final class Resumes extends ResumeContract {
        Resumes() {
            super(opening);
        }
    }

    @Nested
    final class LargeRuns extends LargeRunContract {
        LargeRuns() {
            super(opening);
        }
    }

    @Nested
    final class CancelRaces extends CancelRaceContract {
        CancelRaces() {
            super(opening);
        }
    }

    @Nested
    final class Listings extends ListingContract {
        Listings() {
            super(opening);
        }
    }

    @Nested
    final class StepFlows extends StepFlowContract {
        StepFlows() {
            super(opening);
        }
    }

    @Nested
    final class FlowAttempts extends FlowAttemptContract {
        FlowAttempts() {
            super(opening);
        }
    }

    @Nested
    final class FlowMistakes extends FlowMistakeContract {
        FlowMistakes() {
            super(opening);
        }
    }

    @Nested
    final class Recoveries extends RecoveryContract {
        Recoveries() {
            super(opening, lost);
        }
    }

    @Nested
    final class Redrives extends RedriveContract {
        Redrives() {
            super(opening);
        }
    }

    @Nested
    final class Moves extends MoveContract {
        Moves() {
            super(opening);
        }
    }

    @Nested
    final class LiveWorkers extends LiveWorkerContract {
        LiveWorkers() {
            super(opening);
        }
    }
}
