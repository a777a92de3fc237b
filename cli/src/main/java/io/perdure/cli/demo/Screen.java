package io.perdure.cli.demo;

import io.perdure.sdk.environment.Environment;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Consumer;

/** Tells what happens in the demo as it happens: a line each, with the time since it began. */
final class Screen {
    private final Consumer<String> out;
    private final boolean colours;
    private final Environment environment;
    private final long begunNanos;
    private String who = "";
    private boolean resumed;

    /** How a line looks where colours are seen. */
    private enum Colour {
        PLAIN(""),
        GREEN("\u001B[32m"),
        YELLOW("\u001B[33m"),
        RED("\u001B[1;31m"),
        CYAN("\u001B[36m");

        private final String begin;

        Colour(String begin) {
            this.begin = begin;
        }
    }

    Screen(Consumer<String> out, boolean colours, Environment environment) {
        this.out = out;
        this.colours = colours;
        this.environment = environment;
        this.begunNanos = environment.nanoTime();
    }

    Duration elapsed() {
        return Duration.ofNanos(environment.nanoTime() - begunNanos);
    }

    void started(String worker, long pid) {
        resumed = !who.isEmpty();
        who = worker;
        line("", "starts as process " + pid + (resumed ? " on the same file, without orders" : ""), Colour.PLAIN);
    }

    void killed(long pid, int exitCode) {
        String worker = who;
        who = "kill -9";
        line("", worker + ", process " + pid + ", is gone (exit code " + exitCode + ")", Colour.RED);
        who = worker;
    }

    void signalled() {
        String worker = who;
        who = "signal";
        line(OrderWorkflow.COURIER, "no worker lives: the store keeps it", Colour.CYAN);
        who = worker;
    }

    void saw(WitnessLine line) {
        if (resumed) {
            resumed = false;
            line("", "goes on from the history, after 2 steps and a sleep", Colour.CYAN);
        }
        switch (line.what()) {
            case BEGAN -> {
                // What comes of it is told; only that it could begin says that the signal was taken.
                if (line.step().equals(OrderWorkflow.SEND)) {
                    line(OrderWorkflow.COURIER, "the signal was there already, and is taken", Colour.CYAN);
                }
            }
            case FAILED ->
                line(
                        line.step(),
                        "attempt " + line.attempt() + " failed, again in " + OrderWorkflow.CHARGE_AGAIN_AFTER.toMillis()
                                + " ms",
                        Colour.YELLOW);
            case DID -> {
                if (line.step().equals(OrderWorkflow.PACK)) {
                    line(line.step(), "work done, but not returned yet", Colour.PLAIN);
                }
            }
            case FOUND -> line(line.step(), "begun again: work done before, by its key", Colour.YELLOW);
            case DONE -> done(line);
        }
    }

    private void done(WitnessLine line) {
        line(line.step(), line.attempt() == 1 ? "done" : "done at attempt " + line.attempt(), Colour.GREEN);
        if (line.step().equals(OrderWorkflow.CHARGE)) {
            line(
                    OrderWorkflow.CARRIER,
                    "sleeps " + OrderWorkflow.CARRIER_COMES_AFTER.toSeconds() + " s: a row, no thread",
                    Colour.CYAN);
        }
    }

    void completed() {
        line("", "the run is completed", Colour.GREEN);
    }

    private void line(String step, String text, Colour colour) {
        String seconds = String.format(Locale.ROOT, "%.2f s", elapsed().toMillis() / 1e3);
        String head = String.format(Locale.ROOT, "%8s  %-8s  ", seconds, who);
        String body = step.isEmpty() ? text : String.format(Locale.ROOT, "%-16s  %s", step, text);
        boolean coloured = colours && colour != Colour.PLAIN;
        out.accept(head + (coloured ? colour.begin + body + "\u001B[0m" : body));
    }
}
