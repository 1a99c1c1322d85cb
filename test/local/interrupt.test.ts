/** Ctrl-C as a signal to the real process in the middle of its work. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emailWith } from '../pipeline/rig.ts';
import { commandLine } from '../runner/command-line.ts';

const INPUTS = 30;
const root = join(import.meta.dirname, '../..');
let folder: string;
let paths: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airlock-interrupt-'));
  paths = Array.from({ length: INPUTS }, (_, index) => join(folder, `${index}.eml`));
  await Promise.all(
    paths.map((path, index) => writeFile(path, emailWith({ subject: `Mail ${index}`, text: `body ${index}` }))),
  );
});
afterAll(() => rm(folder, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly states: readonly { readonly input: string; readonly state: string }[];
}

/** Runs first in the process, and sends it SIGINT when it tells of the first finished input. Who is slower cannot come too late. */
const INTERRUPTING = `
  const { write } = process.stderr;
  process.stderr.write = (...told) => {
    process.stderr.write = write;
    process.kill(process.pid, 'SIGINT');
    return process.stderr.write(...told);
  };`;

/** Runs `airlock scan --json` over all inputs; sends SIGINT at the first finished one when asked to. */
function scan({ interrupt }: { interrupt: boolean }): Promise<Ended> {
  const first = interrupt ? ['--import', `data:text/javascript,${encodeURIComponent(INTERRUPTING)}`] : [];
  const args = [...first, ...commandLine(), 'scan', '--json', '--out', join(folder, 'out'), ...paths];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.resume();
  return new Promise((resolve) => {
    child.on('close', (code) =>
      resolve({
        code,
        states: stdout
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      }),
    );
  });
}

test('after Ctrl-C every input has a state and the exit code is 3, and a second scan finishes every input', async () => {
  const stopped = await scan({ interrupt: true });
  expect(stopped.code).toBe(3);
  expect(stopped.states.map(({ input }) => input)).toEqual(paths);
  const states = new Set(stopped.states.map(({ state }) => state));
  expect(states).toContain('interrupted');
  expect([...states].filter((state) => state !== 'interrupted' && state !== 'delivered')).toEqual([]);

  const again = await scan({ interrupt: false });
  expect(again.code).toBe(0);
  expect(again.states.map(({ state }) => state)).toEqual(Array(INPUTS).fill('delivered'));
});
