package io.perdure.cli.demo;

import io.perdure.cli.demo.WitnessLine.What;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Judges the demo by what its steps wrote down, not by the engine's tables; only the signal, which leaves no other trace, by the
 * history. A function of its arguments.
 */
final class Verdict {
    /** What the shell answers for a process that SIGKILL ended. */
    private static final int KILLED = 137;

    private final List<WitnessLine> lines;
    private final Facts facts;

    /**
     * What is known besides.
     *
     * @param result what the run resulted in
     * @param expected what it should have
     */
    record Facts(Processes processes, Signals signals, Json result, Json expected) {}

    /**
     * Who worked.
     *
     * @param first the process that was killed
     * @param second the process that went on
     * @param killExit what the first one ended with
     */
    record Processes(long first, long second, int killExit) {}

    /**
     * What the run was told.
     *
     * @param sent for each call that sent the signal, whether it was taken for a new one
     * @param payload what it carried
     * @param received what came out at the other end
     */
    record Signals(List<Boolean> sent, Json payload, List<Json> received) {}

    private Verdict(List<WitnessLine> lines, Facts facts) {
        this.lines = lines;
        this.facts = facts;
    }

    static List<Promise> judge(List<WitnessLine> lines, Facts facts) {
        Verdict verdict = new Verdict(lines, facts);
        return List.of(
                verdict.killedInTheMiddle(),
                verdict.effectsOnce(),
                verdict.completedNotAgain(),
                verdict.retriedAsAnnounced(),
                verdict.sleptLongEnough(),
                verdict.signalTakenOnce(),
                verdict.resultRight());
    }

    private Promise killedInTheMiddle() {
        boolean began = any(line -> line.pid() == facts.processes().first() && line.is(OrderWorkflow.PACK, What.DID));
        boolean ended = any(line -> line.pid() == facts.processes().first() && line.is(OrderWorkflow.PACK, What.DONE));
        return new Promise(
                "killed in mid-step",
                facts.processes().killExit() == KILLED && began && !ended,
                "exit code " + facts.processes().killExit() + ", " + OrderWorkflow.PACK
                        + (began ? " had done its work" : " had not begun")
                        + (ended ? " and returned" : " and not returned"));
    }

    private Promise effectsOnce() {
        Map<String, Long> effects = lines.stream()
                .filter(line -> line.what() == What.DID)
                .collect(Collectors.groupingBy(WitnessLine::key, TreeMap::new, Collectors.counting()));
        Set<String> steps = lines.stream()
                .filter(line -> line.what() == What.DID)
                .map(WitnessLine::step)
                .collect(Collectors.toSet());
        List<String> wrong = effects.entrySet().stream()
                .filter(effect -> effect.getValue() != 1)
                .map(effect -> effect.getKey() + " happened " + effect.getValue() + " times")
                .toList();
        boolean all = steps.equals(Set.copyOf(OrderWorkflow.STEPS)) && effects.size() == OrderWorkflow.STEPS.size();
        String seen = effects.values().stream().mapToLong(Long::longValue).sum() + " effects under " + effects.size()
                + " idempotency keys";
        return new Promise(
                "every effect exactly once", all && wrong.isEmpty(), wrong.isEmpty() ? seen : String.join(", ", wrong));
    }

    private Promise completedNotAgain() {
        List<String> completed = steps(line -> line.pid() == facts.processes().first() && line.what() == What.DONE);
        List<String> begun = steps(line -> line.pid() == facts.processes().second() && line.what() == What.BEGAN);
        List<String> again = completed.stream().filter(begun::contains).toList();
        boolean others = any(line -> line.pid() != facts.processes().first()
                && line.pid() != facts.processes().second());
        return new Promise(
                "no completed step ran again",
                again.isEmpty() && !completed.isEmpty() && !begun.isEmpty() && !others,
                again.isEmpty()
                        ? completed.size() + " completed before the kill, " + begun.size() + " others begun after it"
                        : String.join(", ", again) + " ran again");
    }

    /** Of the card: {@link OrderWorkflow#CHARGE_FAILURES} attempts fail, the next one does not, and no other step fails. */
    private Promise retriedAsAnnounced() {
        List<Integer> failed = attempts(What.FAILED);
        List<Integer> begun = attempts(What.BEGAN);
        boolean elsewhere =
                any(line -> line.what() == What.FAILED && !line.step().equals(OrderWorkflow.CHARGE));
        int last = OrderWorkflow.CHARGE_FAILURES + 1;
        return new Promise(
                "retried as often as announced",
                failed.equals(upTo(OrderWorkflow.CHARGE_FAILURES)) && begun.equals(upTo(last)) && !elsewhere,
                OrderWorkflow.CHARGE + " had attempts " + begun + ", of which " + failed + " failed"
                        + (elsewhere ? "; others failed too" : ""));
    }

    private static List<Integer> upTo(int last) {
        return IntStream.rangeClosed(1, last).boxed().toList();
    }

    private List<Integer> attempts(What what) {
        return lines.stream()
                .filter(line -> line.is(OrderWorkflow.CHARGE, what))
                .map(WitnessLine::attempt)
                .toList();
    }

    private Promise sleptLongEnough() {
        Optional<Instant> from = time(OrderWorkflow.CHARGE, What.DONE);
        Optional<Instant> to = time(OrderWorkflow.PACK, What.BEGAN);
        Optional<Duration> slept = from.flatMap(begin -> to.map(end -> Duration.between(begin, end)));
        return new Promise(
                "slept no shorter than asked",
                slept.isPresent() && slept.get().compareTo(OrderWorkflow.CARRIER_COMES_AFTER) >= 0,
                slept.map(span -> String.format(
                                Locale.ROOT,
                                "%.3f s between the steps, %.0f s asked for",
                                span.toMillis() / 1e3,
                                OrderWorkflow.CARRIER_COMES_AFTER.toMillis() / 1e3))
                        .orElse("a step beside it is missing"));
    }

    private Promise signalTakenOnce() {
        Signals signals = facts.signals();
        long kept = signals.sent().stream().filter(isNew -> isNew).count();
        boolean same = signals.received().stream()
                .allMatch(json -> json.fingerprint().equals(signals.payload().fingerprint()));
        return new Promise(
                "the signal taken exactly once",
                kept == 1 && signals.received().size() == 1 && same,
                "%s sent under one id while no worker lived, %s kept, %s taken%s"
                        .formatted(
                                signals.sent().size(),
                                kept,
                                signals.received().size(),
                                same ? "" : ", with another payload"));
    }

    private Promise resultRight() {
        return new Promise(
                "the result is right",
                facts.result().fingerprint().equals(facts.expected().fingerprint()),
                facts.result().text());
    }

    private Optional<Instant> time(String step, What what) {
        return lines.stream()
                .filter(line -> line.is(step, what))
                .map(WitnessLine::at)
                .findFirst();
    }

    private List<String> steps(Predicate<WitnessLine> which) {
        return lines.stream().filter(which).map(WitnessLine::step).distinct().toList();
    }

    private boolean any(Predicate<WitnessLine> which) {
        return lines.stream().anyMatch(which);
    }
}
