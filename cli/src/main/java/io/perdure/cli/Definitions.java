package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.InvalidValueException;
import io.perdure.sdk.PerdureException;
import io.perdure.sdk.worker.Registry;
import io.perdure.sdk.workflow.WorkflowDefinition;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The workflows that a class of the user's has in its public constants, with the code behind them. The classes of Perdure are those of
 * this command line, also where the user's jars bring others. Open for as long as the code is used: more of it is loaded as it runs.
 */
final class Definitions implements AutoCloseable {
    private final URLClassLoader loader;
    private final List<WorkflowDefinition> all;

    private Definitions(URLClassLoader loader, List<WorkflowDefinition> all) {
        this.loader = loader;
        this.all = all;
    }

    /**
     * Loads them; {@code PD-901} for what cannot be loaded, or has none of this version.
     *
     * @param classes jars and folders, separated as in a class path
     * @param name the class, as the virtual machine calls it
     */
    static Definitions load(String classes, String name, int version) {
        URLClassLoader loader = new URLClassLoader(urls(classes), Definitions.class.getClassLoader());
        Definitions loaded = new Definitions(loader, new ArrayList<>());
        boolean done = false;
        try {
            loaded.all.addAll(constants(loader, classes, name));
            loaded.require(name, version);
            done = true;
            return loaded;
        } finally {
            if (!done) {
                loaded.close();
            }
        }
    }

    List<WorkflowDefinition> all() {
        return List.copyOf(all);
    }

    private static URL[] urls(String classes) {
        List<URL> urls = new ArrayList<>();
        for (String place : classes.split(Pattern.quote(File.pathSeparator), -1)) {
            urls.add(url(place));
        }
        return urls.toArray(URL[]::new);
    }

    private static URL url(String place) {
        try {
            Path path = Path.of(place);
            if (place.isBlank() || !Files.exists(path)) {
                throw wrong("\"%s\" of --classes does not exist, seen from the folder %s."
                        .formatted(place, System.getProperty("user.dir")));
            }
            if (!Files.isDirectory(path)) {
                // What is no jar would be passed over in silence.
                new JarFile(path.toFile()).close();
            }
            return path.toUri().toURL();
        } catch (IOException | InvalidPathException e) {
            throw wrong("\"%s\" of --classes is neither a folder nor a jar: %s.".formatted(place, e.getMessage()), e);
        }
    }

    private static List<WorkflowDefinition> constants(ClassLoader loader, String classes, String name) {
        try {
            List<WorkflowDefinition> found = new ArrayList<>();
            for (Field field : Class.forName(name, true, loader).getFields()) {
                if (Modifier.isStatic(field.getModifiers())
                        && Modifier.isFinal(field.getModifiers())
                        && WorkflowDefinition.class.isAssignableFrom(field.getType())) {
                    // The class need not be public.
                    field.setAccessible(true);
                    found.add(constant(field, name));
                }
            }
            return found;
        } catch (ClassNotFoundException e) {
            throw wrong(
                    "There is no class \"%s\" in %s; a class inside another is written Outer$Inner."
                            .formatted(name, classes),
                    e);
        } catch (LinkageError | ReflectiveOperationException e) {
            Throwable why = e instanceof ExceptionInInitializerError && e.getCause() != null ? e.getCause() : e;
            throw wrong(
                    "Class \"%s\" cannot be loaded: %s. Name all jars that it needs in --classes.".formatted(name, why),
                    e);
        }
    }

    private static WorkflowDefinition constant(Field field, String name) throws IllegalAccessException {
        if (field.get(null) instanceof WorkflowDefinition definition) {
            return definition;
        }
        throw wrong("Field %s of class \"%s\" is null.".formatted(field.getName(), name));
    }

    /** Throws unless all can be registered side by side, and one has this version. */
    private void require(String name, int version) {
        if (all.isEmpty()) {
            throw wrong("Class \"%s\" has no public static final field of type Workflow or StepFlow.".formatted(name));
        }
        try {
            Registry registry = new Registry();
            all.forEach(registry::add);
        } catch (PerdureException e) {
            throw wrong("The definitions of class \"%s\" do not go together: %s".formatted(name, e.what()), e);
        }
        if (all.stream().noneMatch(definition -> definition.version() == version)) {
            throw wrong("Class \"%s\" has no workflow of version %s; it has %s."
                    .formatted(
                            name,
                            version,
                            all.stream()
                                    .map(definition -> definition.name() + "@" + definition.version())
                                    .sorted()
                                    .collect(Collectors.joining(", "))));
        }
    }

    private static InvalidValueException wrong(String what) {
        return new InvalidValueException(ErrorCode.USAGE, what);
    }

    private static InvalidValueException wrong(String what, Throwable cause) {
        return new InvalidValueException(ErrorCode.USAGE, what, cause);
    }

    @Override
    public void close() {
        try {
            loader.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
