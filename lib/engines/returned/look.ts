/**
 * The look at a file that a disarm service of others returned: the same inspection as behind our own disarm, and more, because nothing is
 * known of who wrote it. It must open, be free of what can act, and show what the original shows, except for what the report says.
 *
 * The inspection accepts only what our own disarm writes. So a file that does not pass is disarmed here, too, and the result is looked at
 * in its place. Nothing is accepted that is written in another way.
 */
import { detectType } from '../../formats/detection/detect.ts';
import type { DetectedType } from '../../formats/detection/detected-type.ts';
import { disarmOf, secondLookOf } from '../../formats/file-types.ts';
import type { Looked, LookRequest } from '../../formats/returned-file.ts';
import { canBecome } from '../disarm/conversions.ts';
import { disarmFile } from '../disarm/disarm.ts';
import { lossOf } from '../disarm/kept.ts';
import { typeAsCalled } from '../disarm/type-by-name.ts';
import { DEFAULT_ENGINE_LIMITS, EngineError, type EngineLimits } from '../engine.ts';
import { type Inspection, inspectOutput } from '../inspect/inspect.ts';

/** Findings about names and dates. They do nothing, and a service may keep them by its own settings. */
const METADATA = /^(?:picture-metadata|(?:office|odf|rtf|ole|pdf)-properties)$/;
/** Words that a service may add, such as a note in the place of a removed part. */
const NOTE_WORDS = 60;
/** The share of all words that may be added to a long text. */
const ADDED_SHARE = 0.05;
/** One button can remove half of the words of a shorter text. */
const COUNTED_WORDS = 4;
/** A document with fewer words on all its pages is compared by the look of its pages. */
const SCAN_WORDS = 20;
/** Files in which a note takes the place of a removed part. */
const CONTAINER = /^(?:message\/rfc822|application\/(?:zip|vnd\.ms-outlook|vnd\.ms-tnef))$/;

/** Faults of the file itself, and not of the way in which it is written. */
const NOT_OF_WRITING: ReadonlySet<string> = new Set(['foreign-type', 'empty-result']);

interface Fault {
  readonly id: string;
  readonly where: string;
}

/** The file that is inspected instead of the returned one. */
interface Rewritten {
  readonly bytes: Uint8Array;
  /** How many things our disarm removed or rewrote. */
  readonly removals: number;
}

/**
 * Looks at one returned file, and at what our own disarm makes of it when it does not pass. Never rejects for any bytes.
 *
 * @example
 * ```ts
 * const bytes = Buffer.from('a,b\n1,2\n');
 * const request = { bytes, returned: Buffer.from('a,b\n9,9\n'), extension: 'csv', hasRemovals: false, mayRewrite: true, workMs: 1_000 };
 * (await lookAt(request)).outcome; // => 'refused'
 * ```
 */
export async function lookAt(request: LookRequest, limits: EngineLimits = DEFAULT_ENGINE_LIMITS): Promise<Looked> {
  // A report names kinds and not places, so it does not say how many there were.
  const removals = request.hasRemovals ? Number.POSITIVE_INFINITY : 0;
  const fault = await faultOf(request, removals, limits);
  if (fault === null) return { outcome: 'passed' };
  const rewritten = request.mayRewrite && !NOT_OF_WRITING.has(fault.id) ? await rewrite(request, limits) : null;
  if (rewritten === null) return refused(fault);
  const { bytes } = rewritten;
  const left = await faultOf({ ...request, returned: bytes }, removals + rewritten.removals, limits);
  // Memory that a library wrote cannot leave the thread, so a copy does.
  return left === null ? { outcome: 'passed', rewritten: new Uint8Array(bytes) } : refused(left);
}

const refused = ({ id, where }: Fault): Looked => ({ outcome: 'refused', fault: id, untrustedWhere: where });

/** Returns the returned file as our own disarm writes it. Returns null when the disarm refuses it or changes nothing. */
async function rewrite(request: LookRequest, limits: EngineLimits): Promise<Rewritten | null> {
  const type = await typeSent(request);
  if (type === null) return null;
  const { extension } = await typeReturned(type, request);
  // `csv.gz` is more precise than `gz`.
  const called = request.extension.endsWith(`.${extension}`) ? request.extension : extension;
  const input = { bytes: request.returned, untrustedName: `returned.${called}`, password: null };
  const report = await disarmFile(input, limits);
  if (report.outcome === 'failed' || Buffer.compare(report.bytes, request.returned) === 0) return null;
  return { bytes: report.bytes, removals: report.details.length };
}

async function faultOf(request: LookRequest, removals: number, limits: EngineLimits): Promise<Fault | null> {
  const { bytes, returned } = request;
  if (returned.length === 0) return bytes.length === 0 ? null : { id: 'empty-result', where: 'file' };
  const type = await typeSent(request);
  if (type === null)
    return { id: 'foreign-type', where: 'the original is of no type that can be disarmed under its name' };
  const untrustedName = `returned.${request.extension || 'bin'}`;
  const output = { bytes: returned, untrustedName, type: await typeReturned(type, request) };
  if (!canBecome(type.type, output.type.type)) return { id: 'foreign-type', where: output.type.description };
  const inspection = await inspectOutput({ bytes, untrustedName, type }, output, limits, { detectType, secondLookOf });
  const leftover = inspection.leftovers.find(({ id }) => !METADATA.test(id));
  if (leftover !== undefined) return leftover;
  const isSame = Buffer.compare(bytes, returned) === 0;
  const told = {
    outcome: isSame ? 'already_safe' : 'disarmed',
    type: output.type,
    removals,
  } as const;
  const loss = lossOf(inspection, told, { keepsText: true });
  if (loss !== null || isSame) return loss;
  return (
    foreignWords(inspection, output.type) ?? addedMembers(inspection) ?? (await otherLook(inspection, type, request))
  );
}

/** Returns the type as which the file was sent. Returns null when our disarm would refuse it under this name. */
async function typeSent({ bytes, extension }: LookRequest): Promise<DetectedType | null> {
  const untrustedName = `sent.${extension || 'bin'}`;
  const detected = await detectType(bytes, untrustedName);
  try {
    return typeAsCalled(detected, { bytes, untrustedName, password: null }).type;
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

/**
 * Returns the type of the returned file: code as a text, else under the extension of the original, and for a conversion by its bytes alone.
 */
async function typeReturned(sent: DetectedType, { returned, extension }: LookRequest): Promise<DetectedType> {
  if (disarmOf(sent.type) === 'source') return detectType(returned, 'returned.txt');
  const named = await detectType(returned, `returned.${extension || 'bin'}`);
  return canBecome(sent.type, named.type) ? named : detectType(returned, 'returned');
}

/** Checks the words: the original must have them all, and at least half of the text must be left, even if the report explains the loss. */
function foreignWords({ words }: Inspection, { type }: DetectedType): Fault | null {
  if (words === null || CONTAINER.test(type)) return null;
  const { before, kept, after } = words;
  if (before >= COUNTED_WORDS && kept * 2 < before) return { id: 'text-lost', where: `${kept} of ${before} words` };
  const added = after - kept;
  if (added <= Math.max(NOTE_WORDS, before * ADDED_SHARE)) return null;
  return { id: 'text-added', where: `${added} words` };
}

function addedMembers({ members }: Inspection): Fault | null {
  if (members === null || members.after <= members.before) return null;
  return { id: 'members-added', where: `${members.after} of ${members.before}` };
}

/** Checks that a document opens, and that a picture or a scan looks like the original: neither has words. */
async function otherLook(
  { words }: Inspection,
  { type }: DetectedType,
  { bytes, returned }: LookRequest,
): Promise<Fault | null> {
  const module = disarmOf(type);
  if (module !== 'image' && module !== 'pdf') return null;
  // The decoders are loaded with the first picture or document.
  const { comparePages, comparePictures } = await import('./likeness.ts');
  if (module === 'image') return comparePictures(bytes, returned);
  return comparePages(bytes, returned, words === null || words.before < SCAN_WORDS);
}
