package io.perdure.server.worker;

import io.perdure.core.workflow.WorkerDesk;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.wire.CommitJson;
import io.perdure.sdk.worker.Backend;
import io.perdure.sdk.worker.Progress;
import io.perdure.server.http.HttpStatus;
import io.perdure.server.http.Problems;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Commits of workers elsewhere: all of a request are handed over before the first is waited for, so that they share a flush. */
final class Commits {
    private Commits() {}

    /** Answers each in its place; one that is wrong, or whose outcome is unknown, is no matter of its neighbours. */
    static List<Json> answers(WorkerDesk desk, List<Json> commits, Consumer<RunId> letsGo) {
        List<Supplier<Json>> handed = new ArrayList<>(commits.size());
        for (Json commit : commits) {
            handed.add(hand(desk, commit, letsGo));
        }
        return handed.stream().map(Supplier::get).toList();
    }

    private static Supplier<Json> hand(WorkerDesk desk, Json commit, Consumer<RunId> letsGo) {
        try {
            CommitJson.Sent sent = CommitJson.sent(commit);
            Progress progress = sent.progress();
            if (progress.letsGo()) {
                letsGo.accept(progress.held().run());
            }
            Backend.Handed handed = desk.commit(progress, sent.again());
            return () -> answer(handed);
        } catch (RuntimeException e) {
            return () -> problem(e);
        }
    }

    private static Json answer(Backend.Handed handed) {
        try {
            return CommitJson.write(handed.await());
        } catch (RuntimeException e) {
            return problem(e);
        }
    }

    private static Json problem(RuntimeException thrown) {
        PerdureException error = Problems.error(null, thrown);
        return CommitJson.write(error, HttpStatus.of(error.code()));
    }
}
