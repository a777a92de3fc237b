package io.perdure.client;

import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.id.EventName;
import io.perdure.sdk.id.RunId;
import io.perdure.sdk.json.Codec;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.json.JsonObject;
import io.perdure.sdk.run.Fit;
import io.perdure.sdk.run.RunInfo;
import io.perdure.sdk.run.Trial;
import io.perdure.sdk.wire.FieldReader;
import io.perdure.sdk.worker.Mailbox;
import io.perdure.sdk.worker.Registry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Moves runs to versions whose code is here: their histories are replayed in this process, and changed at the server. */
final class RemoteMoves {
    private final Calls calls;
    private final RemoteRuns runs;
    private final Codec codec;
    private final Registry registry;

    RemoteMoves(Calls calls, RemoteRuns runs, Codec codec, Registry registry) {
        this.calls = calls;
        this.runs = runs;
        this.codec = codec;
        this.registry = registry;
    }

    Fit check(RunId run, int version) {
        RunInfo info = runs.info(run);
        // Before the mailbox: a signal that was taken in between is then missing there, and not met twice.
        List<Recorded> history = runs.history(run, 0);
        Mailbox mailbox = mailbox(run);
        Instant here = calls.environment().clock().instant();
        Instant last = history.getLast().at();
        return new Trial(info, history, mailbox, here.isBefore(last) ? last : here).of(registry, codec, version);
    }

    /** The mailbox, put together from as many pages as it takes; a signal that comes meanwhile may be in the last. */
    private Mailbox mailbox(RunId run) {
        String path = Paths.run(run) + "/mailbox";
        MailboxPage page = calls.ask(Call.get(path), RemoteMoves::page);
        long wakes = page.mailbox().wakes();
        List<Mailbox.Letter> letters = new ArrayList<>(page.mailbox().letters());
        while (page.next() != null) {
            page = calls.ask(Call.get(path + "?from=" + page.next()), RemoteMoves::page);
            letters.addAll(page.mailbox().letters());
        }
        return new Mailbox(wakes, letters);
    }

    /** Some of a mailbox, and the number of the letter to ask for next. */
    private record MailboxPage(Mailbox mailbox, @Nullable Long next) {}

    private static MailboxPage page(Json json) {
        FieldReader read = FieldReader.of(json);
        Mailbox mailbox = new Mailbox(read.integer("wakes"), read.list("letters", RemoteMoves::letter));
        return new MailboxPage(mailbox, read.integerOrNull("next"));
    }

    private static Mailbox.Letter letter(Json json) {
        FieldReader read = FieldReader.of(json);
        return new Mailbox.Letter(
                read.integer("number"),
                read.parsed("event", EventName::new),
                read.valueOrNull("payload"),
                read.time("at"));
    }

    /** Moves a run that fits, unless it has gone on since it was looked at. */
    Fit move(RunId run, int version, String reason) {
        Fit fit = check(run, version).require();
        Json body = JsonObject.builder()
                .put("version", version)
                .put("last", fit.last())
                .put("reason", reason)
                .build();
        calls.ask(calls.repeatable("POST", Paths.run(run) + "/move", body));
        return fit;
    }
}
