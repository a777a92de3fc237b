package io.perdure.architecture.offenders.edges.attic;

record Unlisted(String name) {}
