package io.perdure.benchmarks;

import io.perdure.sdk.queue.ConsumeOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Consumers with default options and with fixed prefetches, in turns over the same backlog, with a handler that does nothing. */
final class ConsumerBenchmark {
    private final Target target;
    private final int messages;
    private final int rounds;
    private final Consumer<String> progress;

    /** One that takes so many rounds, of so many messages for each consumer. */
    ConsumerBenchmark(Target target, int messages, int rounds, Consumer<String> progress) {
        this.target = target;
        this.messages = messages;
        this.rounds = rounds;
        this.progress = progress;
    }

    /** One way to consume, and what it did in each round. */
    private record Way(String key, String what, ConsumeOptions options, List<Double> rates) {
        double median() {
            return rates.stream().sorted().skip(rates.size() / 2).findFirst().orElseThrow();
        }

        /** The median of the ratios of each round: the machine may be slower from one round to the next. */
        double share(Way other) {
            List<Double> shares = new ArrayList<>();
            for (int round = 0; round < rates.size(); round++) {
                shares.add(rates.get(round) / other.rates().get(round));
            }
            return shares.stream().sorted().skip(shares.size() / 2).findFirst().orElseThrow();
        }
    }

    /** Measures the defaults beside these prefetches. */
    FiguresReport run(List<Integer> prefetches) {
        List<Way> ways = Stream.concat(
                        Stream.of(new Way("defaults", "default options", ConsumeOptions.defaults(), new ArrayList<>())),
                        prefetches.stream().map(ConsumerBenchmark::fixed))
                .toList();
        try (Engine engine = Engine.open(target.fresh())) {
            for (int round = 0; round <= rounds; round++) {
                progress.accept(round == 0 ? "warm-up ..." : "round " + round + " of " + rounds + " ...");
                // Whoever comes first meets what filling the queue has left to the disk, so they take turns in that
                // too.
                List<Way> turns = new ArrayList<>(ways);
                Collections.rotate(turns, round);
                for (Way way : turns) {
                    double rate = Backlog.perSecond(engine, messages, way.options());
                    if (round > 0) {
                        way.rates().add(rate);
                    }
                }
            }
        }
        return report(ways);
    }

    private static Way fixed(int prefetch) {
        return new Way(
                "prefetch_" + prefetch,
                String.format(Locale.ROOT, "prefetch %,d", prefetch),
                ConsumeOptions.defaults().prefetch(prefetch),
                new ArrayList<>());
    }

    private FiguresReport report(List<Way> ways) {
        Way defaults = ways.getFirst();
        List<Figure> figures = new ArrayList<>();
        for (Way way : ways) {
            figures.add(Figure.of(way.key() + "_per_s", way.what(), Figure.Unit.PER_SECOND, way.median()));
        }
        for (Way way : ways.subList(1, ways.size())) {
            figures.add(Figure.of(
                    "defaults_beside_" + way.key(),
                    "default options beside " + way.what(),
                    Figure.Unit.NUMBER,
                    defaults.share(way)));
        }
        return new FiguresReport(
                Machine.describe(target),
                figures,
                "Medians of %s rounds, %,d messages for each consumer; ratios are medians of the ratios of each round."
                        .formatted(rounds, messages));
    }
}
