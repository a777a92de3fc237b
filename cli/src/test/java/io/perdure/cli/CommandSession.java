package io.perdure.cli;

import io.perdure.sdk.engine.Engine;
import io.perdure.sdk.history.Event;
import io.perdure.sdk.id.RunId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Commands to one place, one after another, and what their answers said of ids and keys. */
final class CommandSession {
    private static final String UUID = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
    private static final Pattern ID = Pattern.compile(UUID);
    private static final Pattern RECEIPT = Pattern.compile(UUID + "\\." + UUID);

    private static final String KEY = "[a-z2-7]{16}";
    private static final Pattern TOKEN = Pattern.compile("pd_" + KEY + "_[A-Za-z0-9_-]{43}");
    private static final Pattern KEY_ID = Pattern.compile("(?<=pd_)" + KEY + "(?=_)");

    /** What changes from run to run: ids, keys, times, spans. */
    private static final Pattern VARIES = Pattern.compile(
            UUID + "(\\." + UUID + ")?|" + TOKEN.pattern() + "|\\b" + KEY + "\\b"
                    + "|\\d{4}-\\d{2}-\\d{2}T[0-9:.]+Z|\\d+(\\.\\d+)? ?m?s\\b|\\d+:\\d+:\\d+(\\.\\d+)?|process \\d+|\\d+ frames of Perdure");

    private static final Pattern SPACES = Pattern.compile("[ -]{2,}");

    private final List<String> where;
    private String id = "";
    private String receipt = "";
    private String key = "";
    private String token = "";

    /**
     * Begins one.
     *
     * @param where what every command says of where the data is
     */
    CommandSession(List<String> where) {
        this.where = where;
    }

    /**
     * Says a command. In it, {@code @id}, {@code @receipt} and {@code @key} stand for what the newest answer that had any named first. From the first key
     * on, that one is shown.
     */
    Invocation say(List<String> words) {
        List<String> all = new ArrayList<>();
        for (String word : words) {
            all.add(
                    switch (word) {
                        case "@id" -> id;
                        case "@receipt" -> receipt;
                        case "@key" -> key;
                        default -> word;
                    });
        }
        all.addAll(where);
        Map<String, String> environment = token.isEmpty() ? Map.of() : Map.of("PERDURE_KEY", token);
        Invocation said = Invocation.in(environment, all.toArray(String[]::new));
        id = firstIn(said, ID).orElse(id);
        receipt = firstIn(said, RECEIPT).orElse(receipt);
        key = firstIn(said, KEY_ID).orElse(key);
        token = token.isEmpty() ? firstIn(said, TOKEN).orElse("") : token;
        return said;
    }

    private static Optional<String> firstIn(Invocation said, Pattern pattern) {
        return pattern.matcher(said.out()).results().findFirst().map(MatchResult::group);
    }

    /** Returns once the run that {@code @id} stands for has begun to wait for an event. */
    void awaitWait(Engine engine) {
        RunsFixture.await(engine.run(RunId.parse(id)), Event.WaitStarted.class);
    }

    /** The first key that was made. */
    String token() {
        return token;
    }

    /** What was answered, without what differs from place to place and from run to run. */
    String shown(Invocation said) {
        String text = said.exitCode() + "\n" + said.out() + said.err();
        for (String word : where) {
            text = text.replace(word, "WHERE");
        }
        text = text.replaceAll("It was looked for in WHERE, seen from the folder \\S+(?=[;.]\\s)", "ASKED")
                .replaceAll("The server at WHERE was asked", "ASKED")
                .replace("jdbc:sqlite:", "");
        return lasting(text);
    }

    /** A text without what changes from run to run. */
    static String lasting(String text) {
        return SPACES.matcher(VARIES.matcher(text).replaceAll("#")).replaceAll(" ");
    }
}
