package io.perdure.architecture.offenders.order.core;

public record Door(String name) {}
