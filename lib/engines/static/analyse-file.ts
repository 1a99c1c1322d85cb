/**
 * The static engine. It finds type and hashes, runs the module of the type and the rules, and analyses the files inside. It runs no file.
 */
import { detectType } from '../../formats/detection/detect.ts';
import {
  EngineError,
  type EngineLimits,
  type FailedReport,
  type FileInput,
  type Finding,
  type StaticReport,
} from '../engine.ts';
import { hashesOf, judgeFile, newBudget } from './extraction.ts';
import { entropyOf } from './findings/entropy.ts';
import { uniqueFindings } from './findings/findings.ts';
import { findValues } from './findings/iocs.ts';
import { combine, scoreFindings } from './scoring.ts';
import { generateRule } from './yara/generated-rule.ts';
import { scanViews, staticEngineVersion } from './yara/yara.ts';

/**
 * Analyses one file without running it. Never throws for any bytes: a file that cannot be read has a FailedReport with `encrypted`,
 * `unreadable`, `oversize` or `timeout`. A finding counts more than such a failure: a damaged or encrypted file that still shows
 * something malicious is reported as malicious.
 *
 * @example
 * ```ts
 * import { DEFAULT_ENGINE_LIMITS } from './lib/engines/engine.ts';
 *
 * const input = { bytes: Buffer.from('hello'), untrustedName: 'hello.txt', password: null };
 * const report = await analyseFile(input, DEFAULT_ENGINE_LIMITS);
 * report.outcome; // => 'completed'
 * ```
 */
export async function analyseFile(input: FileInput, limits: EngineLimits): Promise<StaticReport | FailedReport> {
  const { bytes, untrustedName } = input;
  if (bytes.byteLength > limits.inputBytes) {
    return failed(
      new EngineError('oversize', `the file has ${bytes.byteLength} bytes, at most ${limits.inputBytes} are analysed`),
    );
  }
  const type = await detectType(bytes, untrustedName);
  const hashes = hashesOf(bytes);
  const budget = newBudget(limits);
  budget.seen.add(hashes.sha256);
  try {
    const judged = await judgeFile({ bytes, type, untrustedName, limits, password: input.password }, budget);
    const all = [{ where: '', bytes, explained: judged.explained }, ...judged.views];
    const matches = scanViews(all, limits.timeoutMs);
    const places = new Set(judged.views.filter(({ isOfInnerFile }) => isOfInnerFile).map(({ where }) => where));
    const ofInner = matches.filter(({ where }) => where !== null && places.has(where));
    const own = combine([...matches.filter((match) => !ofInner.includes(match)), ...judged.findings]);
    const findings = uniqueFindings([...own, ...ofInner, ...judged.inner]);
    const { level, score } = scoreFindings(findings, judged.understood);
    if (judged.failure !== null && level !== 'malicious') return failed(judged.failure);
    const iocs = findValues(all);
    // A rule that finds more of a harmless file is of no use.
    const isWanted = level === 'suspicious' || level === 'malicious';
    const yaraRule = isWanted ? generateRule(bytes, hashes.sha256, level) : null;
    return {
      outcome: 'completed',
      level,
      score,
      type,
      hashes,
      findings: byScore(findings),
      entropy: entropyOf(bytes),
      ...(budget.kept.length > 0 && { extracted: budget.kept }),
      ...(iocs.length > 0 && { iocs }),
      ...(yaraRule !== null && { yaraRule }),
      engineVersion: staticEngineVersion(),
    };
  } catch (error) {
    if (error instanceof EngineError) return failed(error);
    throw error;
  }
}

function byScore(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((one, other) => other.score - one.score);
}

function failed(error: EngineError): FailedReport {
  return {
    outcome: 'failed',
    failure: { code: error.code, message: error.message },
    engineVersion: staticEngineVersion(),
  };
}
