package io.perdure.architecture.offenders.edges.examples;

public record Example(String name) {}
