package io.perdure.sdk.run;

import io.perdure.sdk.worker.Command;

/** A command in words: what a run's code would do next. Tells no values. */
final class WhatNext {
    private WhatNext() {}

    static String of(Command next) {
        return switch (next) {
            case Command.RunStep(var step, int attempt) -> "runs step \"" + step + "\", attempt " + attempt;
            case Command.Sleep(var name, var _) -> "sleeps at \"" + name + "\"";
            case Command.RetryLater(var failed, var _) -> "tries step \"" + failed.step() + "\" again";
            case Command.Rest(var until) -> "rests until " + until;
            case Command.AwaitEvent await -> "waits for " + await.what();
            case Command.TakeEvent take -> "takes signal " + take.signal() + " for " + take.what();
            case Command.GiveUp(var name) -> "ends the wait \"" + name + "\" without an event";
            case Command.LookAgain() -> "looks into its mailbox";
            case Command.Yield() -> "goes on";
            case Command.Finish _, Command.Complete _ -> "completes";
            case Command.Fail(var _, var reason) -> "fails with " + reason.type();
            case Command.Cancel(String reason) -> "is cancelled: " + reason;
            case Command.Park(var _, String detail, var _) -> detail;
            case Command.Drop(String why) -> why;
        };
    }
}
