package io.perdure.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void theLastColumnWrapsUnderItself() {
        TextTable table = new TextTable("CODE", "TEXT");
        table.row("PD-001", "one two three four five six seven eight nine ten");

        assertThat(printed(table, 40)).isEqualToNormalizingNewlines("""
                        CODE    TEXT
                        PD-001  one two three four five six
                                seven eight nine ten
                        """);
    }

    @Test
    void theLastColumnGoesBelowWhereNoRoomIsLeftBeside() {
        TextTable table = new TextTable("NAME", "TEXT");
        table.row("a name of thirty characters ..", "one two three four five six seven eight nine");

        assertThat(printed(table, 40)).isEqualToNormalizingNewlines("""
                        NAME
                            TEXT
                        a name of thirty characters ..
                            one two three four five six seven
                            eight nine
                        """);
    }

    @Test
    void aLongNameHasALineOfItsOwnWhereTheColumnsDoNotFit() {
        TextTable table = new TextTable("NAME", "ONE", "TWO", "TEXT");
        table.row("a", "1", "2", "one two three four five");
        table.row("a_name_of_thirty_four_characters_x", "1", "2", "one");

        assertThat(printed(table, 40)).isEqualToNormalizingNewlines("""
                        NAME      ONE  TWO  TEXT
                        a         1    2    one two three four
                                            five
                        a_name_of_thirty_four_characters_x
                                  1    2    one
                        """);
    }

    @Test
    void aCharacterOfTwoHalvesIsCutWhole() {
        assertThat(TextTable.cut("abcd\uD83D\uDE00efgh", 8)).isEqualTo("abcd...");
        assertThat(TextTable.cut("abc\uD83D\uDE00efghi", 8)).isEqualTo("abc\uD83D\uDE00...");
        assertThat(TextTable.cut("abcdefgh", 8)).isEqualTo("abcdefgh");
        assertThat(TextTable.cut("abcdefghi", 8)).isEqualTo("abcde...");
    }

    @Test
    void nothingWrapsWhereAProgramReads() {
        TextTable table = new TextTable("A", "B");
        table.row("x", "long ".repeat(50));

        assertThat(printed(table, Terminal.UNBOUNDED)).hasLineCount(2);
    }

    @Test
    void aRowWithMissingCellsIsRefused() {
        TextTable table = new TextTable("A", "B");

        assertThatThrownBy(() -> table.row("x")).isInstanceOf(IllegalArgumentException.class);
    }

    private static String printed(TextTable table, int columns) {
        StringWriter out = new StringWriter();
        InputStream in = InputStream.nullInputStream();
        table.print(new Terminal(in, new PrintWriter(out), new PrintWriter(new StringWriter()), columns, Map.of()));
        return out.toString();
    }
}
