package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.perdure.core.store.Announcement;
import io.perdure.core.store.Batch;
import io.perdure.core.store.ClaimRuns;
import io.perdure.core.store.Inspect;
import io.perdure.core.store.KeyDraft;
import io.perdure.core.store.MessageQuery;
import io.perdure.core.store.Receive;
import io.perdure.core.store.RequestAnswer;
import io.perdure.core.store.RequestNote;
import io.perdure.core.store.RunQuery;
import io.perdure.core.store.SecretHash;
import io.perdure.core.store.Store;
import io.perdure.core.store.Sweep;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.IdempotencyKey;
import io.perdure.sdk.id.KeyId;
import io.perdure.sdk.id.KeyName;
import io.perdure.sdk.key.Role;
import io.perdure.sdk.worker.Claim.Served;
import io.perdure.testkit.StoreFactory;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A closed store says so. */
abstract class CloseContract extends StoreFixture {
    CloseContract(StoreFactory factory) {
        super(factory);
    }

    private void closed(Consumer<Store> call) {
        store.close();
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> call.accept(store))
                .satisfies(thrown -> assertThat(thrown.code()).isEqualTo(ErrorCode.STORE_CLOSED));
    }

    @Test
    final void aClosedStoreMayBeClosedAgain() {
        store.close();
        store.close();
        closed(store -> store.queues(TENANT));
    }

    @Test
    final void aClosedStoreTakesNoCommits() {
        Batch batch = newLane().next(newRun().start());
        closed(store -> store.commit(batch));
        closed(store -> store.openLanes(ids.processId(), 1));
    }

    @Test
    final void aClosedStoreLeasesNothing() {
        closed(store -> store.claim(new ClaimRuns(TENANT, List.of(new Served(WORKFLOW, Set.of(1))), 1, lease())));
        closed(store -> store.receive(new Receive(TENANT, QUEUE, 1, lease())));
        closed(store -> store.extend(List.of(new Holder(TENANT, ids.runId(), ids.token()).extendedBy(LEASE))));
    }

    @Test
    final void aClosedStoreShowsNothing() {
        closed(store -> store.snapshots(TENANT, List.of(ids.runId())));
        closed(store -> store.history(TENANT, ids.runId(), 0, 1));
        closed(store -> store.run(TENANT, ids.runId()));
        closed(store -> store.runOf(TENANT, WORKFLOW, new IdempotencyKey("k")));
        closed(store -> store.runs(RunQuery.all(TENANT, 1)));
        closed(store -> store.overdue(TENANT, HOUR, 1));
        closed(store -> store.inspect(new Inspect(TENANT, Inspect.Scope.ALL, HOUR, null, 1)));
        closed(store -> store.runCounts(TENANT));
        closed(store -> store.dueSince(TENANT));
        closed(store -> store.queues(TENANT));
        closed(store -> store.queue(TENANT, QUEUE));
        closed(store -> store.messages(new MessageQuery(TENANT, QUEUE, false, null, 1)));
        closed(store -> store.present(TENANT, List.of(ids.messageId())));
        closed(store -> store.figures(TENANT, QUEUE));
        closed(store -> store.workers(TENANT));
    }

    @Test
    final void aClosedStoreHearsOfNoWorkers() {
        List<Served> served = List.of(new Served(WORKFLOW, Set.of(1)));
        Announcement worker = new Announcement(TENANT, ids.processId(), "w", served, 1, LEASE);
        closed(store -> store.announce(worker));
        closed(store -> store.withdraw(TENANT, worker.process()));
    }

    @Test
    final void aClosedStoreKnowsNoKeys() {
        KeyId id = new KeyId("a".repeat(KeyId.LENGTH));
        KeyDraft key = new KeyDraft(id, TENANT, new KeyName("k"), Role.CLIENT, HOUR, SecretHash.of("s"));
        closed(store -> store.addKey(key));
        closed(store -> store.key(id));
        closed(Store::keys);
        closed(store -> store.revokeKey(TENANT, id));
    }

    @Test
    final void aClosedStoreNotesNoRequests() {
        RequestNote note = new RequestNote(TENANT, ids.token(), ids.token(), "0".repeat(64));
        closed(store -> store.noteRequest(note));
        closed(store -> store.request(TENANT, note.id()));
        closed(store -> store.answerRequest(note, new RequestAnswer(200, "", "")));
        closed(store -> store.forgetRequest(note));
    }

    @Test
    final void aClosedStoreSweepsNothing() {
        for (Sweep what : Sweep.values()) {
            closed(store -> store.sweep(what, 1));
        }
    }

    @Test
    final void aClosedStoreTellsNoTime() {
        closed(Store::now);
    }

    @Test
    final void aClosedStoreCannotBeWatched() {
        closed(store -> store.watch(_ -> {}));
    }

    @Test
    final void aClosedStoreIsOwnedByNobody() {
        closed(Store::own);
        closed(Store::effort);
    }
}
