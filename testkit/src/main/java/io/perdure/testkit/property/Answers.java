package io.perdure.testkit.property;

import io.perdure.core.store.Outcome;
import java.util.List;

/** Brings answers to what stores promise of them: all there is to them, save the words of a refusal. */
final class Answers {
    private Answers() {}

    /** The part of an answer that is the same in every store. */
    static Object promised(Object answer) {
        return switch (answer) {
            case List<?> list -> list.stream().map(Answers::promised).toList();
            case Outcome.Refused(var why, var _) -> new Outcome.Refused(why, "");
            default -> answer;
        };
    }
}
