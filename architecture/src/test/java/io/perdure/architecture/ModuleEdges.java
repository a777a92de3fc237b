package io.perdure.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which module may see which. A module is the first package under the root: everything in {@code io.perdure.core} belongs
 * to {@code core}. A module that is not listed here is refused, so that a new one gets its edges on purpose.
 */
final class ModuleEdges extends ArchCondition<JavaClass> {
    private static final Set<String> ANYTHING = Set.of("*");
    private static final Map<String, Set<String>> ALLOWED = allowed();

    private final String root;

    ModuleEdges(String root) {
        super("depend only on the modules that design allows");
        this.root = root + ".";
    }

    private static Map<String, Set<String>> allowed() {
        Map<String, Set<String>> edges = new HashMap<>();
        edges.put("sdk", Set.of());
        // For tests and benchmarks; nobody else may see it.
        edges.put("postgres", Set.of());
        edges.put("core", Set.of("sdk"));
        edges.put("client", Set.of("sdk"));
        for (String aroundTheEngine : Set.of("store", "blob", "testkit", "server")) {
            edges.put(aroundTheEngine, Set.of("core", "sdk"));
        }
        edges.put("cli", Set.of("client", "server", "store", "blob", "core", "sdk"));
        edges.put("examples", ANYTHING);
        edges.put("benchmarks", ANYTHING);
        return edges;
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        String module = moduleOf(type).orElse("");
        Set<String> seen = ALLOWED.get(module);
        if (seen == null) {
            events.add(SimpleConditionEvent.violated(
                    type, type.getName() + " is in module \"" + module + "\", whose edges nobody decided"));
            return;
        }
        type.getDirectDependenciesFromSelf().forEach(dependency -> {
            Optional<String> target = moduleOf(dependency.getTargetClass());
            boolean ok = target.isEmpty()
                    || target.get().equals(module)
                    || seen.contains(target.get())
                    || seen.equals(ANYTHING);
            if (!ok) {
                events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription()));
            }
        });
    }

    private Optional<String> moduleOf(JavaClass type) {
        String name = type.getBaseComponentType().getPackageName() + ".";
        if (!name.startsWith(root)) {
            return Optional.empty();
        }
        String rest = name.substring(root.length());
        return Optional.of(rest.substring(0, Math.max(0, rest.indexOf('.'))));
    }
}
