package io.perdure.store.sqlite;

import io.perdure.core.store.Batch;
import io.perdure.core.store.RunCommit.Advance;
import io.perdure.sdk.history.Draft;
import io.perdure.sdk.history.EventJson;
import java.util.ArrayList;
import java.util.List;

/** The events that workers append in a batch, as they are written: made by the caller, because the writer's time is dear. */
final class EventTexts {
    private static final List<String> NONE = List.of();

    private final List<List<String>> texts;

    private EventTexts(List<List<String>> texts) {
        this.texts = texts;
    }

    static EventTexts of(Batch batch) {
        List<List<String>> texts = new ArrayList<>(batch.commits().size());
        for (var commit : batch.commits()) {
            texts.add(commit instanceof Advance advance ? texts(advance.events()) : NONE);
        }
        return new EventTexts(texts);
    }

    private static List<String> texts(List<Draft> events) {
        List<String> texts = new ArrayList<>(events.size());
        for (Draft draft : events) {
            texts.add(EventJson.write(draft.event()).text());
        }
        return texts;
    }

    /** The events of the commit at this place in the batch. */
    List<String> at(int slot) {
        return texts.get(slot);
    }
}
