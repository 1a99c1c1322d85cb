/** A worker whose behaviour the input's name chooses: what a parser does when a file gets the better of it. */
import { appendFileSync, existsSync, readFileSync, readlinkSync } from 'node:fs';

/** How many tasks this thread has begun. */
let begun = 0;

const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const behaviours = {
  loop: () => {
    for (;;);
  },
  crash: () => process.exit(7),
  fault: () => setImmediate(() => JSON.parse('{')) && new Promise(() => {}),
  reject: () => Promise.reject(new Error('quotes the file')),
  memory: () => {
    const kept = [];
    for (;;) kept.push(new Array(100_000).fill(kept.length));
  },
  /** Fails in a thread that has done something before, as an engine does that keeps something of each file. */
  worn: () => (begun > 1 ? process.exit(7) : { outcome: 'worn' }),
  echo: ({ task }) => ({ outcome: 'echo', bytes: task.input.bytes, environment: Object.keys(process.env).length }),
  hold: () => {
    const from = performance.timeOrigin + performance.now();
    pause(60);
    return { outcome: 'hold', from, to: performance.timeOrigin + performance.now() };
  },
  /** Ends when so many tasks have begun, and holds then. Its content is the path of a file that counts them, and how many they must be. */
  meet: (message) => {
    const from = performance.timeOrigin + performance.now();
    const [path, count] = new TextDecoder().decode(message.task.input.bytes).split('|');
    appendFileSync(path, '.');
    while (readFileSync(path).length < Number(count)) pause(5);
    return { ...behaviours.hold(), from };
  },
  /** Loops until it was begun often enough. Its content is the path of a file that counts, and how often that is. */
  stubborn: (message) => {
    const [path, times] = new TextDecoder().decode(message.task.input.bytes).split('|');
    appendFileSync(path, '.');
    return readFileSync(path).length < Number(times) ? behaviours.loop() : behaviours.hold();
  },
};

/** As meter.ts does, which this thread cannot load. */
function begin(meter) {
  const link = '/proc/thread-self';
  meter[0] = existsSync(link) ? Number(readlinkSync(link).split('/').at(-1)) : -1;
}

export function runTask(message) {
  begin(message.meter);
  begun += 1;
  return behaviours[message.task.input.untrustedName](message);
}
