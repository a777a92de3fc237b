package io.perdure.cli;

import java.util.Locale;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The {@code --format} that every command which prints data shares. */
public final class FormatOption {
    /** How data is printed. */
    enum Format {
        TEXT,
        JSON;

        static Format parse(String name) {
            return switch (name.toLowerCase(Locale.ROOT)) {
                case "text" -> TEXT;
                case "json" -> JSON;
                default -> throw new TypeConversionException("expected text or json but was \"" + name + "\"");
            };
        }
    }

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "text for people, json for programs; json only ever gains fields.")
    private Format format = Format.TEXT;

    /** Prints one of many as a line of JSON, or runs what prints it as text; it is seen at once. */
    public void printLine(Terminal terminal, Object data, Runnable asText) {
        switch (format) {
            case TEXT -> asText.run();
            case JSON -> terminal.out().println(JsonMapper.shared().writeValueAsString(data));
        }
        terminal.out().flush();
    }

    /** Whether text was asked for, as opposed to JSON. */
    public boolean isText() {
        return format == Format.TEXT;
    }

    /** Prints data as JSON, or runs what prints it as text. */
    public void print(Terminal terminal, Object data, Runnable asText) {
        switch (format) {
            case TEXT -> asText.run();
            case JSON -> {
                // The mapper costs a fifth of a second to load; only who asks for JSON pays.
                JsonMapper mapper = JsonMapper.builder()
                        .enable(SerializationFeature.INDENT_OUTPUT)
                        .build();
                terminal.out().println(mapper.writeValueAsString(data));
            }
        }
    }
}
