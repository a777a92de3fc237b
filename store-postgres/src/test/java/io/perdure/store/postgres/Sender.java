package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Outcome;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.ProcessId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A process with one lane of its own. */
final class Sender {
    final Mailroom mailroom;
    private final LaneId lane;
    private long number;

    Sender(String url) {
        mailroom = Mailroom.at(url);
        ProcessId process = mailroom.environment.ids().processId();
        mailroom.store.openLanes(process, 1);
        lane = new LaneId(process, 0);
    }

    /** Commits a batch. Tries again where locks were waited for in vain: nothing was done then, and the machine may have stood still. */
    List<Outcome> commit(List<? extends Commit> commits) {
        number++;
        Batch batch = new Batch(lane, number, List.copyOf(commits));
        while (true) {
            try {
                return mailroom.store.commit(batch);
            } catch (StoreException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.STORE_BUSY);
            }
        }
    }

    /** Sends a batch of each at the same moment, and returns what each was answered. */
    static List<List<Outcome>> atOnce(
            Sender one, List<? extends Commit> here, Sender other, List<? extends Commit> there)
            throws InterruptedException, ExecutionException {
        List<Callable<List<Outcome>>> calls = List.of(() -> one.commit(here), () -> other.commit(there));
        List<List<Outcome>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            for (Future<List<Outcome>> answer : threads.invokeAll(calls)) {
                answers.add(answer.get());
            }
        }
        return answers;
    }
}
