package io.perdure.testkit.invariant;

import java.util.stream.IntStream;

/** Invariant 23. A run that is gone had ended, its days were over when a sweep removed it, and it stays gone. */
final class RetentionRespected extends Rule {
    RetentionRespected() {
        super(23, "Retention never removes what has not expired.");
    }

    @Override
    void look(Trace trace, Findings findings) {
        for (RunStory story : trace.runs().values()) {
            int known = IntStream.concat(
                            story.start().stream().mapToInt(Noted::position),
                            story.reads.stream().mapToInt(Noted::position))
                    .min()
                    .orElse(Integer.MAX_VALUE);
            story.absences.stream()
                    .filter(absence -> absence.since() > known)
                    .findFirst()
                    .ifPresent(absence -> {
                        if (!Retention.mayBeGone(trace, story, absence.position())) {
                            findings.add(
                                    story.key,
                                    absence.position(),
                                    "it is gone, and no sweep after the end of its retention was seen");
                        }
                        story.reads.stream()
                                .filter(read -> read.since() > absence.position())
                                .findFirst()
                                .ifPresent(read -> findings.add(
                                        story.key,
                                        read.position(),
                                        "it is there again, and was gone at %d".formatted(absence.position())));
                    });
        }
    }
}
