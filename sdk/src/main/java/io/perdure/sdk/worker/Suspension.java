package io.perdure.sdk.worker;

/**
 * Unwinds a workflow's code when there is nothing more to do for now. An {@code Error}, so that {@code catch (Exception e)} does
 * not hold it up. What it stands for is done only once it has left the code.
 */
final class Suspension extends Error {
    private static final long serialVersionUID = 1L;

    private final transient Command command;

    Suspension(Command command) {
        super("The run is suspended. Let this pass: catch Exception, not Throwable or Error.", null, false, false);
        this.command = command;
    }

    Command command() {
        return command;
    }
}
