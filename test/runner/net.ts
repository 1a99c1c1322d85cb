/**
 * A test that hangs ends at some time: milliseconds. None may fail because the machine is busy, so this is no measure of anything, and no
 * test has a limit of its own.
 */
export const NET_MS = 600_000;
