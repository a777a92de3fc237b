package io.perdure.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code perdure version}: what is running here. */
@Command(name = "version", header = "Prints the versions of Perdure, Java and the system.")
final class VersionCommand implements Runnable {
    private final Terminal terminal;

    @Mixin
    private FormatOption format = new FormatOption();

    VersionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        Product product = Product.running();
        format.print(terminal, product, () -> {
            terminal.out().println("perdure " + product.perdure());
            terminal.out().println("java " + product.java());
            terminal.out().println("os " + product.os());
        });
    }
}
