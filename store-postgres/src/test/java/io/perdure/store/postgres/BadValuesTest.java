package io.perdure.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Batch;
import io.perdure.core.store.Commit;
import io.perdure.core.store.LaneId;
import io.perdure.core.store.Outcome;
import io.perdure.core.store.Refusal;
import io.perdure.sdk.id.ProcessId;
import io.perdure.sdk.json.Json;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A database that will not take a value, here because somebody gave it a rule of their own. */
@Timeout(60)
final class BadValuesTest {
    private static final int COMMITS = 50;

    @Test
    void aCommitThatTheDatabaseWillNotTakeFailsAlone() {
        try (FreshDatabase database = new FreshDatabase();
                Mailroom mailroom = Mailroom.at(database.text())) {
            database.run("ALTER TABLE perdure.message ADD CONSTRAINT picky CHECK (body <> '\"bad\"')");
            database.run("ALTER TABLE perdure.run ADD CONSTRAINT picky CHECK (input <> '\"bad\"')");
            ProcessId process = mailroom.environment.ids().processId();
            mailroom.store.openLanes(process, 1);
            Batch batch = new Batch(new LaneId(process, 0), 1, commits(mailroom));

            List<Outcome> outcomes = mailroom.store.commit(batch);

            for (int place = 0; place < COMMITS; place++) {
                assertThat(outcomes.get(place)).as("at %s", place).isInstanceOf(expected(place));
            }
            assertThat(outcomes.stream()
                            .filter(Outcome.Refused.class::isInstance)
                            .map(outcome -> ((Outcome.Refused) outcome).why()))
                    .containsExactly(Refusal.BAD_VALUE, Refusal.BAD_VALUE);
            assertThat(mailroom.store.commit(batch)).as("sent again").isEqualTo(outcomes);
            assertThat(mailroom.bodies()).hasSize(COMMITS / 2 - 1).containsOnly("\"good\"");
            assertThat(mailroom.figures(Mailroom.QUEUE).in()).isEqualTo(COMMITS / 2 - 1);
            assertThat(mailroom.store.runCounts(Mailroom.TENANT).getFirst().count())
                    .isEqualTo(COMMITS / 2 - 1);
            assertThat(mailroom.store.commit(new Batch(new LaneId(process, 0), 2, List.of(mailroom.send("good")))))
                    .singleElement()
                    .isInstanceOf(Outcome.Sent.class);
        }
    }

    /** Sends and starts by turns, one of each bad. */
    private static List<Commit> commits(Mailroom mailroom) {
        List<Commit> commits = new ArrayList<>();
        for (int place = 0; place < COMMITS; place++) {
            String value = isBad(place) ? "bad" : "good";
            commits.add(place % 2 == 0 ? mailroom.send(value) : mailroom.start("key " + place, Json.string(value)));
        }
        return commits;
    }

    private static boolean isBad(int place) {
        return place == 14 || place == 37;
    }

    private static Class<? extends Outcome> expected(int place) {
        if (isBad(place)) {
            return Outcome.Refused.class;
        }
        return place % 2 == 0 ? Outcome.Sent.class : Outcome.Started.class;
    }
}
