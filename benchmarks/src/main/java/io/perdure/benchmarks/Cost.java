package io.perdure.benchmarks;

import io.perdure.benchmarks.Figure.Unit;
import io.perdure.core.store.Effort;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What one operation costs the store, as the share it has in what many of them took.
 *
 * @param bytes written for it, where that can be told
 */
record Cost(double rows, double flushes, OptionalDouble bytes) {
    /** Of each of so many operations that took this together. */
    static Cost each(int operations, Effort effort, OptionalLong bytes) {
        return new Cost(
                (double) effort.rows() / operations,
                (double) effort.flushes() / operations,
                bytes.isPresent()
                        ? OptionalDouble.of((double) bytes.getAsLong() / operations)
                        : OptionalDouble.empty());
    }

    /** What this costs more than another. */
    Cost beyond(Cost other) {
        return new Cost(
                rows - other.rows,
                flushes - other.flushes,
                bytes.isPresent() && other.bytes.isPresent()
                        ? OptionalDouble.of(bytes.getAsDouble() - other.bytes.getAsDouble())
                        : OptionalDouble.empty());
    }

    /** One of so many equal parts. */
    Cost part(int parts) {
        return new Cost(
                rows / parts,
                flushes / parts,
                bytes.isPresent() ? OptionalDouble.of(bytes.getAsDouble() / parts) : OptionalDouble.empty());
    }

    List<Figure> figures(String key, String what) {
        List<Figure> figures = new ArrayList<>();
        figures.add(Figure.of(key + "_rows", what + ": rows", Unit.NUMBER, rows));
        figures.add(Figure.of(key + "_flushes", what + ": flushes", Unit.NUMBER, flushes));
        bytes.ifPresent(
                written -> figures.add(Figure.of(key + "_bytes", what + ": bytes written", Unit.COUNT, written)));
        return figures;
    }
}
