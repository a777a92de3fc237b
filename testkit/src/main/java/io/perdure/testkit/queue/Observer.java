package io.perdure.testkit.queue;

import io.perdure.core.store.Commit;
import io.perdure.core.store.Lease;
import io.perdure.core.store.Ledger;
import io.perdure.core.store.MessageRow;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Receive;
import io.perdure.core.store.Received.Delivery;
import io.perdure.core.store.Store;
import io.perdure.sdk.environment.Environment;
import io.perdure.sdk.id.QueueName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** One thread's way to the store: tells the journal what it is about to ask before it does, and what it was answered. */
final class Observer {
    private final Office office;
    private final String name;
    private long calls;

    /** What all threads of a process share. */
    record Office(Store store, Ledger ledger, Environment environment, Journal journal) {}

    Observer(Office office, String name) {
        this.office = office;
        this.name = name;
    }

    Outcome commit(Commit commit) throws IOException {
        long call = ++calls;
        office.journal().say(List.of(line("asked", call, Lines.of(commit))));
        Outcome outcome = office.ledger().commit(commit);
        office.journal().say(List.of(line("answered", call, Lines.of(outcome))));
        return outcome;
    }

    List<Delivery> receive(QueueName queue, int max) throws IOException {
        long call = ++calls;
        Lease lease = new Lease(office.environment().ids().token(), GroupTraffic.LEASE);
        Receive request = new Receive(GroupTraffic.TENANT, queue, max, lease);
        office.journal().say(List.of(line("receiving", call, Lines.of(request))));
        List<Delivery> deliveries = office.store().receive(request).deliveries();
        List<String> lines = new ArrayList<>();
        deliveries.forEach(delivery -> lines.add(line("delivered", call, Lines.of(delivery.message()))));
        lines.add(line("received", call, ""));
        office.journal().say(lines);
        return deliveries;
    }

    /** Tells of a dead letter that is about to be put back. */
    void saw(MessageRow letter) throws IOException {
        office.journal().say(List.of(line("letter", ++calls, Lines.of(letter))));
    }

    private String line(String what, long call, String rest) {
        return String.join(
                " ",
                what,
                name,
                Long.toString(call),
                Lines.of(office.environment().clock().instant()),
                rest);
    }
}
