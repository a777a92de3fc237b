package io.perdure.store.postgres;

import io.perdure.core.store.Hint;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.id.TenantId;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one process tells the others, as the payload of a notification: {@code 1 <sender> <tenant>:<queues>:<runs> ...}, lists
 * with commas. No name of ours has one of these characters, and all are ASCII. A star instead of the tenants is anything.
 *
 * @param sender one store of one process, which does not listen to itself; null where somebody else wrote the payload
 */
record Notice(@Nullable UUID sender, Set<Hint> hints) {
    /** The server takes less than 8,000. */
    static final int MOST_BYTES = 7_900;

    private static final Set<Hint> ANYTHING = Set.of(new Hint.Anything());
    private static final String VERSION = "1";
    private static final String STAR = "*";

    Notice {
        hints = Set.copyOf(hints);
    }

    /** The payload. Where it would be too long it says that anything may have happened. */
    String text() {
        String head = VERSION + " " + sender + " ";
        if (hints.contains(new Hint.Anything())) {
            return head + STAR;
        }
        Map<TenantId, Section> sections = new TreeMap<>();
        for (Hint hint : hints) {
            switch (hint) {
                case Hint.Ready(TenantId tenant, QueueName queue) ->
                    section(sections, tenant).queues().add(queue.value());
                case Hint.Ended(TenantId tenant, RunId run) ->
                    section(sections, tenant).runs().add(run.toString());
                case Hint.Anything() -> throw new IllegalStateException("told above");
            }
        }
        String text = sections.values().stream().map(Section::text).collect(Collectors.joining(" ", head, ""));
        return text.length() > MOST_BYTES ? head + STAR : text;
    }

    /** Reads a payload. Anybody may notify on any channel: what we did not write may mean anything. */
    static Notice of(String payload) {
        String[] words = payload.split(" ", -1);
        if (words.length < 3 || !words[0].equals(VERSION)) {
            return new Notice(null, ANYTHING);
        }
        try {
            UUID sender = UUID.fromString(words[1]);
            if (words.length == 3 && words[2].equals(STAR)) {
                return new Notice(sender, ANYTHING);
            }
            Set<Hint> hints = new LinkedHashSet<>();
            for (int at = 2; at < words.length; at++) {
                read(words[at], hints);
            }
            return new Notice(sender, hints);
        } catch (RuntimeException e) {
            // Names and ids refuse what they cannot be.
            return new Notice(null, ANYTHING);
        }
    }

    private static void read(String section, Set<Hint> hints) {
        String[] parts = section.split(":", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("not a section: " + section);
        }
        TenantId tenant = new TenantId(parts[0]);
        for (String queue : listed(parts[1])) {
            hints.add(new Hint.Ready(tenant, new QueueName(queue)));
        }
        for (String run : listed(parts[2])) {
            hints.add(new Hint.Ended(tenant, RunId.parse(run)));
        }
    }

    private static String[] listed(String list) {
        return list.isEmpty() ? new String[0] : list.split(",", -1);
    }

    private static Section section(Map<TenantId, Section> sections, TenantId tenant) {
        return sections.computeIfAbsent(tenant, of -> new Section(of, new LinkedHashSet<>(), new LinkedHashSet<>()));
    }

    /** What happened to one tenant. */
    private record Section(TenantId tenant, Set<String> queues, Set<String> runs) {
        String text() {
            return tenant + ":" + String.join(",", queues) + ":" + String.join(",", runs);
        }
    }
}
