/**
 * What stands inside a file, taken out and looked at in turn: types, modules and rules run again over every piece, all of them
 * under one budget.
 */
import { createHash } from 'node:crypto';
import { detectType } from '../../formats/detection/detect.ts';
import type { DetectedType } from '../../formats/detection/detected-type.ts';
import { describeType, isFileType } from '../../formats/file-types.ts';
import { EngineError, type EngineLimits, type Finding, type Hashes, type ProducedFile } from '../engine.ts';
import { finding, uniqueFindings } from './findings/findings.ts';
import { type ModuleResult, type Piece, type StaticFile, VBA_SOURCE, type View } from './findings/module.ts';
import { STATIC_MODULES } from './modules.ts';
import { combine, scoreFindings } from './scoring.ts';

/** Archives in archives in archives; layers of code within layers. */
const MAX_DEPTH = 8;
/** An archive of a million members. */
const MAX_PIECES = 300;
/** Bytes of all pieces of one file together: each is read by a module and by the rules. */
const MAX_BYTES = 96 * 1024 * 1024;

/** Pieces that are only there because they were looked at: a report keeps this many, and this many bytes of them. */
const MAX_KEPT = 64;
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

export interface Budget {
  pieces: number;
  bytes: number;
  /** SHA-256 of what was looked at: the same bytes a thousand times are looked at once. */
  readonly seen: Set<string>;
  readonly kept: ProducedFile[];
  keptBytes: number;
}

/** A budget for one file. */
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
  /** Of the file and its layers of code, with what their combinations mean. */
  readonly findings: readonly Finding[];
  /** Of files inside it, each weighed by itself: two harmless halves in two of them are no attack. */
  readonly inner: readonly Finding[];
  /** The file's own and those of every piece, for the rules. */
  readonly views: readonly View[];
  readonly understood: boolean;
  /** Why the file itself could not be read; what is inside it never fails the whole. */
  readonly failure: EngineError | null;
}

/** Runs the module of the file's type, and then the same over everything that it takes out. Never throws for any bytes. */
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
  return { findings: combine(findings), inner: uniqueFindings(innerFindings), views, understood, failure: null };
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
      { where, bytes, ...ofInner },
      ...judged.views.map((view) => ({ ...view, where: `${where} > ${view.where}`, ...ofInner })),
    ],
    understood: judged.understood && judged.failure === null,
  };
}

function isOfWhole({ id, level }: Finding, { scope }: Piece): boolean {
  // That a layer of code is a script says nothing about the file around it.
  return scope === 'code' ? id !== 'script' : level !== 'benign';
}

const MAX_PLACE = 300;

function within(found: Finding, where: string): Finding {
  return { ...found, where: (found.where === null ? where : `${where} > ${found.where}`).slice(0, MAX_PLACE) };
}

/** What the bytes themselves say; where that is only that they are text, what they were taken for. */
async function typeOf({ bytes, untrustedName, type }: Piece): Promise<DetectedType> {
  if (type === VBA_SOURCE) return { type, extension: 'bas', description: 'VBA source' };
  const detected = await detectType(bytes, untrustedName);
  const isVague =
    detected.type === 'text/plain' || detected.type === 'application/octet-stream' || detected.type === 'text/csv';
  return isVague && type !== undefined && isFileType(type) ? describeType(type) : detected;
}

/** Keeps a piece for the report, before the ones that were taken out of it. */
function keep(
  budget: Budget,
  place: number,
  { kind, untrustedName, bytes }: Piece,
  judged: Pick<ProducedFile, 'hashes' | 'level'>,
): void {
  if (budget.kept.length >= MAX_KEPT || budget.keptBytes + bytes.length > MAX_KEPT_BYTES) return;
  budget.keptBytes += bytes.length;
  // A copy: a view would carry the whole buffer it stands in to whoever gets the report.
  budget.kept.splice(place, 0, { kind, untrustedName, bytes: new Uint8Array(bytes), ...judged });
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

/** MD5, SHA-1 and SHA-256 of bytes. */
export function hashesOf(bytes: Uint8Array): Hashes {
  const digest = (name: string) => createHash(name).update(bytes).digest('hex');
  return { md5: digest('md5'), sha1: digest('sha1'), sha256: digest('sha256') };
}
