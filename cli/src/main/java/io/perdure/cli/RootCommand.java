package io.perdure.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code perdure} itself: without a command it shows what there is. */
@Command(
        name = "perdure",
        versionProvider = RootCommand.Version.class,
        header = {"Durable execution for Java: workflows and queues that survive crashes, restarts and deploys.", ""},
        synopsisSubcommandLabel = "COMMAND",
        optionListHeading = "%nOptions:%n",
        parameterListHeading = "%nParameters:%n",
        commandListHeading = "%nCommands:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:done",
            "1:failed; the line on stderr starts with the error's code",
            "2:wrong usage or a bad value: nothing was done or sent"
        },
        footerHeading = "%n",
        footer = {
            "Examples:",
            "  perdure demo                     a workflow survives kill -9, in ten seconds",
            "  perdure dev                      a server with workflows to try, and lines to copy",
            "  perdure server                   a store over HTTP, for workers and programs elsewhere",
            "  perdure queue create mail        a queue, kept in perdure.db in this folder",
            "  perdure queue send mail '{\"to\": \"a@b.c\"}'",
            "  perdure queue receive mail       what is there, and how to acknowledge it",
            "  perdure dlq list mail            what was given up, and why",
            "  perdure runs start order '{\"item\": \"lamp\"}' --key o-17",
            "  perdure runs watch ID            what happens to a run, until it ends",
            "  perdure runs redrive ID          a failed run goes on where it failed",
            "  perdure workers list             who works on runs now, and on which versions",
            "  perdure key create shop          a key for those who come through a server",
            "  perdure migrate --check          whether a store has what this release needs",
            "  perdure doctor                   what is wrong with settings, store and work, and what to do",
            "  perdure explain                  every error code in one table",
            "  perdure explain PD-303           what an error means and what to do about it",
            "  perdure limits                   every limit and default",
            "  perdure limits --format json     the same for programs",
            "",
            "Environment:",
            "  PERDURE_STORE         what --store is without the option",
            "  PERDURE_SERVER        what --server is without the option: a server to ask, instead of a store",
            "  PERDURE_KEY           the key to show to that server",
            "  PERDURE_CONFIG        what --config of server and dev is without the option: a file with settings",
            "  WORKFLOWS_MAX_RETENTION_DAYS, WORKFLOWS_SWEEPER_INTERVAL_MS",
            "                        for server and dev: most days that ended runs are kept, how often they go",
            "  PERDURE_LOG_FORMAT, PERDURE_LOG_LEVEL",
            "                        for server and dev: text or json, and error, warn, info or debug",
            "  OTLP_ENABLED, OTLP_ENDPOINT, OTLP_HEADERS",
            "                        for server and dev: true sends traces; where the collector is, and its key",
            "  NO_COLOR              any value turns colours off",
            "  PERDURE_STACKTRACE    1 is --stacktrace for every command",
            "  PERDURE_JAVA_OPTS     more options for the JVM",
            "  PERDURE_AOT           auto, now or off: whether a server starts from what the JVM kept before",
            "",
            "Documentation: README.md and docs/, which came with this command; docs/errors/ has a page per code."
        })
final class RootCommand implements Runnable {
    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Shows this help.")
    boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Shows the version; \"perdure version\" says more.")
    boolean version;

    @Option(
            names = "--stacktrace",
            scope = ScopeType.INHERIT,
            description = "Shows where an error came from, not only what it is.")
    private boolean stackTraces;

    RootCommand(Terminal terminal) {
        this.terminal = terminal;
        this.stackTraces = terminal.stackTraces();
    }

    boolean stackTraces() {
        return stackTraces || terminal.stackTraces();
    }

    @Override
    public void run() {
        spec.commandLine().usage(terminal.out());
    }

    /** What {@code --version} prints. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"perdure " + Product.running().perdure()};
        }
    }
}
