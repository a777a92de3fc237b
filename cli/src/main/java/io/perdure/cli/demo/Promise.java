package io.perdure.cli.demo;

/**
 * Something that the demo is to show.
 *
 * @param promise what was promised
 * @param kept whether it was
 * @param seen what was seen of it
 */
public record Promise(String promise, boolean kept, String seen) {}
