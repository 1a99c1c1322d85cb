/** The checks of `airlock doctor` on this machine. Each check really does the work, instead of only looking for a file. */
import { createServer } from 'node:http';
import type { EngineTask } from '../../engines/threads/task.ts';
import { openSqlite } from '../../storage/sqlite/sqlite.ts';
import { type Console, UsageError } from '../console.ts';
import { checkService } from '../service-check.ts';
import { createLocalPool } from '../session/local-engines.ts';
import { tryFolder } from '../session/out-folder.ts';

/** The result of a check. */
export interface Finding {
  readonly name: string;
  readonly state: 'good' | 'bad';
  /** The result. A bad one includes the remedy. */
  readonly text: string;
}

/** The oldest Node with which everything works (package.json has the same). */
const NODE = [20, 19] as const;

/** Runs a check. Its error becomes the finding. */
export async function checked(name: string, work: () => string | Promise<string>): Promise<Finding> {
  try {
    return { name, state: 'good', text: await work() };
  } catch (error) {
    return { name, state: 'bad', text: error instanceof Error ? error.message : String(error) };
  }
}

export function nodeVersion(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > NODE[0] || (major === NODE[0] && minor >= NODE[1])) return version;
  throw new Error(`${version} is too old; install ${NODE.join('.')} or newer`);
}

/** A picture of one pixel (PNG). */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
);
const fileNamed = (untrustedName: string, bytes: Uint8Array) => ({ bytes, untrustedName, password: null });
const TASKS: readonly (readonly [string, EngineTask])[] = [
  ['static analysis', { engine: 'static', input: fileNamed('a.txt', Buffer.from('hello')) }],
  ['disarm of a picture', { engine: 'disarm', input: fileNamed('a.png', PIXEL) }],
  ['script emulation', { engine: 'sandbox', input: fileNamed('a.js', Buffer.from('var a = 1;')) }],
  ['URL analysis', { engine: 'url', url: 'https://example.com/' }],
];

/** Runs each engine once in its own thread, with the packages of this platform that it needs. */
export async function engines(): Promise<Finding[]> {
  const pool = createLocalPool({});
  try {
    return await Promise.all(
      TASKS.map(([name, task]) =>
        checked(name, async () => {
          const report = await pool.run(task);
          if (report.outcome !== 'failed') return 'works';
          throw new Error(
            `${report.failure.message}; run npm ci again on this machine, its packages may be of another platform`,
          );
        }),
      ),
    );
  } finally {
    await pool.close();
  }
}

export function folder(path: string): string {
  try {
    tryFolder(path);
  } catch (error) {
    throw new Error(
      `cannot be written into (${(error as NodeJS.ErrnoException).code}); go to another folder, or use --out`,
    );
  }
  return 'can be written into';
}

export function database(): string {
  openSqlite(':memory:', { sql: 'CREATE TABLE a (b TEXT);', version: 1 }).close();
  return 'works';
}

export async function port(number: number): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(`cannot be used (${error.code}); name another with --port`)),
    );
    server.listen(number, '127.0.0.1', resolve);
  });
  await new Promise((resolve) => server.close(resolve));
  return 'is free';
}

export async function service({ env, signal }: Console, url: string): Promise<string> {
  const secret = env.AIRLOCK_API_KEY;
  if (!secret) throw new UsageError('needs a key: put it into AIRLOCK_API_KEY');
  await checkService({ url, secret }, signal);
  return 'answers, and takes the key';
}
