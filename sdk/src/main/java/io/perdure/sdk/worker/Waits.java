package io.perdure.sdk.worker;

import io.perdure.sdk.PerdureException;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.Due;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.history.Recorded;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.logging.SparingLog;
import io.perdure.sdk.worker.Mailbox.Letter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The waits of one turn. Takes what lies in the mailbox, and lets go of the run for what does not.
 *
 * <p><b>No signal is lost between looking and letting go.</b> The mailbox was read after the claim, and whoever lets go names the
 * wakes that it knew of. Where the run was signalled since, the store turns it back, and it looks again.
 *
 * <p><b>A wait ends once.</b> What came before its end is taken even if the worker is late; what came after is for another wait.
 * That it has ended is only said by who read the mailbox after that time, so that nothing that came before can be missed.
 */
final class Waits {
    /** Waits that are over are gathered for one commit, up to so many and so much: a commit has its bounds too. */
    private static final int MOST_GATHERED = 200;

    private static final int MOST_GATHERED_BYTES = 1 << 20;

    private final Backend backend;
    private final SparingLog log;
    private final Assignment assignment;
    private final Journal journal;
    private final Letters letters;
    private int gathered;
    private long gatheredBytes;

    Waits(Backend backend, SparingLog log, Assignment assignment, Journal journal) {
        this.backend = backend;
        this.log = log;
        this.assignment = assignment;
        this.journal = journal;
        this.letters = new Letters(assignment.mailbox());
    }

    /** Begins a wait; answers the payload of an event that is there already. */
    Json begin(Wait wait, Due until) {
        return letters.take(wait, null)
                .map(letter -> taken(wait, letter))
                .orElseThrow(() -> new Suspension(new Command.AwaitEvent(wait, until, false)));
    }

    /** Goes on with a wait that began before; answers nothing where it has ended without an event. */
    Optional<Json> goOn(Wait wait, @Nullable Instant until) {
        Optional<Letter> letter = letters.take(wait, until);
        if (letter.isPresent()) {
            return letter.map(came -> taken(wait, came));
        }
        if (until != null && !assignment.at().isBefore(until)) {
            gather(new Event.WaitTimedOut(wait.name()), 0);
            return Optional.empty();
        }
        throw new Suspension(new Command.AwaitEvent(wait, until == null ? Due.never() : Due.at(until), true));
    }

    private Json taken(Wait wait, Letter letter) {
        gather(wait.received(letter), letter.payload().bytes());
        return letter.payload();
    }

    private void gather(Event event, int bytes) {
        journal.add(new Draft(event));
        gathered++;
        gatheredBytes += bytes;
        if (gathered >= MOST_GATHERED || gatheredBytes >= MOST_GATHERED_BYTES) {
            journal.commit();
            gathered = 0;
            gatheredBytes = 0;
        }
    }

    /**
     * Lets go of the run until its event comes or the wait ends; answers when that is, {@link Due#FAR_FUTURE} where it does not end.
     * Where the event has come meanwhile it is taken, and the run is due at once: its code was unwound, and begins anew.
     */
    Instant letGo(Command.AwaitEvent await) {
        Wait wait = await.what();
        Instant ended = await.begun() && await.until() instanceof Due.At(Instant time) ? time : null;
        while (true) {
            Optional<Letter> letter = letters.take(wait, ended);
            if (letter.isPresent()) {
                journal.commit(List.of(new Draft(wait.received(letter.get()))), Release.until(Due.atOnce()));
                return assignment.at();
            }
            Optional<Instant> due = tryLetGo(await);
            if (due.isPresent()) {
                return due.get();
            }
            letters.readAnew(mailbox());
        }
    }

    /** When the run becomes due by itself; empty where it was signalled meanwhile and is still ours. */
    private Optional<Instant> tryLetGo(Command.AwaitEvent await) {
        Wait wait = await.what();
        Due until = await.until();
        boolean ends = !(until instanceof Due.Never);
        List<Draft> begins = await.begun() ? List.of() : List.of(new Draft(wait.started(), ends ? until : null));
        try {
            List<Recorded> recorded = journal.commit(begins, new Release(until, Set.of(wait.event()), letters.wakes()));
            Instant fixed = recorded.isEmpty() ? null : recorded.getLast().until();
            return Optional.of(fixed == null ? until.fixedAt(assignment.at()) : fixed);
        } catch (Suspension e) {
            if (e.command() instanceof Command.LookAgain) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Mailbox mailbox() {
        try {
            return backend.mailbox(assignment.held())
                    .orElseThrow(() -> new Suspension(new Command.Drop("the run is gone")));
        } catch (PerdureException e) {
            log.log(
                    System.Logger.Level.WARNING,
                    () -> "Run " + assignment.held().run()
                            + " is dropped and goes on from its history once its lease has ended.",
                    e);
            throw new Suspension(new Command.Drop(String.valueOf(e.getMessage())));
        }
    }
}
