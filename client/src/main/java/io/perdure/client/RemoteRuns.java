package io.perdure.client;

import io.perdure.sdk.history.Failure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.Following;
import io.perdure.sdk.run.HistoryPart;
import io.perdure.sdk.run.ParkedRun;
import io.perdure.sdk.run.RunEnd;
import io.perdure.sdk.run.RunInfo;
import io.perdure.sdk.run.RunSource;
import io.perdure.sdk.run.WhenParked;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.wire.RunJson;
import io.perdure.sdk.wire.Words;
import java.lang.reflect.Type;
import java.time.Duration;

/** Asks the server for runs. */
final class RemoteRuns implements RunSource {
    private final Calls calls;
    private final Polls polls;
    private final Codec codec;

    RemoteRuns(Calls calls, Codec codec) {
        this.calls = calls;
        this.polls = new Polls(calls);
        this.codec = codec;
    }

    @Override
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // A result may be null; its type is the parameter.
    public <T> T result(RunId run, Type type, Duration atMost, WhenParked whenParked) {
        long begun = calls.environment().nanoTime();
        RunEnd end = end(run, atMost, whenParked);
        while (end.status() == RunStatus.PARKED) {
            // Its record says of which workflow it is, and why it is parked.
            RunInfo info = info(run);
            end = new RunEnd(info.status(), info.output(), info.error());
            if (info.status() == RunStatus.PARKED && whenParked == WhenParked.STOP) {
                throw ParkedRun.refusal(info);
            }
            if (info.status() != RunStatus.RUNNING) {
                break;
            }
            // It was resumed meanwhile.
            Duration left = atMost.minusNanos(calls.environment().nanoTime() - begun);
            end = end(run, left.isNegative() ? Duration.ZERO : left, whenParked);
        }
        return codec.read(end.output(run, atMost), type, "The result of run " + run);
    }

    private RunEnd end(RunId run, Duration atMost, WhenParked whenParked) {
        return polls.until(
                Paths.run(run) + "/result" + (whenParked == WhenParked.WAIT ? "?parked=wait" : ""),
                "the result of run " + run,
                atMost,
                RemoteRuns::end,
                found -> found.status().isTerminal()
                        || (found.status() == RunStatus.PARKED && whenParked == WhenParked.STOP));
    }

    private static RunEnd end(Json json) {
        FieldReader read = FieldReader.of(json);
        return new RunEnd(
                read.parsed("status", word -> Words.parse(RunStatus.class, word)),
                read.valueOrNull("output"),
                read.has("error") ? Failure.read(read.valueOrNull("error")) : null);
    }

    @Override
    public RunInfo info(RunId run) {
        return calls.ask(Call.get(Paths.run(run)), RunJson::run);
    }

    @Override
    public HistoryPart part(RunId run, long from) {
        return calls.ask(Call.get(historyPath(run, from)), json -> {
            HistoryPage page = HistoryPage.read(json);
            return new HistoryPart(page.events(), json.text().length(), page.isOver());
        });
    }

    static String historyPath(RunId run, long from) {
        return Paths.run(run) + "/history?from=" + from + "&limit=" + HistoryPage.LIMIT;
    }

    @Override
    public Following follow(RunId run, long from) {
        info(run);
        return new RemoteFollowing(polls, run, from);
    }
}
