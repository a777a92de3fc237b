package io.perdure.core.store;

import org.jspecify.annotations.Nullable;

/**
 * A request as it is kept.
 *
 * @param note by whoever noted it first
 * @param answer absent while it is under way, and for good where whoever does it died, or could not tell what became of it
 */
public record NotedRequest(RequestNote note, @Nullable RequestAnswer answer) {
    /** Whether it was noted by this note: whoever made that is to do it. */
    public boolean isOf(RequestNote other) {
        return note.noter().equals(other.noter());
    }

    /** Whether the same is asked for. */
    public boolean isSame(RequestNote other) {
        return note.digest().equals(other.digest());
    }

    /** The same with its answer. */
    public NotedRequest answered(RequestAnswer with) {
        return new NotedRequest(note, with);
    }
}
