package io.perdure.testkit.contract;

import io.perdure.testkit.StoreFactory;
import io.perdure.testkit.property.ModelRun;
import org.junit.jupiter.api.Nested;

/**
 * Everything a store promises. A store's test extends this class, says how to open its stores, and so runs every rule there
 * is: nothing can be left out. What a rule means where its name does not say enough is told by the types of
 * {@code io.perdure.core.store}, and shown by the memory store.
 */
public abstract class StoreContract extends QueueRules {
    private static final long SIMULATIONS = 20;

    private final long[] operations;
    private final long simulations;

    /** Holds the stores that this factory opens to the contract. */
    protected StoreContract(StoreFactory factory) {
        super(factory);
        this.operations = ModelRun.seeds().toArray();
        this.simulations = SIMULATIONS;
    }

    /**
     * Holds stores to it that are held to it in another way already: so of what is seeded, which takes the longest, only a part.
     *
     * @param operations the one seed of random operations
     */
    protected StoreContract(StoreFactory factory, long operations) {
        super(factory);
        this.operations = new long[] {operations};
        this.simulations = SIMULATIONS / 4;
    }

    @Nested
    final class Starts extends StartContract {
        Starts() {
            super(factory);
        }
    }

    @Nested
    final class Keys extends KeyContract {
        Keys() {
            super(factory);
        }
    }

    @Nested
    final class Advances extends AdvanceContract {
        Advances() {
            super(factory);
        }
    }

    @Nested
    final class Releases extends ReleaseContract {
        Releases() {
            super(factory);
        }
    }

    @Nested
    final class Signals extends SignalContract {
        Signals() {
            super(factory);
        }
    }

    @Nested
    final class Children extends ChildContract {
        Children() {
            super(factory);
        }
    }

    @Nested
    final class Interventions extends InterveneContract {
        Interventions() {
            super(factory);
        }
    }

    @Nested
    final class Alongs extends AlongContract {
        Alongs() {
            super(factory);
        }
    }

    @Nested
    final class Claims extends ClaimContract {
        Claims() {
            super(factory);
        }
    }

    @Nested
    final class Lapses extends LapseContract {
        Lapses() {
            super(factory);
        }
    }

    @Nested
    final class Extensions extends ExtendContract {
        Extensions() {
            super(factory);
        }
    }

    @Nested
    final class Batches extends BatchContract {
        Batches() {
            super(factory);
        }
    }

    @Nested
    final class RunBatches extends RunBatchContract {
        RunBatches() {
            super(factory);
        }
    }

    @Nested
    final class Lanes extends LaneContract {
        Lanes() {
            super(factory);
        }
    }

    @Nested
    final class Reads extends ReadContract {
        Reads() {
            super(factory);
        }
    }

    @Nested
    final class Lists extends ListContract {
        Lists() {
            super(factory);
        }
    }

    @Nested
    final class Pages extends PageContract {
        Pages() {
            super(factory);
        }
    }

    @Nested
    final class Tags extends TagContract {
        Tags() {
            super(factory);
        }
    }

    @Nested
    final class Overdue extends OverdueContract {
        Overdue() {
            super(factory);
        }
    }

    @Nested
    final class Dues extends DueContract {
        Dues() {
            super(factory);
        }
    }

    @Nested
    final class Inspections extends InspectContract {
        Inspections() {
            super(factory);
        }
    }

    @Nested
    final class Workers extends WorkerContract {
        Workers() {
            super(factory);
        }
    }

    @Nested
    final class ApiKeys extends KeyStoreContract {
        ApiKeys() {
            super(factory);
        }
    }

    @Nested
    final class Requests extends RequestContract {
        Requests() {
            super(factory);
        }
    }

    @Nested
    final class Values extends ValueContract {
        Values() {
            super(factory);
        }
    }

    @Nested
    final class Sweeps extends SweepContract {
        Sweeps() {
            super(factory);
        }
    }

    @Nested
    final class LaneSweeps extends LaneSweepContract {
        LaneSweeps() {
            super(factory);
        }
    }

    @Nested
    final class Tenants extends TenantContract {
        Tenants() {
            super(factory);
        }
    }

    @Nested
    final class Wakes extends WakeContract {
        Wakes() {
            super(factory);
        }
    }

    @Nested
    final class StepsBack extends StepBackContract {
        StepsBack() {
            super(factory);
        }
    }

    @Nested
    final class Clocks extends ClockContract {
        Clocks() {
            super(factory);
        }
    }

    @Nested
    final class Bounds extends LimitContract {
        Bounds() {
            super(factory);
        }
    }

    @Nested
    final class Endings extends CloseContract {
        Endings() {
            super(factory);
        }
    }

    @Nested
    final class Races extends ConcurrencyContract {
        Races() {
            super(factory);
        }
    }

    @Nested
    final class Meetings extends MeetingContract {
        Meetings() {
            super(factory);
        }
    }

    @Nested
    final class RandomOperations extends ModelContract {
        RandomOperations() {
            super(factory, operations);
        }
    }

    @Nested
    final class Simulations extends SimulationContract {
        Simulations() {
            super(factory, simulations);
        }
    }
}
