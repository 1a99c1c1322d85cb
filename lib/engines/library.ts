/**
 * `@mail-airlock/engines`: the engines as functions. They run in worker threads that start with the first file, so an import costs little.
 * A hostile file ends its thread and nothing else.
 */
import { availableParallelism } from 'node:os';
import type { DisarmReport, DynamicReport, EngineLimits, FailedReport, StaticReport } from './engine.ts';
import type { EnginePool } from './threads/pool.ts';
import type { EngineReport, EngineTask } from './threads/task.ts';
import type { UrlReport } from './url-report.ts';

export {
  DEFAULT_ENGINE_LIMITS,
  type DisarmQuality,
  type DisarmReport,
  type DynamicReport,
  type EngineFailure,
  type EngineFailureCode,
  type EngineLimits,
  type FailedReport,
  type Finding,
  type Level,
  type ProducedFile,
  type Removal,
  type StaticReport,
} from './engine.ts';
export type { UrlReport } from './url-report.ts';

/** The known facts about a file beside its bytes. */
export interface FileOptions {
  /** The name that its sender gave. It decides when the bytes do not, and is never trusted. @default no name */
  readonly name?: string;
  /** The password of an encrypted document or archive. @default none */
  readonly password?: string;
}

export interface DisarmOptions extends FileOptions {
  /** Keeps title, author, dates and similar data, which identify people. @default false */
  readonly keepMetadata?: boolean;
}

/** How many files the engines work on, and within which limits. */
export interface EnginesOptions {
  /** The number of files that are processed at the same time, each in a thread of its own. @default one for each processor */
  readonly threads?: number;
  /** The limits of a file, each with the attack that it stops. @default DEFAULT_ENGINE_LIMITS */
  readonly limits?: EngineLimits;
  /** A folder of YARA rules that are used beside ours. @default none */
  readonly rulesFolder?: string;
}

/**
 * Engines over worker threads of their own. No function throws for any bytes: a failure is a report with a reason. A call without bytes, such
 * as one with a path, rejects with TypeError.
 */
export interface Engines {
  /** Writes the file anew without the content that could run or load anything. */
  disarm(bytes: Uint8Array, options?: DisarmOptions): Promise<DisarmReport | FailedReport>;
  /** Reads the file and the files in it. Nothing is run. */
  analyse(bytes: Uint8Array, options?: FileOptions): Promise<StaticReport | FailedReport>;
  /** Judges the text of a URL. Nothing is opened. */
  analyseUrl(url: string): Promise<UrlReport | FailedReport>;
  /** Runs the scripts of the file in an emulation. It cannot reach this machine or a network. */
  detonate(bytes: Uint8Array, options?: FileOptions): Promise<DynamicReport | FailedReport>;
  /** Ends the threads. Analyses that are under way end as `engine_failed`. */
  close(): Promise<void>;
}

/**
 * Engines with threads, limits and rules of their own. No thread starts before the first file.
 *
 * @example
 * ```ts
 * const engines = createEngines({ threads: 2 });
 * const report = await engines.analyse(Buffer.from('hello'), { name: 'hello.txt' });
 * report.outcome; // => 'completed'
 * await engines.close();
 * ```
 */
export function createEngines(options: EnginesOptions = {}): Engines {
  let pool: Promise<EnginePool> | null = null;
  // The type of a report follows from its task: the thread answers a task of an engine with a report of that engine, or a failure.
  const run = async <Report extends EngineReport>(task: EngineTask) => {
    pool ??= openPool(options);
    return (await (await pool).run(task)) as Report | FailedReport;
  };
  return {
    disarm: async (bytes, given = {}) => run<DisarmReport>({ engine: 'disarm', input: inputOf(bytes, given) }),
    analyse: async (bytes, given = {}) => run<StaticReport>({ engine: 'static', input: inputOf(bytes, given) }),
    analyseUrl: async (url) => run<UrlReport>({ engine: 'url', url: textOf(url) }),
    detonate: async (bytes, given = {}) => run<DynamicReport>({ engine: 'sandbox', input: inputOf(bytes, given) }),
    close: async () => (await pool)?.close(),
  };
}

async function openPool({ threads = availableParallelism(), ...rest }: EnginesOptions): Promise<EnginePool> {
  const { createEnginePool } = await import('./threads/pool.ts');
  return createEnginePool({ threads, ...rest });
}

const inputOf = (bytes: Uint8Array, { name = '', password, keepMetadata = false }: DisarmOptions) => ({
  bytes: bytesOf(bytes),
  untrustedName: name,
  password: password ?? null,
  keepMetadata,
});

/** Callers without types hand in paths and promises, too. `isView` also knows bytes of another realm, such as that of a test runner. */
function bytesOf(given: unknown): Uint8Array {
  if (ArrayBuffer.isView(given)) return given as Uint8Array;
  const hint = typeof given === 'string' ? ' For a path, hand in "await readFile(path)".' : '';
  throw new TypeError(`The file is its bytes, a Uint8Array or Buffer, and not ${kindOf(given)}.${hint}`);
}

function textOf(given: unknown): string {
  if (typeof given === 'string') return given;
  throw new TypeError(`The URL is a string, and not ${kindOf(given)}. An object of URL has it as its href.`);
}

const kindOf = (given: unknown) =>
  given === null || given === undefined ? String(given) : `of the type ${typeof given}`;

/** The engines of this process, for all callers that need no others. Their threads do not keep the process alive. */
const shared = createEngines();

/**
 * Disarms a file with the engines of this process. `outcome` says whether there are bytes: `disarmed`, `already_safe` (the bytes that came)
 * or `failed`, with a reason and without bytes.
 *
 * @example
 * ```ts
 * const report = await disarm(Buffer.from('a,=1+1'), { name: 'table.csv' });
 * report.outcome; // => 'disarmed'
 * ```
 */
export const disarm: Engines['disarm'] = (bytes, options) => shared.disarm(bytes, options);

/**
 * Looks into a file with the engines of this process.
 *
 * @example
 * ```ts
 * const report = await analyse(Buffer.from('hello'), { name: 'hello.txt' });
 * if (report.outcome === 'completed') console.log(report.level, report.findings);
 * ```
 */
export const analyse: Engines['analyse'] = (bytes, options) => shared.analyse(bytes, options);

/**
 * Judges the text of a URL with the engines of this process.
 *
 * @example
 * ```ts
 * const report = await analyseUrl('https://bank.example@pay.example/');
 * if (report.outcome === 'completed') console.log(report.level);
 * ```
 */
export const analyseUrl: Engines['analyseUrl'] = (url) => shared.analyseUrl(url);

/**
 * Runs the scripts of a file in the emulation of the engines of this process.
 *
 * @example
 * ```ts
 * const report = await detonate(Buffer.from('var a = 1;'), { name: 'a.js' });
 * report.outcome; // => 'completed'
 * ```
 */
export const detonate: Engines['detonate'] = (bytes, options) => shared.detonate(bytes, options);
