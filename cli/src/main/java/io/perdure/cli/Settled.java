package io.perdure.cli;

import io.perdure.sdk.ErrorCode;
import io.perdure.sdk.RefusedException;
import io.perdure.sdk.StoreException;
import io.perdure.sdk.id.Receipt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What came of settling messages by their receipts, each on its own.
 *
 * @param done what became of those that were in time
 * @param lost those that came too late
 * @param refused why those were not settled that were in time
 */
record Settled<T>(Map<Receipt, T> done, List<Receipt> lost, Map<Receipt, RefusedException> refused) {
    /** How one message is settled. */
    interface Verb<T> extends Function<Receipt, T> {}

    /** Settles each, whatever becomes of the others. A store that fails ends it; the error says which were settled before. */
    static <T> Settled<T> each(List<Receipt> receipts, Verb<T> verb) {
        Settled<T> settled = new Settled<>(new LinkedHashMap<>(), new ArrayList<>(), new LinkedHashMap<>());
        for (Receipt receipt : receipts) {
            try {
                settled.add(receipt, verb);
            } catch (StoreException e) {
                throw receipts.size() == 1 ? e : settled.failedAt(receipt, receipts, e);
            }
        }
        return settled;
    }

    private StoreException failedAt(Receipt failed, List<Receipt> receipts, StoreException e) {
        List<Receipt> others = receipts.stream()
                .filter(receipt -> !receipt.equals(failed) && !done.containsKey(receipt))
                .toList();
        String before =
                done.isEmpty() ? "None was done before" : "Done before: " + messages(List.copyOf(done.keySet()));
        String left = others.isEmpty() ? "" : " Not done: " + messages(others) + ".";
        return new StoreException(
                e.code(), "%s It failed at %s. %s.%s".formatted(e.what(), messages(List.of(failed)), before, left), e);
    }

    private void add(Receipt receipt, Verb<T> verb) {
        try {
            done.put(receipt, verb.apply(receipt));
        } catch (RefusedException e) {
            if (e.code() == ErrorCode.LEASE_LOST) {
                lost.add(receipt);
            } else {
                refused.put(receipt, e);
            }
        }
    }

    /** Throws what was refused, or else {@code PD-406} for what came too late, naming all messages that were not settled. */
    void requireAll(String notDone) {
        List<Receipt> left =
                Stream.concat(refused.keySet().stream(), lost.stream()).toList();
        if (!refused.isEmpty()) {
            RefusedException first = refused.values().iterator().next();
            throw new RefusedException(first.code(), first.what() + " " + notDone + ": " + messages(left) + ".", first);
        }
        requireNone(left, notDone);
    }

    /** Throws {@code PD-406}, naming these messages, if there are any. */
    static void requireNone(List<Receipt> lost, String notDone) {
        if (!lost.isEmpty()) {
            throw new RefusedException(ErrorCode.LEASE_LOST, notDone + ": " + messages(lost) + ".");
        }
    }

    /** Receipts as programs read them. */
    static List<String> texts(List<Receipt> receipts) {
        return receipts.stream().map(Receipt::toString).toList();
    }

    private static String messages(List<Receipt> receipts) {
        return receipts.stream()
                .map(receipt -> receipt.message().toString())
                .collect(Collectors.joining(", ", receipts.size() == 1 ? "message " : "messages ", ""));
    }
}
