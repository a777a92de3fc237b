package io.perdure.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The bytecode under rule: every class of ours that is not a test. */
final class Production {
    static final String ROOT = "io.perdure";

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);

    private Production() {}

    static JavaClasses classes() {
        return CLASSES;
    }

    /** Test classes that break a rule on purpose. */
    static JavaClasses offenders(String packageName) {
        return new ClassFileImporter().importPackages(packageName);
    }
}
