package io.perdure.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Hint;
import io.perdure.core.store.QueueCommit.Update;
import io.perdure.core.store.QueueSettings;
import io.perdure.core.store.Store.Watch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two stores on one file: what one process does, the other sees. */
final class SeveralStoresTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void name() {
        file = folder.resolve("app.db");
    }

    @Test
    void eachReceivesWhatTheOtherSent() {
        try (Mailroom here = Mailroom.at(file);
                Mailroom there = Mailroom.at(file)) {
            here.commit(Mailroom.sends(3, "from here"));
            there.commit(Mailroom.sends(4, "from there"));
            assertThat(there.receive(5)).hasSize(5);
            assertThat(here.receive(5)).hasSize(2);
        }
    }

    @Test
    void aMessageGoesToOneOfThem() {
        try (Mailroom here = Mailroom.at(file);
                Mailroom there = Mailroom.at(file)) {
            here.commit(Mailroom.sends(100, "hello"));
            Set<Object> seen = here.receive(50).stream()
                    .map(delivery -> delivery.message().id())
                    .collect(Collectors.toSet());
            there.receive(100).forEach(delivery -> seen.add(delivery.message().id()));
            assertThat(seen).hasSize(100);
        }
    }

    @Test
    void aSendElsewhereIsHeardOfHere() throws InterruptedException {
        try (Mailroom here = Mailroom.at(file);
                Mailroom there = Mailroom.at(file)) {
            BlockingQueue<Hint> heard = new LinkedBlockingQueue<>();
            try (Watch watch = here.store.watch(heard::add)) {
                assertThat(watch).isNotNull();
                there.commit(Mailroom.sends(1, "hello"));
                assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(new Hint.Anything());
            }
        }
    }

    @Test
    void lookingInVainTellsNobodyElse() throws InterruptedException {
        try (Mailroom here = Mailroom.at(file);
                Mailroom there = Mailroom.at(file)) {
            BlockingQueue<Hint> heard = new LinkedBlockingQueue<>();
            try (Watch watch = here.store.watch(heard::add)) {
                assertThat(watch).isNotNull();
                there.receive(1);
                there.commit(Mailroom.sends(1, "hello"));
                assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(new Hint.Anything());
                here.receive(1);
                heard.clear();
                there.receive(1);
                there.receive(1);
                // Had those two been heard of, it would be before what comes now.
                here.commit(Mailroom.sends(1, "hello"));
                assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(new Hint.Ready(Mailroom.TENANT, Mailroom.QUEUE));
            }
        }
    }

    @Test
    void settingsChangedElsewhereHoldHereAtOnce() {
        try (Mailroom here = Mailroom.at(file);
                Mailroom there = Mailroom.at(file)) {
            here.commit(Mailroom.sends(1, "hello"));
            QueueSettings once = new QueueSettings(
                    Duration.ofSeconds(30), 0, false, Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1));
            there.commit(new Update(Mailroom.TENANT, Mailroom.QUEUE, once));
            here.commit(Mailroom.sends(1, "hello"));
            assertThat(here.receive(10))
                    .extracting(delivery -> Duration.between(
                            delivery.message().sentAt(), delivery.message().expiresAt()))
                    .containsExactly(Duration.ofDays(4), Duration.ofHours(1));
        }
    }
}
