package io.perdure.client;

import io.perdure.sdk.PerdureException;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.wire.CommitJson;
import io.perdure.sdk.worker.Answer;
import io.perdure.sdk.worker.Backend;
import io.perdure.sdk.worker.Progress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** A commit on its way to the server, and back. */
final class OutgoingCommit implements Backend.Handed {
    private final Progress progress;
    private final long giveUpNanos;
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();
    private boolean again;
    private Json json;
    private int bytes;

    /**
     * A commit that was not sent yet.
     *
     * @param giveUpNanos when the run may be somebody else's, so that there is no point in trying any longer
     */
    OutgoingCommit(Progress progress, long giveUpNanos) {
        this.progress = progress;
        this.giveUpNanos = giveUpNanos;
        this.json = CommitJson.write(new CommitJson.Sent(progress, false));
        this.bytes = json.bytes();
    }

    /** What is sent; written by the thread that hands it over, which has the time. */
    Json json() {
        return json;
    }

    /** How many bytes that has; counted by the same thread. */
    int bytes() {
        return bytes;
    }

    Progress progress() {
        return progress;
    }

    boolean isTooLate(long nowNanos) {
        return nowNanos - giveUpNanos >= 0;
    }

    /** It was sent, and nobody knows what became of it. Only its lane asks. */
    void sendAgain() {
        if (!again) {
            again = true;
            json = CommitJson.write(new CommitJson.Sent(progress, true));
            bytes = json.bytes();
        }
    }

    void answer(Answer outcome) {
        answer.complete(outcome);
    }

    void fail(PerdureException why) {
        answer.completeExceptionally(why);
    }

    @Override
    public Answer await() {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof PerdureException why
                    ? why.retold("Run " + progress.held().run() + ": " + why.what())
                    : e;
        }
    }
}
