package io.perdure.examples;

import io.perdure.core.Perdure;
import io.perdure.sdk.json.Json;
import io.perdure.sdk.queue.MessageQueue;
import io.perdure.sdk.queue.Outgoing;
import io.perdure.sdk.queue.QueueFigures;
import io.perdure.sdk.queue.QueueSettings;
import io.perdure.sdk.queue.QueuedMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The life of a queue: created with settings, changed, looked at, emptied and deleted. */
final class QueueUpkeepExample {
    private final List<String> told = new ArrayList<>();

    private QueueUpkeepExample() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("perdure");
        tell("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Looks after a queue in the store of this URL; tells what it found. */
    static List<String> tell(String url) {
        QueueUpkeepExample example = new QueueUpkeepExample();
        try (Perdure perdure = Perdure.open(url)) {
            MessageQueue reminders = example.create(perdure);
            example.update(reminders);
            example.look(reminders);
            example.delete(reminders);
            example.told.add(perdure.queues().size() + " queues left");
        }
        return example.told;
    }

    private MessageQueue create(Perdure perdure) {
        // region settings
        MessageQueue reminders = perdure.createQueue(
                "reminders",
                QueueSettings.defaults()
                        .visibility(Duration.ofMinutes(2))
                        .retries(5)
                        .maxDelay(Duration.ofDays(1)));
        // endregion
        // region delay
        reminders.send(
                Outgoing.of(Json.of("{\"call\": \"bob\"}")).delay(Duration.ofHours(20))); // out of sight until then
        // endregion
        reminders.send(Json.of("{\"call\": \"ann\"}"));
        return reminders;
    }

    private void update(MessageQueue reminders) {
        // region update
        reminders.update(reminders.settings().retention(Duration.ofDays(14))); // the others stay as they are
        // endregion
        told.add("kept for " + reminders.settings().retention().toDays() + " days");
    }

    private void look(MessageQueue reminders) {
        // region look
        QueueFigures figures = reminders.status().figures();
        told.add(figures.ready() + " ready, " + figures.delayed() + " delayed, " + figures.leased() + " leased");
        for (QueuedMessage message : reminders.messages(10).messages()) { // not received by this
            told.add(message.state() + " " + message.body());
        }
        // endregion
    }

    private void delete(MessageQueue reminders) {
        // region delete
        told.add(reminders.purge() + " purged"); // its messages, leased or not
        reminders.deadLetters().discardAll();
        reminders.delete(); // refused while there are messages
        // endregion
    }
}
