/** The gate behind every disarm: what it finds in a result is not delivered. Its eyes are in ../inspect, which disarms nothing. */
import { detectType } from '../detect.ts';
import { type DisarmQuality, EngineError, type EngineLimits, type FileInput } from '../engine.ts';
import type { Leftover } from '../inspect/fact.ts';
import { type Inspection, inspectOutput } from '../inspect/inspect.ts';
import type { Disarmed, DisarmModule, DisarmStrategy, Nested } from './disarm-module.ts';

/** Of the words a reader sees, at least this share must be in the result. */
const TEXT_KEPT = 0.98;
/** What a short text may lose by the removal of what it may not hold: a share of ten words says nothing. */
const FEW_WORDS = 10;
/** A result that is this many times larger than its original was not made from it. */
const MAX_SIZE_RATIO = 20;
/** Below this size no ratio is asked for: the frame of a format alone can be larger than a small original. */
const RATIO_FREE_BYTES = 4 * 1024 * 1024;
/** Above it a second pass that costs as much as the first would double the time of a large file. */
const SECOND_PASS_BYTES = 2 * 1024 * 1024;

/** Pictures are encoded anew in every pass, and some encoders lose a little each time: equal bytes cannot be asked of them. */
const PICTURE = /^image\/(?!svg)/;
/** Files whose parts are taken out with a note where they stood: what is left of the text is measured, and not asked for. */
const CONTAINER = /^(?:message\/rfc822|application\/(?:zip|vnd\.ms-outlook|vnd\.ms-tnef))$/;

/** What is found of names and dates is let through when somebody asked for it. */
const METADATA = /^(?:picture-metadata|(?:office|odf|rtf|ole|pdf)-properties)$/;

export interface GateContext {
  readonly input: FileInput;
  /** What the input was taken for. */
  readonly type: Disarmed['type'];
  /** The module for the type of the output. */
  readonly module: DisarmModule;
  readonly strategy: Pick<DisarmStrategy, 'name' | 'keepsText'>;
  readonly limits: EngineLimits;
  readonly nested: Nested;
}

/** A result that must not leave. The next way to disarm the file may do better. */
export class GateError extends EngineError {
  constructor(readonly finding: Leftover) {
    super('unsafe_output', `the disarmed file did not pass the last check: ${finding.id} (${finding.where})`);
  }
}

/**
 * Looks at a result and measures it. Throws GateError with what it found, and EngineError `oversize` for a result over the limit.
 */
export async function checkOutput(disarmed: Disarmed, context: GateContext): Promise<DisarmQuality> {
  const { input, limits, strategy } = context;
  if (disarmed.bytes.length > limits.outputBytes) {
    throw new EngineError('oversize', `the disarmed file is larger than ${limits.outputBytes} bytes`);
  }
  const isSame = Buffer.compare(disarmed.bytes, input.bytes) === 0;
  if (disarmed.outcome === 'already_safe' && !isSame) refuse('changed-although-safe', 'file');
  const checks = ['type', 'structure', 'content'];
  await checkType(disarmed);
  const original = { bytes: input.bytes, type: context.type };
  const inspection = await inspectOutput(original, disarmed, limits);
  const allowed = input.keepMetadata === true ? METADATA : /^$/;
  const leftover = inspection.leftovers.find(({ id }) => !allowed.test(id));
  if (leftover !== undefined) throw new GateError(leftover);
  checkKept(inspection, disarmed, context);
  if (inspection.words !== null) checks.push('words');
  if (inspection.units !== null) checks.push(inspection.units.kind);
  const sizeRatio = disarmed.bytes.length / Math.max(1, input.bytes.length);
  if (strategy.keepsText && disarmed.bytes.length > RATIO_FREE_BYTES && sizeRatio > MAX_SIZE_RATIO)
    refuse('size-ratio', sizeRatio.toFixed(1));
  checks.push('size');
  // Bytes that came out as they went in have had their second pass.
  if (!isSame && (await isCheckedTwice(disarmed, context))) checks.push('second pass');
  const units = inspection.units?.kind === 'pixels' ? null : inspection.units;
  return {
    strategy: strategy.name,
    words: inspection.words,
    units: units as DisarmQuality['units'],
    sizeRatio,
    checks,
  };
}

function refuse(id: string, where: string): never {
  throw new GateError({ id, where });
}

async function checkType({ bytes, type }: Disarmed): Promise<void> {
  const detected = await detectType(bytes, `disarmed.${type.extension}`);
  if (detected.type !== type.type) refuse('other-type', detected.description);
}

function checkKept({ words, units }: Inspection, { type, outcome }: Disarmed, { strategy }: GateContext): void {
  if (outcome === 'already_safe') return;
  if (units !== null && units.before !== units.after && !isTurned(units)) {
    refuse(`${units.kind}-lost`, `${units.after} of ${units.before}`);
  }
  if (words === null || !strategy.keepsText || CONTAINER.test(type.type)) return;
  const lost = words.before - words.kept;
  if (lost > FEW_WORDS && words.kept < words.before * TEXT_KEPT)
    refuse('text-lost', `${words.kept} of ${words.before} words`);
}

/** Pixels of a picture may only be counted where its pages are: a stack of pages says the size of one or of all. */
function isTurned({ kind, before, after }: NonNullable<Inspection['units']>): boolean {
  return kind === 'pixels' && Math.min(before, after) > 0 && Math.max(before, after) % Math.min(before, after) === 0;
}

/** Disarms the result once more: it must come out as it went in. False when that would cost too much. */
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
