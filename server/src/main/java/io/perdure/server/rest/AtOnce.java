package io.perdure.server.rest;

import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** Does the parts of a large request at the same time, so that they share a flush; only so many of all requests together. Safe for many threads. */
public final class AtOnce {
    private final Environment environment;
    private final Semaphore places = new Semaphore(Limits.defaults().rest().partsAtOnce());

    /** Does them on threads of this environment. */
    public AtOnce(Environment environment) {
        this.environment = environment;
    }

    /** Does this with each, and answers what came of each in its place. It has to answer errors as well: one that it throws is thrown here. */
    <T, R> List<R> each(List<T> parts, Function<T, R> what) {
        List<CompletableFuture<R>> answers = new ArrayList<>(parts.size());
        for (T part : parts) {
            answers.add(begin(part, what));
        }
        return answers.stream().map(CompletableFuture::join).toList();
    }

    private <T, R> CompletableFuture<R> begin(T part, Function<T, R> what) {
        CompletableFuture<R> answer = new CompletableFuture<>();
        places.acquireUninterruptibly();
        boolean begun = false;
        try {
            environment.start("perdure-part", () -> {
                try {
                    answer.complete(what.apply(part));
                } catch (RuntimeException | Error e) {
                    answer.completeExceptionally(e);
                } finally {
                    places.release();
                }
            });
            begun = true;
        } finally {
            if (!begun) {
                places.release();
            }
        }
        return answer;
    }
}
