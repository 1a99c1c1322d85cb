/** A busy machine does not change what is seen of a script: a run that did not get its processor time has another try. */
import { expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS } from '../../lib/engines/engine.ts';
import { clockOf, clockOfNextTry } from '../../lib/engines/script/busy-machine.ts';
import { runScripts } from '../../lib/engines/script/run-scripts.ts';
import { readScriptFile } from '../../lib/engines/script/script-file.ts';

test.each([
  ['came to its end', { isWhole: true, usedMs: 5 }, null],
  ['used its processor time', { isWhole: false, usedMs: 1_000 }, null],
  ['had the processor for itself', { isWhole: false, usedMs: 1_990 }, null],
  ['got a quarter of a processor', { isWhole: false, usedMs: 500 }, 8_000],
  ['got a tenth of a processor', { isWhole: false, usedMs: 200 }, 20_000],
  ['got hardly any of it', { isWhole: false, usedMs: 1 }, 40_000],
  ['got nothing of it', { isWhole: false, usedMs: 0 }, 40_000],
])('a run that %s', (_, ended, clockMs) => {
  expect(clockOf(1_000)).toBe(2_000);
  expect(clockOfNextTry(ended, 1_000)).toBe(clockMs);
});

test('a script that got no processor until the clock ended it is seen whole, and names no limit', async () => {
  const bytes = Buffer.from(`new ActiveXObject('WScript.Shell').Run('powershell -c x'); WScript.Echo('behind it');`);
  const file = await readScriptFile({ bytes, untrustedName: 'a.js', password: null }, DEFAULT_ENGINE_LIMITS);
  const waits = new Int32Array(new SharedArrayBuffer(4));
  let isBusy = true;
  const recorder = await runScripts(file, 'a.js', {
    runMs: 250,
    sink: ({ events }) => {
      // The thread gets no processor here until the clock ends the run.
      if (isBusy && events !== undefined) {
        isBusy = false;
        Atomics.wait(waits, 0, 0, 10_000);
      }
    },
  });
  expect(isBusy).toBe(false);
  expect([...recorder.limits]).toEqual([]);
  expect(recorder.events.map(({ target }) => target).join()).toMatch(/powershell.*Windows Script Host/);
});
