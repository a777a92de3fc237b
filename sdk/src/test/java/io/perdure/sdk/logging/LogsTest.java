package io.perdure.sdk.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Beside these tests there is no provider of SLF4J; those of the engine have one. */
class LogsTest {
    @Test
    void whereNothingIsSetUpLinesGoWhereJavaTakesThem() {
        List<String> said = new ArrayList<>();
        Logger taken = Logger.getLogger(LogsTest.class.getPackageName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord logged) {
                said.add(logged.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        taken.setUseParentHandlers(false);
        taken.addHandler(handler);
        try {
            Logs.of(LogsTest.class).log(System.Logger.Level.WARNING, "parked");
        } finally {
            taken.removeHandler(handler);
            taken.setUseParentHandlers(true);
        }

        assertThat(Logs.areSetUp()).isFalse();
        assertThat(said).containsExactly("parked");
    }
}
