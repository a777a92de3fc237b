package io.perdure.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.core.store.MessageRow;
import io.perdure.sdk.id.QueueName;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.testkit.StoreFactory;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Short words for how a queue stands. */
abstract class FigureFixture extends SweepFixture {
    FigureFixture(StoreFactory factory) {
        super(factory);
    }

    final QueueFigures figures(QueueName queue) {
        return store.figures(TENANT, queue).orElseThrow();
    }

    /** Requires of the usual queue that its messages are in these places, and that all its figures add up. */
    final void stands(long ready, long delayed, long leased, @Nullable Instant oldest) {
        QueueFigures figures = figures(QUEUE);
        assertThat(List.of(figures.ready(), figures.delayed(), figures.leased()))
                .as("ready, delayed and leased at %s of %s", store.now(), figures)
                .containsExactly(ready, delayed, leased);
        assertThat(figures.oldest())
                .as("the oldest at %s of %s", store.now(), figures)
                .isEqualTo(oldest);
        addsUp(figures);
    }

    /** Requires that the figures say what the messages themselves say. Holds while the clock shows no time that it showed before. */
    final void agrees(QueueName queue) {
        Instant now = store.now();
        List<MessageRow> rows = messages(queue);
        long leased = rows.stream().filter(MessageRow::leased).count();
        List<Instant> free = rows.stream()
                .filter(row -> !row.leased())
                .map(MessageRow::readyAt)
                .sorted()
                .toList();
        long ready = free.stream().filter(time -> !time.isAfter(now)).count();
        QueueFigures figures = figures(queue);
        assertThat(List.of(figures.ready(), figures.delayed(), figures.leased()))
                .as("ready, delayed and leased of %s at %s", queue, now)
                .containsExactly(ready, free.size() - ready, leased);
        assertThat(figures.oldest()).isEqualTo(ready == 0 ? null : free.getFirst());
        addsUp(figures);
    }

    private static void addsUp(QueueFigures figures) {
        assertThat(figures.in())
                .as("%s", figures)
                .isEqualTo(figures.ready()
                        + figures.delayed()
                        + figures.leased()
                        + figures.out()
                        + figures.deadLettered()
                        + figures.expired());
    }
}
