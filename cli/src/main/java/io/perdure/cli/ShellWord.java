package io.perdure.cli;

/** Texts as a shell takes them back: in quotes where they need them. */
final class ShellWord {
    private ShellWord() {}

    static String of(String text) {
        return text.matches("[\\w@%+=:,./-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
