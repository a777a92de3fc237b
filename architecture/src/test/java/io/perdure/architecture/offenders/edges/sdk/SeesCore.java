package io.perdure.architecture.offenders.edges.sdk;

import io.perdure.architecture.offenders.edges.core.Engine;

public record SeesCore(Engine engine) {}
