package io.perdure.testkit.crash;

import io.perdure.testkit.crash.CodeProgram.Call;
import io.perdure.testkit.crash.FlowProgram.Station;
import io.perdure.testkit.crash.Program.Trouble;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Makes programs up. The same die makes the same ones. */
final class Programs {
    private static final int STATIONS = 6;
    private static final int CALLS = 7;
    private static final List<String> KEYS = List.of("red", "green", "blue", "digest");
    /** Longer than a run waits in its worker. */
    private static final int LONG_ENOUGH_TO_LET_GO = 260;

    private final SplittableRandom die;
    private int names;

    Programs(SplittableRandom die) {
        this.die = die;
    }

    FlowProgram flow(String name) {
        int size = 1 + die.nextInt(STATIONS);
        List<Station> stations = new ArrayList<>();
        for (int place = 0; place < size; place++) {
            int next = rarely(6) ? size : Math.min(size, place + 1 + (rarely(4) ? 1 : 0));
            stations.add(new Station(
                    place == 0 ? "start" : "s" + place,
                    keys(KEYS.size()),
                    keys(KEYS.size() - 1),
                    next,
                    die.nextInt(place + 1),
                    rarely(3) ? 1 + die.nextInt(2) : 0,
                    1 + die.nextInt(2),
                    trouble()));
        }
        return new FlowProgram(name, List.copyOf(stations));
    }

    CodeProgram code(String name) {
        names = 0;
        return new CodeProgram(name, calls(1 + die.nextInt(CALLS), true), rarely(8) ? "between steps" : "");
    }

    private List<Call> calls(int size, boolean loops) {
        List<Call> calls = new ArrayList<>();
        for (int place = 0; place < size; place++) {
            String name = "c" + names++;
            calls.add(
                    switch (die.nextInt(8)) {
                        case 0 -> new Call.Nap(name, rarely(6) ? LONG_ENOUGH_TO_LET_GO : 1 + die.nextInt(3));
                        case 1 -> new Call.Await(name);
                        case 2 ->
                            loops
                                    ? new Call.Loop(1 + die.nextInt(3), calls(1 + die.nextInt(3), false))
                                    : new Call.Step(name, trouble());
                        default -> new Call.Step(name, trouble());
                    });
        }
        return List.copyOf(calls);
    }

    private Trouble trouble() {
        if (!rarely(3)) {
            return Trouble.NONE;
        }
        return rarely(8)
                ? new Trouble(1 + die.nextInt(Program.ATTEMPTS), true)
                : new Trouble(1 + die.nextInt(rarely(8) ? Program.ATTEMPTS : Program.ATTEMPTS - 1), false);
    }

    private List<String> keys(int among) {
        return KEYS.subList(0, among).stream().filter(_ -> die.nextBoolean()).toList();
    }

    /** Once in so many times. */
    private boolean rarely(int times) {
        return die.nextInt(times) == 0;
    }
}
