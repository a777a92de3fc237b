package io.perdure.cli;

import io.perdure.sdk.id.RunId;
import io.perdure.sdk.run.BulkAction;
import io.perdure.sdk.run.RunFilter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Which runs something is done to: one by its id, or all that options find, which takes a yes. */
final class ChosenRuns {
    @Mixin
    private FilterOption filter = new FilterOption();

    @Parameters(index = "0", arity = "0..1", paramLabel = "RUN", description = "The run's id.")
    private @Nullable String id;

    @Option(names = "--all", description = "All runs to which it can be done, of every workflow.")
    private boolean all;

    @Option(names = "--yes", description = "Does it. Without it they are only counted. Not needed with RUN.")
    private boolean yes;

    @Mixin
    private ReasonOption reason = new ReasonOption();

    /**
     * The run that was named; empty where options say which. Wrong usage where neither was done, or both; {@code PD-007} for runs in a
     * status to which it cannot be done.
     */
    Optional<RunId> one(CommandLine command, BulkAction action) {
        boolean many = all || !filter.isEmpty();
        if (all && !filter.isEmpty()) {
            throw new ParameterException(command, "--all is all runs; leave the other options out");
        }
        if (many == (id != null)) {
            throw new ParameterException(
                    command,
                    many
                            ? "Name a run, or say by options which ones; not both"
                            : "Name a run, or say by options which ones; --all is all of them");
        }
        action.require(filter.filter());
        return Optional.ofNullable(id).map(RunId::parse);
    }

    RunFilter filter() {
        return filter.filter();
    }

    boolean yes() {
        return yes;
    }

    String reason() {
        return reason.text();
    }
}
