package io.perdure.testkit.contract;

import io.perdure.testkit.StoreFactory;
import org.junit.jupiter.api.Nested;

/** The part of {@link StoreContract} that is about queues of users. */
abstract class QueueRules {
    final StoreFactory factory;

    QueueRules(StoreFactory factory) {
        this.factory = factory;
    }

    @Nested
    final class Sends extends SendContract {
        Sends() {
            super(factory);
        }
    }

    @Nested
    final class Receives extends ReceiveContract {
        Receives() {
            super(factory);
        }
    }

    @Nested
    final class Settlements extends SettleContract {
        Settlements() {
            super(factory);
        }
    }

    @Nested
    final class Groups extends GroupContract {
        Groups() {
            super(factory);
        }
    }

    @Nested
    final class DeadLetters extends DeadLetterContract {
        DeadLetters() {
            super(factory);
        }
    }

    @Nested
    final class Queues extends QueueContract {
        Queues() {
            super(factory);
        }
    }

    @Nested
    final class ReleasedMessages extends ReleasedMessageContract {
        ReleasedMessages() {
            super(factory);
        }
    }

    @Nested
    final class DeliveryRecords extends DeliveryRecordContract {
        DeliveryRecords() {
            super(factory);
        }
    }

    @Nested
    final class Expiries extends ExpiryContract {
        Expiries() {
            super(factory);
        }
    }

    @Nested
    final class DeepGroups extends DeepGroupContract {
        DeepGroups() {
            super(factory);
        }
    }

    @Nested
    final class GroupBatches extends GroupBatchContract {
        GroupBatches() {
            super(factory);
        }
    }

    @Nested
    final class Purges extends PurgeContract {
        Purges() {
            super(factory);
        }
    }

    @Nested
    final class FigureWalks extends FigureWalkContract {
        FigureWalks() {
            super(factory);
        }
    }

    @Nested
    final class Figures extends FigureContract {
        Figures() {
            super(factory);
        }
    }

    @Nested
    final class FiguresOverTime extends FigureTimeContract {
        FiguresOverTime() {
            super(factory);
        }
    }

    @Nested
    final class Settings extends SettingsContract {
        Settings() {
            super(factory);
        }
    }
}
