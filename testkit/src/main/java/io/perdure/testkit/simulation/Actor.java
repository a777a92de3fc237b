package io.perdure.testkit.simulation;

import io.perdure.testkit.invariant.Fact;

/** Someone who moves when the scheduler says so; every move makes one call of the store at most. */
abstract class Actor {
    final World world;
    final String name;
    final Port port;
    private int rest;

    Actor(World world, String name) {
        this.world = world;
        this.name = name;
        this.port = new Port(world, name);
    }

    /** Makes one move: a fault, a sending of the batch under way, or what the actor does next. */
    final void act() {
        if (rest > 0 && !world.faultsStopped()) {
            rest--;
        } else if (world.fault(Fault.CRASH, 0.01)) {
            crash();
        } else if (world.fault(Fault.PAUSE, 0.02)) {
            rest = world.random.nextInt(1, 12);
        } else if (!port.isBusy()) {
            move();
        } else if (!port.act()) {
            crash();
        }
    }

    private void crash() {
        world.note(name, new Fact.Crashed());
        rest = 0;
        port.reopen();
        forget();
    }

    /** The next call, when no batch is under way. */
    abstract void move();

    /** Loses everything that was in memory. */
    void forget() {}

    /** Whether the actor has nothing left to do until time passes. */
    boolean isIdle() {
        return !port.isBusy();
    }
}
