package io.perdure.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsumerExampleTest {
    @Test
    void ordersOfACustomerAreShippedInOrderAndWhatWasGivenUpIsRedriven(@TempDir Path folder)
            throws InterruptedException {
        List<String> told = ConsumerExample.tell("jdbc:sqlite:" + folder.resolve("app.db"));

        assertThat(told.subList(0, 3))
                .containsExactlyInAnyOrder("shipped ann/lamp", "shipped ann/chair", "shipped bob/lamp")
                .containsSubsequence("shipped ann/lamp", "shipped ann/chair");
        assertThat(told.subList(3, told.size()))
                .containsExactly(
                        "{\"item\": \"desk\"}: 2 attempts, java.lang.IllegalStateException: not in the warehouse",
                        "redriven: 1",
                        "shipped ann/desk");
    }
}
