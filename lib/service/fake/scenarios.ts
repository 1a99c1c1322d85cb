/** The named scenarios of a fake service, and an engine that answers with them. It looks into no file. */
import type { Finding, Level } from '../../engines/engine.ts';
import type { EngineReport, EngineTask } from '../../engines/threads/task.ts';
import type { DetectedType } from '../../formats/detection/detected-type.ts';
import type { EngineRunner } from '../server/jobs/jobs.ts';
import { SCENARIO_NAMES, type Scenario, type ScenarioName, type Scenarios } from './scenario-names.ts';

const CLEAN: Scenario = { name: 'clean' };

/** Returns the scenario of a subject. Throws TypeError for an unknown name. */
export function scenarioOf(scenarios: Scenarios, subject: string): Scenario {
  const chosen = (Object.hasOwn(scenarios, subject) ? scenarios[subject] : scenarios['*']) ?? CLEAN;
  const scenario = typeof chosen === 'string' ? { name: chosen } : chosen;
  if (SCENARIO_NAMES.includes(scenario.name)) return scenario;
  throw new TypeError(`no scenario ${JSON.stringify(scenario.name)}; there are ${SCENARIO_NAMES.join(', ')}`);
}

/** Returns an engine that answers every task with the scenario of its file name or URL. */
export function scenarioRunner(scenarios: Scenarios): EngineRunner {
  return {
    run: async (task) =>
      reportOf(task, scenarioOf(scenarios, task.engine === 'url' ? task.url : task.input.untrustedName).name),
  };
}

const ENGINE_VERSION = 'fake-1';

function reportOf(task: EngineTask, name: ScenarioName): EngineReport {
  if (name === 'encrypted') return failed('encrypted', 'the file has a password');
  if (name === 'failed') return failed('engine_failed', 'the engine failed');
  const found = judged(name === 'suspicious' || name === 'malicious' || name === 'unknown' ? name : 'benign');
  if (task.engine === 'url') return found;
  const { bytes, untrustedName } = task.input;
  if (task.engine === 'disarm') return disarmed(bytes, typeOf(untrustedName), name);
  if (task.engine === 'static')
    return { ...found, type: typeOf(untrustedName), hashes: { md5: '', sha1: '', sha256: '' } };
  return { ...found, environment: 'fake', processes: [], events: [], requests: [], files: [] };
}

function failed(code: 'encrypted' | 'engine_failed', message: string): EngineReport {
  return { outcome: 'failed', failure: { code, message }, engineVersion: ENGINE_VERSION };
}

function judged(level: Level) {
  const findings = level === 'suspicious' || level === 'malicious' ? [findingOf(level)] : [];
  const score = level === 'malicious' ? 90 : level === 'suspicious' ? 50 : 0;
  return { outcome: 'completed', level, score, findings, engineVersion: ENGINE_VERSION } as const;
}

const findingOf = (level: 'suspicious' | 'malicious'): Finding => ({
  id: 'office-macro',
  name: 'Office macro',
  description: 'The scenario says that the file has a macro',
  level,
  score: level === 'malicious' ? 90 : 50,
  where: 'word/vbaProject.bin',
  rule: 'fake_office_macro',
  techniques: ['T1204.002'],
});

function disarmed(bytes: Uint8Array, type: DetectedType, name: ScenarioName): EngineReport {
  const quality = { strategy: 'rebuild', words: null, units: null, sizeRatio: 1, checks: [] };
  const report = { type, readAs: type, quality, engineVersion: ENGINE_VERSION };
  if (name !== 'malicious' && name !== 'suspicious') return { outcome: 'already_safe', bytes, details: [], ...report };
  const details = [{ kind: 'macro', action: 'removed', where: 'word/vbaProject.bin' }] as const;
  return { outcome: 'disarmed', bytes: Buffer.concat([Buffer.from('disarmed '), bytes]), details, ...report };
}

/** Returns the type by the name, because a fake reads no bytes. */
function typeOf(untrustedName: string): DetectedType {
  const extension = /\.([a-z0-9]{1,8})$/.exec(untrustedName.toLowerCase())?.[1] ?? 'bin';
  return { type: 'application/octet-stream', extension, description: `${extension} file` };
}
