package io.perdure.examples;

import io.perdure.core.Perdure;
import io.perdure.sdk.run.Run;
import io.perdure.sdk.workflow.Workflow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The shortest way from nothing to a durable workflow: two steps with a sleep between them, and a result. */
final class OnboardingExample {
    private final List<String> told = new CopyOnWriteArrayList<>();

    private OnboardingExample() {}

    record Signup(String email) {}

    record User(String id, String email) {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("perdure");
        tell("jdbc:sqlite:" + folder.resolve("app.db")).forEach(System.out::println);
    }

    /** Takes somebody on board in the store of this URL; tells what was done. */
    static List<String> tell(String url) {
        OnboardingExample example = new OnboardingExample();
        example.run(url);
        return example.told;
    }

    private void run(String url) {
        // region onboarding
        Workflow<Signup, String> onboard = Workflow.named("onboard").run(Signup.class, String.class, (ctx, signup) -> {
            User user = ctx.step("create-user", User.class, () -> create(signup)); // once it is done, it is remembered
            ctx.sleep("settle-in", Duration.ofSeconds(1)); // or a month: a sleeping run is a row, not a thread
            ctx.step("send-welcome", () -> welcome(user)); // tried again where it fails
            return user.id();
        });
        try (Perdure perdure = Perdure.open(url).register(onboard).start()) { // "jdbc:sqlite:app.db", or Postgres
            Run<String> run = perdure.start(onboard, new Signup("ann@example.com")); // on disk when this returns
            report(run.result(Duration.ofMinutes(1)));
        }
        // endregion
    }

    private User create(Signup signup) {
        told.add("created " + signup.email());
        return new User("user-1", signup.email());
    }

    private void welcome(User user) {
        told.add("welcomed " + user.email());
    }

    private void report(String id) {
        told.add("result " + id);
    }
}
