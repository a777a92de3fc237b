package io.perdure.server;

import io.perdure.core.store.NotedRequest;
import io.perdure.core.store.Queue;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received;
import io.perdure.core.store.RequestAnswer;
import io.perdure.core.store.RequestNote;
import io.perdure.core.store.Store;
import io.perdure.core.store.Stores;
import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.Limits;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.environment.SystemEnvironment;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.TenantId;
import io.perdure.testkit.ForwardingStore;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A store that fails when it is told to. */
final class FailingStore extends ForwardingStore {
    private final AtomicReference<@Nullable RuntimeException> nextRead = new AtomicReference<>();
    private final AtomicReference<@Nullable Runnable> whenLeased = new AtomicReference<>();
    private final AtomicInteger looks = new AtomicInteger();
    private volatile boolean failsToAnswer;
    private volatile boolean failsToFind;

    private FailingStore(Store store) {
        super(store);
    }

    static FailingStore open(String url) {
        return new FailingStore(Stores.open(url, new SystemEnvironment(), Limits.defaults()));
    }

    /** The next look at a queue throws this. */
    void failNextRead(RuntimeException with) {
        nextRead.set(with);
    }

    /** Runs this when the next receive has leased messages, before anybody hears of them. */
    void whenNextLeased(Runnable action) {
        whenLeased.set(action);
    }

    @Override
    public Received receive(Receive request) {
        Received received = super.receive(request);
        Runnable action = received.deliveries().isEmpty() ? null : whenLeased.getAndSet(null);
        if (action != null) {
            action.run();
        }
        return received;
    }

    /** Whether nobody hears that an answer was kept, which it is not. */
    void failsToAnswer(boolean fails) {
        failsToAnswer = fails;
    }

    /** Whether no request can be looked for. */
    void failsToFind(boolean fails) {
        failsToFind = fails;
    }

    /** How often a request was looked for. */
    int looks() {
        return looks.get();
    }

    @Override
    public Optional<NotedRequest> request(TenantId tenant, UUID id) {
        looks.incrementAndGet();
        if (failsToFind) {
            throw new StoreException(ErrorCode.STORE_FAILED, "It cannot be read.");
        }
        return super.request(tenant, id);
    }

    @Override
    public Optional<Queue> queue(TenantId tenant, QueueName queue) {
        RuntimeException failure = nextRead.getAndSet(null);
        if (failure != null) {
            throw failure;
        }
        return super.queue(tenant, queue);
    }

    @Override
    public void answerRequest(RequestNote note, RequestAnswer answer) {
        if (failsToAnswer) {
            throw new StoreException(ErrorCode.OUTCOME_UNKNOWN, "No answer.");
        }
        super.answerRequest(note, answer);
    }
}
