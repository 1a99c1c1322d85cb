/** The gate after every disarm. A result with a finding is not delivered. The gate searches with ../inspect. */
import { detectType } from '../../formats/detection/detect.ts';
import { secondLookOf } from '../../formats/file-types.ts';
import { type DisarmQuality, EngineError, type EngineLimits, type FileInput } from '../engine.ts';
import type { Leftover } from '../inspect/fact.ts';
import { inspectOutput } from '../inspect/inspect.ts';
import { isPlainPdf } from '../inspect/pdf/plain-pdf.ts';
import { isPlainPicture } from '../inspect/picture/plain-picture.ts';
import { canBecome } from './conversions.ts';
import type { Disarmed, DisarmModule, DisarmStrategy, Nested } from './disarm-module.ts';
import { lossOf } from './kept.ts';

/** A result that is this many times larger than its original was not made from it. */
const MAX_SIZE_RATIO = 20;
/** Below this size the ratio is not checked: the fixed parts of a format can be larger than a small original. */
const RATIO_FREE_BYTES = 4 * 1024 * 1024;
/** Above this size there is no second pass that costs as much as the first, because it would double the time. */
const SECOND_PASS_BYTES = 2 * 1024 * 1024;

const PDF = 'application/pdf';
/** Every pass encodes pictures again, and some encoders lose some quality each time, so a second pass cannot give equal bytes. */
const PICTURE = /^image\/(?!svg|emf|wmf)/;
/** Findings about names and dates are allowed when the caller asked to keep metadata. */
const METADATA = /^(?:picture-metadata|(?:office|odf|rtf|ole|pdf)-properties)$/;

export interface GateContext {
  readonly input: FileInput;
  /** The type as which the input was disarmed. */
  readonly type: Disarmed['type'];
  /** The module for the type of the output. */
  readonly module: DisarmModule;
  readonly strategy: Pick<DisarmStrategy, 'name' | 'keepsText'>;
  readonly limits: EngineLimits;
  readonly nested: Nested;
}

/** A result that must not be delivered. The next way to disarm the file may succeed. */
export class GateError extends EngineError {
  constructor(readonly finding: Leftover) {
    super('unsafe_output', `the disarmed file did not pass the last check: ${finding.id} (${finding.where})`);
  }
}

/** A result that may be delivered. */
export interface Passed {
  readonly quality: DisarmQuality;
  /** Whether the original, too, contains only a picture or document, and plain data about it. */
  readonly isPlain: boolean;
}

/** Searches and measures a result. Throws GateError with its finding, and EngineError `oversize` for a result over the limit. */
export async function checkOutput(disarmed: Disarmed, context: GateContext): Promise<Passed> {
  const { input, limits, strategy } = context;
  const { type } = disarmed;
  if (disarmed.bytes.length > limits.outputBytes) {
    throw new EngineError('oversize', `the disarmed file is larger than ${limits.outputBytes} bytes`);
  }
  const isSame = Buffer.compare(disarmed.bytes, input.bytes) === 0;
  if (disarmed.outcome === 'already_safe' && !isSame) refuse('changed-although-safe', 'file');
  const checks = ['type', 'structure', 'content'];
  await checkType(disarmed);
  const { untrustedName } = input;
  const original = { bytes: input.bytes, untrustedName, type: context.type };
  const output = { bytes: disarmed.bytes, untrustedName, type: disarmed.type };
  const inspection = await inspectOutput(original, output, limits, { detectType, secondLookOf });
  const allowed = input.keepMetadata === true ? METADATA : /^$/;
  const leftover = inspection.leftovers.find(({ id }) => !allowed.test(id) && !(isSame && FITS_ITS_FILE.test(id)));
  if (leftover !== undefined) throw new GateError(leftover);
  if (!canBecome(context.type.type, disarmed.type.type)) refuse('foreign-type', disarmed.type.description);
  const pictureRemovals = disarmed.details.filter(({ kind }) => !WITHOUT_PICTURES.test(kind)).length;
  const loss = lossOf(inspection, { ...disarmed, removals: disarmed.details.length, pictureRemovals }, strategy);
  if (loss !== null) throw new GateError(loss);
  if (inspection.words !== null) checks.push('words');
  if (inspection.units !== null) checks.push(inspection.units.kind);
  if (inspection.shape !== null) checks.push('pixels');
  if (inspection.pictures !== null) checks.push('pictures');
  if (inspection.members !== null) checks.push('members');
  const sizeRatio = disarmed.bytes.length / Math.max(1, input.bytes.length);
  if (strategy.keepsText && disarmed.bytes.length > RATIO_FREE_BYTES && sizeRatio > MAX_SIZE_RATIO)
    refuse('size-ratio', sizeRatio.toFixed(1));
  checks.push('size');
  const isPlain = isPlainAsSaid(disarmed, input);
  if (isPlain && type.type === PDF) checks.push('objects');
  // The same bytes need no second pass, and neither do the same objects, because their writer has just read them.
  else if (!isSame && (await isCheckedTwice(disarmed, context))) checks.push('second pass');
  const quality = {
    strategy: strategy.name,
    words: inspection.words && { before: inspection.words.before, kept: inspection.words.kept },
    units: inspection.units,
    sizeRatio,
    checks,
  };
  return { quality, isPlain };
}

/** Data that no longer fits a file when the file is written anew, but is harmless in the original file. */
const FITS_ITS_FILE = /^office-calc-chain$/;

/** Removals that never include a picture: data about the document, and single commands, numbers and addresses in it. */
const WITHOUT_PICTURES = new RegExp(
  `^(?:${[
    'document properties|metadata|encryption|author|printer settings|password hash|document variable',
    'data (?:before|after) the document|unused space|text encoding|file path|macro file type|misleading name|hidden entry',
    'macro|live formula|formula|defined name|unsafe hyperlink|unsafe link|very hidden sheet|action|DDE (?:link|command)',
    'picture data|custom XML data|data store|mail merge source|embedded font|external template|form field code|header field',
  ].join('|')})$`,
);

/** Notes that the disarm removes from every picture and document. The reader of the second look can read them in some originals. */
const SAID_OF_ITSELF = /^(?:metadata|document properties|unknown entry)$/;

/**
 * Returns whether the second look, too, finds only a picture or document, and plain data about it, in an original about which a module says
 * so.
 */
export function isPlainAsSaid({ isPlain, details, type, bytes }: Disarmed, input: FileInput): boolean {
  if (isPlain !== true || !details.every(({ kind }) => SAID_OF_ITSELF.test(kind))) return false;
  return type.type === PDF ? isPlainPdf(input.bytes, bytes) : isPlainPicture(input.bytes);
}

function refuse(id: string, where: string): never {
  throw new GateError({ id, where });
}

async function checkType({ bytes, type }: Disarmed): Promise<void> {
  const detected = await detectType(bytes, `disarmed.${type.extension}`);
  if (detected.type !== type.type) refuse('other-type', detected.description);
}

/** Disarms the result again, which must not change it. Returns false when that would cost too much. */
async function isCheckedTwice(disarmed: Disarmed, context: GateContext): Promise<boolean> {
  const { type, bytes, again } = disarmed;
  if (PICTURE.test(type.type) || (again === undefined && bytes.length > SECOND_PASS_BYTES)) return false;
  const { input, limits, nested, module } = context;
  const output: FileInput = {
    bytes,
    untrustedName: `disarmed.${type.extension}`,
    password: null,
    ...(input.keepMetadata === true && { keepMetadata: true }),
  };
  const disarm = again ?? module.disarm;
  const second = await disarm(output, type, limits, nested.secondLook()).catch((error: unknown) => {
    if (error instanceof EngineError) refuse('second-pass', error.message);
    throw error;
  });
  if (Buffer.compare(second.bytes, bytes) !== 0) refuse('second-pass', 'it still found something');
  return true;
}
