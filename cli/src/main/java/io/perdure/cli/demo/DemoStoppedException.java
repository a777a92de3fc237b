package io.perdure.cli.demo;

/** The demo cannot go on. The message says why, in a sentence. */
final class DemoStoppedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DemoStoppedException(String why) {
        super(why);
    }
}
