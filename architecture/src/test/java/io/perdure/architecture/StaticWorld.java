package io.perdure.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvent;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Forbids taking time, randomness, ids, threads and timed waiting from the JDK's static world. The engine gets them from
 * its environment, so that one seed can decide everything that happens in a simulation. Calls and method references count
 * alike, also through subclasses of what is forbidden.
 */
final class StaticWorld extends ArchCondition<JavaClass> {
    StaticWorld() {
        super("take time, randomness, ids, threads and timed waits from the environment only");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        type.getDirectDependenciesFromSelf().stream()
                .filter(dependency -> ForbiddenCall.isForbiddenType(dependency.getTargetClass()))
                .forEach(dependency ->
                        events.add(SimpleConditionEvent.violated(dependency, dependency.getDescription())));
        uses(type).forEach(use -> judge(use).ifPresent(takes -> events.add(violation(use, takes))));
    }

    private static ConditionEvent violation(JavaCodeUnitAccess<?> use, String takes) {
        return SimpleConditionEvent.violated(use, use.getDescription() + " takes " + takes + " from the static world");
    }

    private static Stream<JavaCodeUnitAccess<?>> uses(JavaClass type) {
        return Stream.of(
                        type.getMethodCallsFromSelf(),
                        type.getConstructorCallsFromSelf(),
                        type.getMethodReferencesFromSelf(),
                        type.getConstructorReferencesFromSelf())
                .flatMap(uses -> uses.stream());
    }

    private static Optional<String> judge(JavaCodeUnitAccess<?> use) {
        JavaClass declarer =
                use.getTarget().resolveMember().map(JavaMember::getOwner).orElse(use.getTargetOwner());
        // What a class of ours declares is judged where it is written, not where it is called.
        if (declarer.getPackageName().startsWith(Production.ROOT + ".")) {
            return Optional.empty();
        }
        List<String> parameters = use.getTarget().getRawParameterTypes().stream()
                .map(JavaClass::getName)
                .toList();
        return ForbiddenCall.judge(use.getTargetOwner(), use.getName(), parameters);
    }
}
