package io.perdure.architecture;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * How long the methods of a source file are, and which of its catch blocks are empty, told by the compiler's own parser.
 *
 * @param methods every method with a body; its Javadoc is not counted
 * @param emptyCatchLines where a catch block holds neither a statement nor a comment that says why
 */
record JavaShape(List<Method> methods, List<Long> emptyCatchLines) {
    /** One method and the lines from its first annotation to its closing brace. */
    record Method(String name, long line, long lines) {}

    /** By source: several rules ask for each file, and to parse one takes longer than all that is asked of it. */
    private static final Map<String, JavaShape> PARSED = new ConcurrentHashMap<>();

    static JavaShape of(String source) {
        return PARSED.computeIfAbsent(source, JavaShape::parsed);
    }

    private static JavaShape parsed(String source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        // Parsing reads no other file; what does not parse would not have compiled either.
        JavacTask task = (JavacTask) compiler.getTask(null, null, null, List.of(), null, List.of(inMemory(source)));
        Shapes shapes = new Shapes(source, Trees.instance(task).getSourcePositions());
        try {
            task.parse().forEach(unit -> shapes.scan(unit, unit));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new JavaShape(shapes.methods, shapes.emptyCatchLines);
    }

    private static JavaFileObject inMemory(String source) {
        return new SimpleJavaFileObject(URI.create("string:///Source.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }

    private static final class Shapes extends TreeScanner<Void, CompilationUnitTree> {
        private final String source;
        private final SourcePositions positions;
        private final List<Method> methods = new ArrayList<>();
        private final List<Long> emptyCatchLines = new ArrayList<>();

        Shapes(String source, SourcePositions positions) {
            this.source = source;
            this.positions = positions;
        }

        @Override
        public Void visitMethod(MethodTree method, CompilationUnitTree unit) {
            if (method.getBody() != null) {
                long first = lineOf(unit, positions.getStartPosition(unit, method));
                long last = lineOf(unit, positions.getEndPosition(unit, method));
                methods.add(new Method(method.getName().toString(), first, last - first + 1));
            }
            return super.visitMethod(method, unit);
        }

        @Override
        public Void visitCatch(CatchTree caught, CompilationUnitTree unit) {
            BlockTree block = caught.getBlock();
            if (block.getStatements().isEmpty() && !textOf(unit, block).matches("(?s).*(//|/[*]).*")) {
                emptyCatchLines.add(lineOf(unit, positions.getStartPosition(unit, caught)));
            }
            return super.visitCatch(caught, unit);
        }

        private String textOf(CompilationUnitTree unit, Tree tree) {
            return source.substring(
                    (int) positions.getStartPosition(unit, tree), (int) positions.getEndPosition(unit, tree));
        }

        private static long lineOf(CompilationUnitTree unit, long position) {
            return unit.getLineMap().getLineNumber(position);
        }
    }
}
