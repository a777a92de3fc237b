package io.perdure.examples;

import io.perdure.core.Perdure;
import io.perdure.sdk.history.RunStatus;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.run.BulkAction;
import io.perdure.sdk.run.BulkProgress;
import io.perdure.sdk.run.RunCount;
import io.perdure.sdk.run.RunFilter;
import io.perdure.sdk.run.RunInfo;
import io.perdure.sdk.run.RunList;
import io.perdure.sdk.run.StartOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finding runs by what they are, page by page; counting them; cancelling those that are meant. */
final class FindRunsExample {
    private final List<String> told = new ArrayList<>();

    private FindRunsExample() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("perdure");
        tellAll("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Starts some orders in the store of this URL, which nobody works on, and finds them again; tells what it found. */
    static List<String> tellAll(String url) {
        FindRunsExample example = new FindRunsExample();
        try (Perdure perdure = Perdure.open(url)) {
            for (int number = 1; number <= 5; number++) {
                Json input = Json.of("{\"user\":{\"id\":%d},\"lamps\":%d}".formatted(number % 2, number));
                perdure.start("order", input, StartOptions.defaults().tag("shop", "ulm"));
            }
            example.find(perdure);
            example.cancel(perdure);
        }
        return example.told;
    }

    private void find(Perdure perdure) {
        // region find
        RunFilter meant = RunFilter.all()
                .workflow("order")
                .status(RunStatus.RUNNING)
                .tag("shop", "ulm")
                .inputField("user.id", Json.number(1)); // a field of the input, by its type

        RunList page = perdure.runs(meant, 2); // the newest two
        show(page);
        while (page.next() != null) {
            page = perdure.runs(meant, 2, page.next()); // the place holds while runs come and go
            show(page);
        }
        // endregion
    }

    private void show(RunList page) {
        for (RunInfo run : page.runs()) {
            told.add("found " + run.input());
        }
    }

    private void cancel(Perdure perdure) {
        // region cancel
        RunFilter meant = RunFilter.all().workflow("order").tag("shop", "ulm");
        told.add(perdure.operations().count(BulkAction.CANCEL, meant) + " to cancel"); // look first

        BulkProgress all = perdure.operations()
                .inBulk(
                        BulkAction.CANCEL,
                        meant,
                        "the shop is closed",
                        sofar -> told.add(sofar.done() + " of " + sofar.matched()));
        told.add(all.done() + " cancelled");

        for (RunCount count : perdure.runCounts()) { // kept by the store, not counted
            told.add(count.workflow() + " " + count.status().word() + " " + count.count());
        }
        // endregion
    }
}
