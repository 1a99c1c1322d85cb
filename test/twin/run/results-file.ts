/** A file with the results of faults, one line each, from which an interrupted run goes on. */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { STACK } from '../assembly/synthesize.ts';
import type { FaultResult } from './run-fault.ts';

/** A result, and what it holds for. */
export interface ResultLine {
  /** What {@link stackOf} says. */
  readonly stack: string;
  readonly mails: number;
  readonly result: FaultResult;
}

/** The SHA-256 of the template in a folder that `cdk synth` wrote: another bundle or setting is another stack. */
export function stackOf(assembly: string): string {
  const template = readFileSync(join(assembly, `${STACK}.template.json`));
  return createHash('sha256').update(template).digest('hex');
}

/**
 * All lines of a file, the oldest first; none when there is no file. A last line without an end is taken out of the file: its writer was
 * killed. Throws TypeError for a file of something else.
 */
export function readResults(file: string): ResultLine[] {
  if (!existsSync(file)) return [];
  const text = readFileSync(file, 'utf8');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = whole.split('\n').slice(0, -1);
  const results = lines.map((text, index) => lineOf(text) ?? notResults(`${file}: line ${index + 1} is no result`));
  if (lines.length === 0 && text !== '') notResults(`${file}: it holds no result`);
  truncateSync(file, Buffer.byteLength(whole));
  return results;
}

function lineOf(text: string): ResultLine | null {
  try {
    const line: Partial<ResultLine> | null = JSON.parse(text);
    return line?.result?.problems === undefined ? null : (line as ResultLine);
  } catch {
    return null;
  }
}

function notResults(message: string): never {
  throw new TypeError(message);
}

/** The newest result of a fault with this stack and so many mails, if it held. */
export function heldBefore(
  lines: readonly ResultLine[],
  name: string,
  stack: string,
  mails: number,
): FaultResult | null {
  const same = lines.filter((line) => line.result.name === name && line.stack === stack && line.mails === mails);
  const result = same.at(-1)?.result;
  return result?.problems.length === 0 ? result : null;
}

/** Adds one line. */
export function addResult(file: string, line: ResultLine): void {
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}
