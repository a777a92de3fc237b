package io.perdure.sdk.worker;

/** What a run waits for before its thread begins; see {@link Worker#begin}. */
public interface Gate {
    /** A run that can begin at once. */
    Gate OPEN = new Gate() {
        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void await() {}
    };

    /** Whether {@link #await} would return at once. */
    boolean isOpen();

    /** Returns when the run can begin, or never will; does not throw. */
    void await();
}
