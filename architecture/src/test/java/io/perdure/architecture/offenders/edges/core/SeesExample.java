package io.perdure.architecture.offenders.edges.core;

import io.perdure.architecture.offenders.edges.examples.Example;

record SeesExample(Example example) {}
