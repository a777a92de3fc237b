package io.perdure.testkit.workflow;

import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;

/**
 * Everything workflows promise, over a real store and in real time. A store's test extends this class and says where a fresh
 * store is.
 */
public abstract class WorkflowContract {
    private final Supplier<String> freshUrl;

    /** Runs every rule on a store of its own, at the URL that this gives. */
    protected WorkflowContract(Supplier<String> freshUrl) {
        this.freshUrl = freshUrl;
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
}
