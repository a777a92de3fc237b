package io.perdure.core.store;

import java.util.List;

/**
 * What it takes to bring the tables of one store to what this Perdure needs, for who does not leave that to the first process
 * that opens it. Each method looks at the store anew; errors are those of {@link StoreProvider#open}.
 */
public interface StoreMigration {
    /** The names of what is missing, in the order in which it would be applied; changes nothing. */
    List<String> missing();

    /** The SQL for what is missing, whole: run by an administrator, it does what {@link #apply} does. Changes nothing. */
    String script();

    /**
     * The SQL for a store that has this many behind it, without looking at one.
     *
     * @param from 0 for a store that is not there yet
     */
    String script(int from);

    /** Applies what is missing and answers how many; nothing where it fails. */
    int apply();
}
