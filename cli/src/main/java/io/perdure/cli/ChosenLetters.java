package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.id.MessageId;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Which dead letters are meant: some by their ids, or all of them, which takes a yes. */
final class ChosenLetters {
    @Mixin
    private DeadLettersArgument letters = new DeadLettersArgument();

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "ID", description = "Dead letters by their ids.")
    private List<String> ids = List.of();

    @Option(names = "--all", description = "All dead letters of the queue.")
    private boolean all;

    @Option(names = "--yes", description = "Does it. Without it they are only counted. Not needed with ID.")
    private boolean yes;

    /** Those among which they are. */
    DeadLettersArgument letters() {
        return letters;
    }

    /** Those that were named, each once; {@code PD-006} for what is no id. Empty where many are meant. */
    List<MessageId> ids() {
        return ids.stream().map(MessageId::parse).distinct().toList();
    }

    boolean yes() {
        return yes;
    }

    /** Throws unless exactly one way was taken to say which ones: ids, {@code --all}, or another option of the command. */
    void requireOneWay(CommandLine command, boolean other, String ways) {
        int taken = (ids.isEmpty() ? 0 : 1) + (all ? 1 : 0) + (other ? 1 : 0);
        if (taken != 1) {
            throw new ParameterException(
                    command, "Say which dead letters: " + ways + (taken == 0 ? "" : "; only one of these"));
        }
    }

    /** Throws {@code PD-403}, naming the dead letters that were not there, if there are any. */
    void requireNone(List<MessageId> missing, String notDone) {
        if (!missing.isEmpty()) {
            String named = missing.stream().map(MessageId::toString).collect(Collectors.joining(", "));
            throw new RefusedException(
                    ErrorCode.NO_SUCH_MESSAGE,
                    "%s: %s %s in %s.dlq."
                            .formatted(notDone, named, missing.size() == 1 ? "is not" : "are not", letters.queue()));
        }
    }

    /** What would be done, and how to do it. */
    String counted(long found, String wouldBe) {
        if (found == 0) {
            return "There is no dead letter of " + letters.queue() + (all ? "." : " that matches.");
        }
        return DeadLettersArgument.letters(found) + " of " + letters.queue() + " would be " + wouldBe
                + ". To do so, add --yes.";
    }
}
