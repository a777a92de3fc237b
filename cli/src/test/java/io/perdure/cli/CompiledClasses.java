package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Classes that are not on the class path of the tests, as those of a user of the command line are. */
record CompiledClasses(Path folder) {
    /** Compiles a class, which may use those of Perdure and those that are here. */
    void add(String name, String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        String path = System.getProperty("java.class.path") + File.pathSeparator + folder;
        List<String> options = List.of("-d", folder.toString(), "-proc:none", "-cp", path);
        boolean compiled = compiler.getTask(said, null, null, options, null, List.of(new Source(name, source)))
                .call();
        assertThat(compiled).as(said.toString()).isTrue();
    }

    /** Makes a jar with one of them, and nothing else. */
    void jar(String name, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            String entry = name.replace('.', '/') + ".class";
            out.putNextEntry(new ZipEntry(entry));
            out.write(Files.readAllBytes(folder.resolve(entry)));
            out.closeEntry();
        }
    }

    /** A source in memory. */
    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(
                    URI.create("string:///" + name.replace('.', '/') + JavaFileObject.Kind.SOURCE.extension),
                    JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
