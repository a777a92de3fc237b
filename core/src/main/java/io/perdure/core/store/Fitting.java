package io.perdure.core.store;

/** Counts bytes against a bound. For one thread. */
public final class Fitting {
    private long left;
    private boolean empty = true;

    /** Nothing has been counted yet. */
    public Fitting(long bytes) {
        this.left = bytes;
    }

    /** Takes a number of bytes if they are left; returns whether they were. */
    public boolean fits(long bytes) {
        if (bytes > left) {
            return false;
        }
        left -= bytes;
        empty = false;
        return true;
    }

    /** Takes a number of bytes if they are left, or if nothing was taken before: a page has one row at least. */
    public boolean fitsPage(long bytes) {
        if (bytes > left && !empty) {
            return false;
        }
        left -= bytes;
        empty = false;
        return true;
    }
}
