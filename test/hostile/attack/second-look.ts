/**
 * A disarm that lies: it gives back what came in, an empty file, a file of another kind, one pixel, or half. Whatever it says of it,
 * the gate must refuse every one of them, by readers of its own.
 */

import type { Disarmed, DisarmModule } from '../../../lib/engines/disarm/disarm-module.ts';
import { checkOutput } from '../../../lib/engines/disarm/gate.ts';
import { openNested } from '../../../lib/engines/disarm/nested.ts';
import { EngineError, DEFAULT_ENGINE_LIMITS as LIMITS } from '../../../lib/engines/engine.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import type { DetectedType } from '../../../lib/formats/detection/detected-type.ts';
import { idOf, type Sample } from '../disarm/sample.ts';
import { FORMATS, samplesIn } from '../disarm/samples.ts';
import { shareOf } from '../share.ts';
import type { AttackClass, Attempt } from './attack-class.ts';
import { type FullFile, fullFiles } from './full-files.ts';

/** What a lie says that it is, and what it is. */
interface Lie {
  readonly id: string;
  readonly bytes: Uint8Array;
  readonly type: DetectedType;
}

/** Rows of the list that say something of people or programs, or that nobody acts on: they are measured elsewhere. */
const TELLS_ONLY = /^people\/|\/(?:X-UNLISTED|unlisted-header)$/;

const returned = async (input: { readonly bytes: Uint8Array }, type: DetectedType): Promise<Disarmed> => ({
  outcome: 'already_safe' as const,
  bytes: input.bytes,
  type,
  details: [],
});
const LYING: DisarmModule = { disarm: returned };

async function passes(original: FullFile, lie: Omit<Lie, 'id'>): Promise<boolean> {
  const input = { bytes: original.bytes, untrustedName: original.name, password: null };
  const type = await detectType(original.bytes, original.name);
  const isSame = Buffer.compare(original.bytes, lie.bytes) === 0;
  const disarmed: Disarmed = { ...(await returned(lie, lie.type)), outcome: isSame ? 'already_safe' : 'disarmed' };
  const nested = openNested((member) => returned(member, type) as never, LIMITS);
  const strategy = { name: 'rebuild', keepsText: true };
  try {
    await checkOutput(disarmed, { input, type, module: LYING, strategy, limits: LIMITS, nested });
    return true;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}

async function attemptAt(original: FullFile, { id, bytes, type }: Lie): Promise<Attempt> {
  const isThrough = await passes(original, { bytes, type });
  return { id, ended: isThrough ? 'delivered' : 'refused', won: isThrough ? 'the gate let it through' : null };
}

/** The hostile file itself, as the result for it. */
async function* unchanged(): AsyncIterable<Attempt> {
  for (const format of FORMATS)
    for (const sample of shareOf(await samplesIn(format))) {
      if (TELLS_ONLY.test(sample.row.id)) continue;
      yield await unchangedSample(sample);
    }
}

async function unchangedSample(sample: Sample): Promise<Attempt> {
  const { bytes, name } = sample;
  return attemptAt(sample, { id: `unchanged: ${idOf(sample)}`, bytes, type: await detectType(bytes, name) });
}

/** For each type that a disarm writes: nothing, less, something else. */
async function* emptied(): AsyncIterable<Attempt> {
  const files = await fullFiles();
  const named = (extension: string) => files.find(({ name }) => name.endsWith(extension));
  for (const file of files) {
    const type = await detectType(file.bytes, file.name);
    for (const [what, bytes] of Object.entries(file.less))
      yield await attemptAt(file, { id: `${what}: ${file.name}`, bytes, type });
    // With the same words in it, so that nothing but its kind can be at fault.
    const other = (file === named('.rtf') ? named('.pdf') : named('.rtf')) ?? file;
    const otherType = await detectType(other.bytes, other.name);
    yield await attemptAt(file, { id: `another kind: ${file.name}`, bytes: other.bytes, type: otherType });
    yield await attemptAt(file, { id: `another kind under its type: ${file.name}`, bytes: other.bytes, type });
    const isThrough = await passes(file, { bytes: file.bytes, type });
    const won = isThrough ? null : 'an ordinary file was refused';
    yield { id: `ordinary: ${file.name}`, ended: isThrough ? 'delivered' : 'refused', won };
  }
}

export const secondLook: AttackClass = {
  name: 'second-look',
  title: 'a faulty disarm whose result nobody looks at: what came in, nothing, half, or something else',
  async *attempts() {
    yield* unchanged();
    yield* emptied();
  },
};
