package io.perdure.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Optional;

/**
 * The order of the packages inside {@code core}: each may import only those listed before it. The package above them all
 * holds the one public door, which may see everything and which none of them may see.
 */
final class CoreOrder extends ArchCondition<JavaClass> {
    private static final List<String> ORDER = List.of(
            "store", "telemetry", "key", "request", "payload", "queue", "workflow", "topic", "inbox", "dispatch");
    private static final String DOOR = "";

    private final String core;

    CoreOrder(String core) {
        super("import only the packages of core that come before their own");
        this.core = core;
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        String own = packageInCore(type).orElse(DOOR);
        if (own.equals(DOOR)) {
            return;
        }
        if (!ORDER.contains(own)) {
            events.add(SimpleConditionEvent.violated(
                    type, type.getName() + " is in \"" + own + "\", which has no place in the order " + ORDER));
            return;
        }
        type.getDirectDependenciesFromSelf().forEach(dependency -> {
            Optional<String> seen = packageInCore(dependency.getTargetClass());
            boolean backwards =
                    seen.isPresent() && (seen.get().equals(DOOR) || ORDER.indexOf(seen.get()) > ORDER.indexOf(own));
            if (backwards) {
                events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
            }
        });
    }

    /** The first package under core, the door where the class is in core itself, nothing where it is elsewhere. */
    private Optional<String> packageInCore(JavaClass type) {
        String name = type.getBaseComponentType().getPackageName();
        if (name.equals(core)) {
            return Optional.of(DOOR);
        }
        if (!name.startsWith(core + ".")) {
            return Optional.empty();
        }
        String rest = name.substring(core.length() + 1);
        int dot = rest.indexOf('.');
        return Optional.of(dot < 0 ? rest : rest.substring(0, dot));
    }
}
