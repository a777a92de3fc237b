package io.perdure.store.sqlite;

/** What the writer knows of the file between transactions. */
record Remembered(QueueRows queues, Leased leased, HeldRuns held) {
    /** Forgets all of it: some of it was not done after all. */
    void forget() {
        queues.forget();
        leased.forget();
        held.forget();
    }

    /** Forgets what is not compared with the file when it is used: others have changed that. */
    void forgetWhatIsTrusted() {
        queues.forget();
        held.forget();
    }
}
