package io.perdure.cli;

import io.perdure.sdk.id.MessageId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Says what became of dead letters that were redriven or discarded, or what would. */
record LettersReport(Terminal terminal, FormatOption format, ChosenLetters chosen, Words words) {
    /**
     * What is done to them.
     *
     * @param field how programs read how many it was done to
     * @param outcome a sentence, with places for the dead letters and their queue
     * @param wouldBe what would be done to them
     * @param notDone what was not done to those that were not there
     */
    record Words(String field, String outcome, String wouldBe, String notDone) {}

    /** Of those that were named; {@code PD-403} where some were not there. Answers how many it was done to. */
    long named(long count, List<MessageId> missing) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put(words.field(), count);
        shown.put("missing", missing.stream().map(MessageId::toString).toList());
        format.print(terminal, shown, () -> {
            if (count > 0) {
                terminal.out().println(outcome(count));
            }
        });
        chosen.requireNone(missing, words.notDone());
        return count;
    }

    /** Of all that were found, or of none while there is no yes. Answers how many it was done to. */
    long all(long found, long count) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("matched", found);
        shown.put(words.field(), count);
        format.print(
                terminal,
                shown,
                () -> terminal.out().println(chosen.yes() ? outcome(count) : chosen.counted(found, words.wouldBe())));
        return count;
    }

    private String outcome(long count) {
        return words.outcome()
                .formatted(DeadLettersArgument.letters(count), chosen.letters().queue());
    }
}
