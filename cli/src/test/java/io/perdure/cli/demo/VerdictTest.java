package io.perdure.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.perdure.cli.demo.WitnessLine.What;
import io.perdure.sdk.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge says yes to a witness of a good run, and no to each way in which it can be broken. */
class VerdictTest {
    private static final long FIRST = 11;
    private static final long SECOND = 22;
    private static final Json RESULT = Json.of("{\"a\": 1, \"b\": 2}");
    private static final Json PAYLOAD = Json.of("{\"who\": \"Mia\"}");
    private static final Verdict.Processes KILLED = new Verdict.Processes(FIRST, SECOND, 137);
    private static final Verdict.Signals ONCE =
            new Verdict.Signals(List.of(true, false), PAYLOAD, List.of(Json.of("{\"who\":\"Mia\"}")));
    private static final Verdict.Facts FACTS = new Verdict.Facts(KILLED, ONCE, RESULT, Json.of("{\"b\":2,\"a\":1}"));

    private final List<WitnessLine> lines = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    VerdictTest() {
        step(FIRST, "reserve-stock", 1, What.BEGAN, What.DID, What.DONE);
        step(FIRST, "charge-card", 1, What.BEGAN, What.FAILED);
        step(FIRST, "charge-card", 2, What.BEGAN, What.FAILED);
        step(FIRST, "charge-card", 3, What.BEGAN, What.DID, What.DONE);
        now = now.plus(Duration.ofMillis(1_900));
        step(FIRST, "pack", 1, What.BEGAN, What.DID);
        step(SECOND, "pack", 1, What.BEGAN, What.FOUND, What.DONE);
        step(SECOND, "send-parcel", 1, What.BEGAN, What.DID, What.DONE);
        step(SECOND, "send-mail", 1, What.BEGAN, What.DID, What.DONE);
    }

    private void step(long pid, String step, int attempt, What... what) {
        for (What one : what) {
            now = now.plusMillis(100);
            lines.add(line(pid, step, attempt, one));
        }
    }

    private WitnessLine line(long pid, String step, int attempt, What what) {
        return new WitnessLine(now, pid, step, attempt, what, "run/" + step);
    }

    private static List<String> broken(List<WitnessLine> lines, Verdict.Facts facts) {
        return Verdict.judge(lines, facts).stream()
                .filter(promise -> !promise.kept())
                .map(promise -> promise.promise() + ": " + promise.seen())
                .toList();
    }

    private List<String> broken() {
        return broken(lines, FACTS);
    }

    @Test
    void aGoodRunKeepsEveryPromise() {
        assertThat(broken()).isEmpty();
        assertThat(Verdict.judge(lines, FACTS)).hasSize(7);
    }

    @Test
    void anEffectThatHappenedTwiceUnderOneKeyIsSeen() {
        lines.add(line(SECOND, "send-mail", 1, What.DID));

        assertThat(broken()).containsExactly("every effect exactly once: run/send-mail happened 2 times");
    }

    @Test
    void anEffectThatIsMissingIsSeen() {
        lines.removeIf(line -> line.is("send-mail", What.DID));

        assertThat(broken()).containsExactly("every effect exactly once: 4 effects under 4 idempotency keys");
    }

    @Test
    void aCompletedStepThatRanAgainIsSeen() {
        step(SECOND, "reserve-stock", 1, What.BEGAN, What.FOUND, What.DONE);

        assertThat(broken()).containsExactly("no completed step ran again: reserve-stock ran again");
    }

    @Test
    void aThirdProcessIsSeen() {
        step(33, "send-mail", 1, What.BEGAN);

        assertThat(broken()).hasSize(1).first().asString().startsWith("no completed step ran again");
    }

    @Test
    void tooFewAndTooManyRetriesAreSeen() {
        lines.removeIf(line -> line.step().equals("charge-card") && line.attempt() == 2);
        assertThat(broken())
                .containsExactly("retried as often as announced: charge-card had attempts [1, 3], of which [1] failed");

        lines.add(line(FIRST, "send-mail", 1, What.FAILED));
        assertThat(broken()).hasSize(1).first().asString().endsWith("others failed too");
    }

    @Test
    void aSleepThatWasTooShortIsSeen() {
        List<WitnessLine> early = lines.stream()
                .map(line -> line.step().equals("pack")
                        ? new WitnessLine(line.at().minusMillis(1), line.pid(), line.step(), 1, line.what(), line.key())
                        : line)
                .toList();

        assertThat(broken(early, FACTS))
                .containsExactly("slept no shorter than asked: 1.999 s between the steps, 2 s asked for");
    }

    @Test
    void aKillThatWasNoneIsSeen() {
        assertThat(broken(lines, new Verdict.Facts(new Verdict.Processes(FIRST, SECOND, 0), ONCE, RESULT, RESULT)))
                .containsExactly("killed in mid-step: exit code 0, " + "pack had done its work and not returned");

        lines.add(line(FIRST, "pack", 1, What.DONE));
        assertThat(broken()).anyMatch(line -> line.endsWith("pack had done its work and returned"));
    }

    private List<String> brokenWith(List<Boolean> sent, Json... received) {
        Verdict.Signals signals = new Verdict.Signals(sent, PAYLOAD, List.of(received));
        return broken(lines, new Verdict.Facts(KILLED, signals, RESULT, RESULT));
    }

    @Test
    void aSignalThatWasLostDoubledOrChangedIsSeen() {
        String promise = "the signal taken exactly once: 2 sent under one id while no worker lived, ";

        assertThat(brokenWith(List.of(true, false))).containsExactly(promise + "1 kept, 0 taken");
        assertThat(brokenWith(List.of(true, false), PAYLOAD, PAYLOAD)).containsExactly(promise + "1 kept, 2 taken");
        assertThat(brokenWith(List.of(true, true), PAYLOAD)).containsExactly(promise + "2 kept, 1 taken");
        assertThat(brokenWith(List.of(false, false), PAYLOAD)).containsExactly(promise + "0 kept, 1 taken");
        assertThat(brokenWith(List.of(true, false), Json.NULL))
                .containsExactly(promise + "1 kept, 1 taken, with another payload");
    }

    @Test
    void aWrongResultIsSeen() {
        assertThat(broken(lines, new Verdict.Facts(KILLED, ONCE, Json.NULL, RESULT)))
                .containsExactly("the result is right: null");
    }

    @Test
    void anEmptyWitnessKeepsNoPromiseOfTheSteps() {
        assertThat(broken(List.of(), FACTS)).hasSize(5);
    }

    @Test
    void linesAreReadAsTheyAreWritten() {
        assertThat(lines).allMatch(line -> WitnessLine.parse(line.toString()).equals(line));
        assertThat(lines.getFirst()).hasToString("2026-01-01T00:00:00.100Z 11 reserve-stock 1 began run/reserve-stock");
        assertThat(lines.getFirst().run()).isEqualTo("run");
    }
}
