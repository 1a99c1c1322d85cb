/**
 * Runs first in every process of a function. It gives the process the time of the twin, and lets it reach nothing but this machine.
 * Timers and `performance.now` stay real: time jumps only while no function works, so a function waits by itself as long as it says.
 */
const { openSync, readSync } = require('node:fs');
const net = require('node:net');

/** The twin writes a copy of this file with the two values in their places. */
const CLOCK_FILE = '{{CLOCK_FILE}}';
const SKEW_MS = Number('{{SKEW_MS}}');

const RealDate = Date;
const file = openSync(CLOCK_FILE, 'r');
const bytes = Buffer.alloc(8);

function now() {
  readSync(file, bytes, 0, 8, 0);
  return Math.floor(RealDate.now() + bytes.readDoubleLE(0) + SKEW_MS);
}

class ToldDate extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [now()] : args));
  }

  static now() {
    return now();
  }
}

// `Date()` without `new` gives a text; nothing else of Date depends on the time.
globalThis.Date = new Proxy(ToldDate, { apply: () => new ToldDate().toString() });

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function connectHere(...args) {
  const [options] = net._normalizeArgs(args[0] && Array.isArray(args[0]) ? args[0] : args);
  const host = options.host ?? 'localhost';
  if (options.path === undefined && !/^(127\.\d+\.\d+\.\d+|localhost|::1)$/.test(host))
    throw new Error(`the twin lets nothing out: ${host}`);
  return connect.apply(this, args);
};
