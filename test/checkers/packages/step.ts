/** One step of the check of the packages: a program that must end within its time, and print what it must. */
import { runTool } from '../tools.ts';

/** Milliseconds. They find what hangs; the packing compiles everything, and an idle machine needs a tenth of each. */
export const LIMIT = { pack: 900_000, install: 600_000, use: 300_000 } as const;

export interface Step {
  /** What a person calls it. */
  readonly what: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limitMs: number;
  /** What it must print. */
  readonly prints: RegExp;
}

/** Characters of what a program printed that are shown. The first mistake of a compiler is the cause of many. */
const SHOWN = 4_000;

/** Runs a step, and returns what it printed. Throws Error that names the step when it hangs, fails, or prints something else. */
export async function runStep({ what, program, args, cwd, env, limitMs, prints }: Step): Promise<string> {
  const started = performance.now();
  const { code, output } = await runTool(program, args, limitMs, { cwd, env });
  const seconds = (performance.now() - started) / 1_000;
  const fail = (problem: string): never => {
    throw new Error(`${what}: ${problem}. It printed:\n${output.slice(0, SHOWN)}`);
  };
  if (code === null && seconds * 1_000 >= limitMs) fail(`hung, and was ended after ${limitMs / 1_000} s`);
  if (code !== 0) fail(`failed (${code ?? 'it did not start'})`);
  if (!prints.test(output)) fail(`printed something else than ${prints}`);
  process.stdout.write(`${what}: as it must be (${seconds.toFixed(1)} s)\n`);
  return output;
}

/** Does the work of each item, two at a time: that is what a small machine of a CI has. The first failure ends it. */
export async function twoAtATime<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  const stop = (error: unknown): never => {
    left.length = 0;
    throw error;
  };
  await Promise.all([lane().catch(stop), lane().catch(stop)]);
}
