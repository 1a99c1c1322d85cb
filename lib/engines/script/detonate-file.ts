/** The sandbox engine. It runs the scripts of a file in an emulation and reports what they did. They reach nothing real. */
import {
  type DynamicReport,
  EngineError,
  type EngineLimits,
  type FailedReport,
  type FileInput,
  type Finding,
  type Level,
  type ProducedFile,
} from '../engine.ts';
import { ENGINE_VERSIONS } from '../engine-versions.ts';
import { SCRIPT_ENVIRONMENT } from './environment.ts';
import { behaviour } from './findings.ts';
import { judge } from './judge.ts';
import { JUDGED_BYTES, JUDGED_FILES, RUN_MS, RUN_SHARE } from './limits.ts';
import type { KeptFile, Recorder } from './recorder.ts';
import { type RecordingPart, type RecordingSink, recordingOf } from './recording-parts.ts';
import { runScripts } from './run-scripts.ts';
import { readScriptFile, type ScriptFile } from './script-file.ts';

/**
 * Runs the file. The result is a FailedReport `no_environment` with the reason when nothing here can run the file, `oversize` when it is
 * too large, and `encrypted` when it is protected. A script that hits a limit has a report that says so. The actions of the script go to
 * `sink` as they happen. Never throws for any bytes.
 *
 * @example
 * ```ts
 * import { DEFAULT_ENGINE_LIMITS } from './lib/engines/engine.ts';
 *
 * const input = { bytes: Buffer.from('var a = 1;'), untrustedName: 'a.js', password: null };
 * const report = await detonateFile(input, DEFAULT_ENGINE_LIMITS);
 * report.outcome; // => 'completed'
 * ```
 */
export async function detonateFile(
  input: FileInput,
  limits: EngineLimits,
  sink: RecordingSink = () => {},
): Promise<DynamicReport | FailedReport> {
  const runMs = Math.min(RUN_MS, limits.timeoutMs * RUN_SHARE);
  return await reported(input, limits, (file) => runScripts(file, nameOf(file), { runMs, sink }));
}

/**
 * Makes the report of what a thread saw of the file before it was ended. Runs nothing. Has the same failures as `detonateFile`.
 *
 * @example
 * ```ts
 * import { DEFAULT_ENGINE_LIMITS } from './lib/engines/engine.ts';
 * import type { RecordingPart } from './lib/engines/script/recording-parts.ts';
 *
 * const seen: RecordingPart[] = [];
 * const input = { bytes: Buffer.from('while (true) {}'), untrustedName: 'a.js', password: null };
 * await detonateFile(input, { ...DEFAULT_ENGINE_LIMITS, timeoutMs: 500 }, (part) => seen.push(part));
 * (await reportSeen(input, DEFAULT_ENGINE_LIMITS, seen)).outcome; // => 'completed'
 * ```
 */
export async function reportSeen(
  input: FileInput,
  limits: EngineLimits,
  seen: readonly RecordingPart[],
): Promise<DynamicReport | FailedReport> {
  return await reported(input, limits, async ({ host, objects }) => recordingOf(seen, host, objects === 'page'));
}

async function reported(
  input: FileInput,
  limits: EngineLimits,
  record: (file: ScriptFile) => Promise<Recorder>,
): Promise<DynamicReport | FailedReport> {
  try {
    const file = await readScriptFile(input, limits);
    return await reportOf(await record(file), file, limits);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const failure = { code: error.code, message: error.message };
    return { outcome: 'failed', failure, engineVersion: ENGINE_VERSIONS.script };
  }
}

const nameOf = ({ host }: ScriptFile) => /([^\\]*)"$/.exec(host.commandLine)?.[1] ?? 'file.js';

async function reportOf(recorder: Recorder, file: ScriptFile, limits: EngineLimits): Promise<DynamicReport> {
  const files = await judgedFiles(recorder.files, limits);
  const worst = files.find(({ level }) => level === 'malicious');
  const findings = [
    ...judge(recorder, file),
    ...(worst ? [behaviour('behaviour-malicious-file', worst.untrustedName)] : []),
  ].toSorted((one, other) => other.score - one.score);
  return {
    outcome: 'completed',
    environment: SCRIPT_ENVIRONMENT.key,
    level: levelOf(findings),
    score: Math.max(0, ...findings.map(({ score }) => score)),
    findings,
    processes: recorder.processes,
    events: recorder.events,
    requests: recorder.requests,
    files,
    engineVersion: ENGINE_VERSIONS.script,
  };
}

/** Findings that do not say whether a script is harmful or harmless. */
const UNKNOWN = new Set(['behaviour-incomplete', 'behaviour-no-effect']);

/**
 * Returns the level. An incomplete run is never benign. A script for Windows that did nothing is not benign, either. A page that only loads
 * things is benign.
 */
function levelOf(findings: readonly Finding[]): Level {
  if (findings.some(({ level }) => level === 'malicious')) return 'malicious';
  if (findings.some(({ level }) => level === 'suspicious')) return 'suspicious';
  return findings.some(({ id }) => UNKNOWN.has(id)) ? 'unknown' : 'benign';
}

/** Returns the files and layers that the scripts made, judged by the static engine while the budget lasts. Files come before layers. */
async function judgedFiles(kept: readonly KeptFile[], limits: EngineLimits): Promise<ProducedFile[]> {
  if (kept.length === 0) return [];
  const { analyseFile } = await import('../static/analyse-file.ts');
  const isLayer = ({ kind }: KeptFile) => Number(kind === 'deobfuscated_code');
  const judged: ProducedFile[] = [];
  let [leftFiles, leftBytes] = [JUDGED_FILES, JUDGED_BYTES];
  for (const { kind, untrustedName, bytes, hashes } of kept.toSorted((one, other) => isLayer(one) - isLayer(other))) {
    let level: Level | null = null;
    if (leftFiles > 0 && bytes.length <= leftBytes) {
      const report = await analyseFile({ bytes, untrustedName, password: null }, limits);
      level = report.outcome === 'completed' ? report.level : null;
      leftFiles -= 1;
      leftBytes -= bytes.length;
    }
    judged.push({ kind, untrustedName, bytes, hashes, level });
  }
  return judged;
}
