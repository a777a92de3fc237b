package io.perdure.core.store;

import io.perdure.sdk.Limits;
import io.perdure.sdk.environment.Environment;
import java.util.List;

/** Opens stores of one kind. A module that has one names it for {@link java.util.ServiceLoader}. */
public interface StoreProvider {
    /** How a URL of this kind looks, such as {@code jdbc:sqlite:<file>}. */
    String form();

    /** Whether a URL is for this kind. It may still be wrong in detail: then {@link #open} says so. */
    boolean opens(String url);

    /** Opens the store that the URL names, and makes it ready for use: created or migrated where need be. */
    Store open(String url, Environment environment, Limits limits);

    /** What it takes to make the store ready, for who does that apart from opening it. Opens nothing yet. */
    StoreMigration migration(String url);

    /**
     * Looks the store over, and what it lies on: creates, migrates and changes nothing. What is wrong with it is a finding, and no error; only a URL that
     * is wrong in detail is {@code PD-210}.
     */
    List<Finding> examine(String url, Environment environment);
}
