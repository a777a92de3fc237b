package io.perdure.architecture.offenders.world;

/** Takes a thread by being one. */
public final class Sleeper extends Thread {
    @Override
    public void run() {}
}
