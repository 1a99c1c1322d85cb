/**
 * Extracts the content inside of a file and analyses it in turn. Type detection, modules and rules run again over every piece, all under
 * one budget.
 */

import { createHash } from 'node:crypto';
import { detectType } from '../../formats/detection/detect.ts';
import type { DetectedType } from '../../formats/detection/detected-type.ts';
import { describeType, isFileType } from '../../formats/file-types.ts';
import { missingPackage } from '../../formats/missing-package.ts';
import { EngineError, type EngineLimits, type Finding, type Hashes, type ProducedFile } from '../engine.ts';
import { finding, uniqueFindings } from './findings/findings.ts';
import { type ModuleResult, type Piece, type StaticFile, VBA_SOURCE, type View } from './findings/module.ts';
import { STATIC_MODULES } from './modules.ts';
import { combine, scoreFindings } from './scoring.ts';

/** How deep archives may be nested, and layers of code. */
const MAX_DEPTH = 8;
/** The most pieces of one file. An archive can hold a million members. */
const MAX_PIECES = 300;
/** The most bytes of all pieces of one file together. A module and the rules read each of them. */
const MAX_BYTES = 96 * 1024 * 1024;

/** The most pieces that a report keeps, and the most bytes of them. */
const MAX_KEPT = 64;
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

export interface Budget {
  pieces: number;
  bytes: number;
  /** SHA-256 of the analysed pieces. The same bytes are analysed only once. */
  readonly seen: Set<string>;
  readonly kept: ProducedFile[];
  keptBytes: number;
}

/** Returns the budget for one file and everything inside of it. */
export function newBudget(limits: EngineLimits): Budget {
  return {
    pieces: MAX_PIECES,
    bytes: Math.min(MAX_BYTES, limits.inflatedBytes),
    seen: new Set(),
    kept: [],
    keptBytes: 0,
  };
}

export interface Judged {
  /** Findings of the file and of its layers of code, and the findings of their combinations. */
  readonly findings: readonly Finding[];
  /** Findings of the files inside of it. Each file is judged by itself: two harmless halves in two files do not make an attack. */
  readonly inner: readonly Finding[];
  /** The views of the file and of every piece, for the rules. */
  readonly views: readonly View[];
  readonly understood: boolean;
  /** Explanations of the module of the file for the findings of rules in its bytes. */
  readonly explained?: View['explained'];
  /** Why the file itself could not be read. A piece that cannot be read does not count. */
  readonly failure: EngineError | null;
}

/** Runs the module of the type of the file, and then does the same for everything that the module extracts. Never throws for any bytes. */
export async function judgeFile(file: StaticFile, budget: Budget, depth = 0): Promise<Judged> {
  const result = await runModule(file);
  if (result instanceof EngineError) return { findings: [], inner: [], views: [], understood: false, failure: result };
  const findings: Finding[] = [...result.findings];
  const innerFindings: Finding[] = [];
  const views: View[] = [...result.views];
  let understood = result.understood;
  for (const piece of result.pieces ?? []) {
    if (piece.bytes.length === 0) continue;
    if (depth >= MAX_DEPTH || !isWithin(budget, piece)) {
      findings.push(finding('not-all-analysed', piece.where));
      understood = false;
      break;
    }
    const inner = await judgePiece(piece, file, budget, depth);
    findings.push(...inner.findings);
    innerFindings.push(...inner.inner);
    views.push(...inner.views);
    understood &&= inner.understood;
  }
  const { explained } = result;
  return {
    findings: combine(findings),
    inner: uniqueFindings(innerFindings),
    views,
    understood,
    explained,
    failure: null,
  };
}

function isWithin(budget: Budget, { bytes }: Piece): boolean {
  budget.pieces -= 1;
  budget.bytes -= bytes.length;
  return budget.pieces >= 0 && budget.bytes >= 0;
}

type Inner = Pick<Judged, 'findings' | 'inner' | 'views' | 'understood'>;
const NOTHING: Inner = { findings: [], inner: [], views: [], understood: true };

async function judgePiece(piece: Piece, parent: StaticFile, budget: Budget, depth: number): Promise<Inner> {
  const hashes = hashesOf(piece.bytes);
  if (budget.seen.has(hashes.sha256)) return NOTHING;
  budget.seen.add(hashes.sha256);
  const { bytes, untrustedName, where } = piece;
  const place = budget.kept.length;
  const type = await typeOf(piece);
  const judged = await judgeFile({ bytes, type, untrustedName, limits: parent.limits }, budget, depth + 1);
  const all = [...judged.findings, ...judged.inner];
  keep(budget, place, piece, { hashes, level: scoreFindings(all, judged.understood).level });
  const isFile = piece.scope === 'file';
  const ofInner = isFile && { isOfInnerFile: true };
  const lifted = judged.findings.filter((one) => isOfWhole(one, piece)).map((one) => within(one, where));
  return {
    findings: isFile ? [] : lifted,
    inner: [...(isFile ? lifted : []), ...judged.inner.map((one) => within(one, where))],
    views: [
      { where, bytes, explained: judged.explained, ...ofInner },
      ...judged.views.map((view) => ({ ...view, where: `${where} > ${view.where}`, ...ofInner })),
    ],
    understood: judged.understood && judged.failure === null,
  };
}

function isOfWhole({ id, level }: Finding, { scope }: Piece): boolean {
  // A layer of code is always a script, so that finding says nothing about the file around it.
  return scope === 'code' ? id !== 'script' : level !== 'benign';
}

const MAX_PLACE = 300;

function within(found: Finding, where: string): Finding {
  return { ...found, where: (found.where === null ? where : `${where} > ${found.where}`).slice(0, MAX_PLACE) };
}

/** Returns the type by the bytes. For bytes that are only text, it returns the type with which the piece came. */
async function typeOf({ bytes, untrustedName, type }: Piece): Promise<DetectedType> {
  if (type === VBA_SOURCE) return { type, extension: 'bas', description: 'VBA source' };
  const detected = await detectType(bytes, untrustedName);
  const isVague =
    detected.type === 'text/plain' || detected.type === 'application/octet-stream' || detected.type === 'text/csv';
  return isVague && type !== undefined && isFileType(type) ? describeType(type) : detected;
}

/** Keeps a piece for the report, in front of its own pieces. */
function keep(
  budget: Budget,
  place: number,
  { kind, untrustedName, bytes }: Piece,
  judged: Pick<ProducedFile, 'hashes' | 'level'>,
): void {
  if (budget.kept.length >= MAX_KEPT || budget.keptBytes + bytes.length > MAX_KEPT_BYTES) return;
  budget.keptBytes += bytes.length;
  // The bytes are copied, because a view would send the whole buffer around it along with the report.
  budget.kept.splice(place, 0, { kind, untrustedName, bytes: new Uint8Array(bytes), ...judged });
}

/** Runs the module. An exception from damaged bytes means `unreadable`: the file is not what its type says. */
async function runModule(file: StaticFile): Promise<ModuleResult | EngineError> {
  const module = STATIC_MODULES.find((candidate) => candidate.accepts(file.type.type));
  if (module === undefined) return { findings: [], views: [], understood: false };
  try {
    return await module.run(file);
  } catch (error) {
    if (error instanceof EngineError) return error;
    const missing = missingPackage(error);
    if (missing !== null) return new EngineError(missing.code, missing.message);
    return new EngineError('unreadable', `the ${module.name} module could not read this file`);
  }
}

/** Returns MD5, SHA-1 and SHA-256 of bytes. */
export function hashesOf(bytes: Uint8Array): Hashes {
  const digest = (name: string) => createHash(name).update(bytes).digest('hex');
  return { md5: digest('md5'), sha1: digest('sha1'), sha256: digest('sha256') };
}
