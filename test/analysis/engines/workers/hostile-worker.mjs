/** A worker whose behaviour the input's name chooses: what a parser does when a file gets the better of it. */
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
  echo: ({ task }) => ({ outcome: 'echo', bytes: task.input.bytes, environment: Object.keys(process.env).length }),
  hold: () => {
    const from = performance.timeOrigin + performance.now();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
    return { outcome: 'hold', from, to: performance.timeOrigin + performance.now() };
  },
};

export function runTask(message) {
  return behaviours[message.task.input.untrustedName](message);
}
