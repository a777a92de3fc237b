package io.perdure.sdk.worker;

import io.perdure.sdk.worker.Mailbox.Letter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A run's mailbox in the hands of its worker, who alone takes letters out of it. What was taken stays taken when the mailbox is read
 * anew, though the event that says so may not be durable yet.
 */
final class Letters {
    private final Set<Long> taken = new HashSet<>();
    private final List<Letter> left = new ArrayList<>();
    private long wakes;

    Letters(Mailbox mailbox) {
        readAnew(mailbox);
    }

    void readAnew(Mailbox newer) {
        wakes = newer.wakes();
        left.clear();
        newer.letters().stream()
                .filter(letter -> !taken.contains(letter.number()))
                .forEach(left::add);
    }

    long wakes() {
        return wakes;
    }

    /**
     * Takes the oldest letter that a wait wants; those that fit others stay where they are.
     *
     * @param until when the wait ended, where that is known: what came later came too late
     */
    Optional<Letter> take(Wait wait, @Nullable Instant until) {
        Predicate<Letter> wanted = wait.wants();
        for (int at = 0; at < left.size(); at++) {
            Letter letter = left.get(at);
            if ((until == null || letter.at().isBefore(until)) && wanted.test(letter)) {
                left.remove(at);
                taken.add(letter.number());
                return Optional.of(letter);
            }
        }
        return Optional.empty();
    }
}
