package io.perdure.testkit.invariant;

/**
 * Names one commit across all the times it is sent: the same name sent again is the same commit.
 *
 * @param sender the lane it goes by, or whatever else numbers what it sends
 * @param number the number of its batch there
 * @param index its place in the batch
 */
public record CommitRef(String sender, long number, int index) {
    @Override
    public String toString() {
        return sender + "#" + number + "." + index;
    }
}
