package io.perdure.cli;

import io.perdure.sdk.id.Receipt;
import java.util.List;
import picocli.CommandLine.Parameters;

/** The receipts that every command which says what became of messages shares. */
final class ReceiptsArgument {
    @Parameters(
            arity = "1..*",
            paramLabel = "RECEIPT",
            description = "Receipts, as \"perdure queue receive\" showed them.")
    private List<String> receipts = List.of();

    /** Each once; {@code PD-006} for what is none. */
    List<Receipt> receipts() {
        return receipts.stream().map(Receipt::parse).distinct().toList();
    }
}
