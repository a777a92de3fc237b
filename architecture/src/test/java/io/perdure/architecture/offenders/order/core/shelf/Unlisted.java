package io.perdure.architecture.offenders.order.core.shelf;

final class Unlisted {}
