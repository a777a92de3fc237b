package io.perdure.testkit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.Store;
import io.perdure.testkit.Seeds;
import io.perdure.testkit.crash.Ordeal.Place;
import io.perdure.testkit.crash.Ordeal.Tally;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Made-up workflows, written in both ways, come to the same whether their processes die or not. */
@Timeout(300)
public abstract class RandomProgramsContract extends CrashFixture {
    private static final int SEEDS = 12;

    @Test
    void programsComeToTheSameWhereverTheirProcessesDie() {
        long[] asked = Seeds.asked().toArray();
        long[] seeds = asked.length > 0 ? asked : LongStream.range(0, SEEDS).toArray();
        Place place = new Place() {
            @Override
            public Store open() {
                return RandomProgramsContract.this.open();
            }

            @Override
            public void endLeases() {
                RandomProgramsContract.this.endLeases();
            }
        };
        Tally all = LongStream.of(seeds)
                .mapToObj(seed -> new Ordeal(seed, place, LONG).pass())
                .reduce(new Tally(0, 0, 0), Tally::plus);
        if (asked.length == 0) {
            assertThat(all.deaths()).as("deaths").isGreaterThan(SEEDS);
            assertThat(all.completed()).as("completed").isGreaterThan(SEEDS);
            assertThat(all.failed()).as("failed").isGreaterThan(SEEDS / 2);
        }
    }
}
