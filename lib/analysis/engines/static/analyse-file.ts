/** The static engine: type, hashes, what the type's module finds, and the rules over all of it. Nothing is ever run. */
import { createHash } from 'node:crypto';
import { detectType } from '../detect.ts';
import {
  EngineError,
  type EngineLimits,
  type FailedReport,
  type FileInput,
  type Finding,
  type Hashes,
  type StaticReport,
} from '../engine.ts';
import { uniqueFindings } from './findings.ts';
import type { ModuleResult, StaticFile } from './module.ts';
import { STATIC_MODULES } from './modules.ts';
import { scoreFindings } from './scoring.ts';
import { STATIC_ENGINE_VERSION } from './version.ts';
import { scanViews } from './yara.ts';

/**
 * Analyses one file without running it. Never throws for any bytes: what could not be read comes back as a FailedReport with
 * `encrypted`, `unreadable`, `oversize` or `timeout`. A finding of the rules outweighs such a failure: a damaged or encrypted
 * file that still shows something malicious is reported for that.
 */
export async function analyseFile(input: FileInput, limits: EngineLimits): Promise<StaticReport | FailedReport> {
  const { bytes, untrustedName } = input;
  if (bytes.byteLength > limits.inputBytes) {
    return failed(
      new EngineError('oversize', `the file has ${bytes.byteLength} bytes, at most ${limits.inputBytes} are analysed`),
    );
  }
  const type = await detectType(bytes, untrustedName);
  try {
    const result = await runModule({ bytes, type, untrustedName, limits });
    const read = result instanceof EngineError ? { findings: [], views: [], understood: false } : result;
    const matches = scanViews([{ where: '', bytes }, ...read.views], limits.timeoutMs);
    const findings = uniqueFindings([...matches, ...read.findings]);
    const { level, score } = scoreFindings(findings, read.understood);
    if (result instanceof EngineError && level !== 'malicious') return failed(result);
    return {
      outcome: 'completed',
      level,
      score,
      type,
      hashes: hash(bytes),
      findings: byScore(findings),
      engineVersion: STATIC_ENGINE_VERSION,
    };
  } catch (error) {
    if (error instanceof EngineError) return failed(error);
    throw error;
  }
}

/** A module that trips over damaged bytes means `unreadable`: the file is not what its type says. */
async function runModule(file: StaticFile): Promise<ModuleResult | EngineError> {
  const module = STATIC_MODULES.find((candidate) => candidate.accepts(file.type.type));
  if (module === undefined) return { findings: [], views: [], understood: false };
  try {
    return await module.run(file);
  } catch (error) {
    if (error instanceof EngineError) return error;
    return new EngineError('unreadable', `the ${module.name} module could not read this file`);
  }
}

function hash(bytes: Uint8Array): Hashes {
  const digest = (name: string) => createHash(name).update(bytes).digest('hex');
  return { md5: digest('md5'), sha1: digest('sha1'), sha256: digest('sha256') };
}

function byScore(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((one, other) => other.score - one.score);
}

function failed(error: EngineError): FailedReport {
  return {
    outcome: 'failed',
    failure: { code: error.code, message: error.message },
    engineVersion: STATIC_ENGINE_VERSION,
  };
}
