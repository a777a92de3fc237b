package io.perdure.testkit.workflow;

import io.perdure.sdk.id.RunId;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;

/**
 * Everything workflows promise, over a real store and in real time. A store's test extends this class and says where a fresh
 * store is.
 */
public abstract class WorkflowContract {
    private final Supplier<String> freshUrl;
    private final LostMessage lost;

    /**
     * Runs every rule on a store of its own, at the URL that this gives.
     *
     * @param lost loses messages of runs behind the store's back
     */
    protected WorkflowContract(Supplier<String> freshUrl, LostMessage lost) {
        this.freshUrl = freshUrl;
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
            super(freshUrl);
        }
    }

    @Nested
    final class Retries extends RetryContract {
        Retries() {
            super(freshUrl);
        }
    }

    @Nested
    final class Starts extends StartOptionsContract {
        Starts() {
            super(freshUrl);
        }
    }

    @Nested
    final class Results extends ResultContract {
        Results() {
            super(freshUrl);
        }
    }

    @Nested
    final class Workers extends WorkerContract {
        Workers() {
            super(freshUrl);
        }
    }

    @Nested
    final class Versions extends VersionContract {
        Versions() {
            super(freshUrl);
        }
    }

    @Nested
    final class Events extends EventContract {
        Events() {
            super(freshUrl);
        }
    }

    @Nested
    final class EventTimeouts extends EventTimeoutContract {
        EventTimeouts() {
            super(freshUrl);
        }
    }

    @Nested
    final class Mailboxes extends MailboxContract {
        Mailboxes() {
            super(freshUrl);
        }
    }

    @Nested
    final class Cancels extends CancelContract {
        Cancels() {
            super(freshUrl);
        }
    }

    @Nested
    final class Deadlines extends DeadlineContract {
        Deadlines() {
            super(freshUrl);
        }
    }

    @Nested
    final class Resumes extends ResumeContract {
        Resumes() {
            super(freshUrl);
        }
    }

    @Nested
    final class CancelRaces extends CancelRaceContract {
        CancelRaces() {
            super(freshUrl);
        }
    }

    @Nested
    final class Listings extends ListingContract {
        Listings() {
            super(freshUrl);
        }
    }

    @Nested
    final class StepFlows extends StepFlowContract {
        StepFlows() {
            super(freshUrl);
        }
    }

    @Nested
    final class FlowAttempts extends FlowAttemptContract {
        FlowAttempts() {
            super(freshUrl);
        }
    }

    @Nested
    final class FlowMistakes extends FlowMistakeContract {
        FlowMistakes() {
            super(freshUrl);
        }
    }

    @Nested
    final class Recoveries extends RecoveryContract {
        Recoveries() {
            super(freshUrl, lost);
        }
    }

    @Nested
    final class Redrives extends RedriveContract {
        Redrives() {
            super(freshUrl);
        }
    }

    @Nested
    final class Moves extends MoveContract {
        Moves() {
            super(freshUrl);
        }
    }

    @Nested
    final class LiveWorkers extends LiveWorkerContract {
        LiveWorkers() {
            super(freshUrl);
        }
    }
}
