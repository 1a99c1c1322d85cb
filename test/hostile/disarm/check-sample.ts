/** Disarms one sample through the engine's entry point, and lists everything that is wrong with the result. */
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { layersOf } from './layers.ts';
import { idOf, KEEP, LIVE, type Sample } from './sample.ts';

export interface Checked {
  /** Null when refused. */
  readonly bytes: Uint8Array | null;
  /** Customary extension of the result. */
  readonly extension: string;
  readonly refusal: string | null;
  /** What of the row is left, in words for a developer. */
  readonly leftovers: readonly string[];
  readonly keepsText: boolean;
  /** Whether it would stay as it came under a signature. */
  readonly isPlain: boolean;
}

/** The traces of a sample's row in any layer of some bytes. */
export const leftoversIn = (bytes: Uint8Array, sample: Pick<Sample, 'row'>): string[] =>
  leftoversOf(layersOf(bytes), sample);

function leftoversOf(layers: string, { row }: Pick<Sample, 'row'>): string[] {
  const at = layers.toLowerCase().indexOf(LIVE);
  const around = (from: number): string => layers.slice(Math.max(0, from - 40), from + 60).replace(/[^ -~]+/g, ' ');
  const live = at < 0 ? [] : [`live marker: ${around(at)}`];
  const marked = row.markers.flatMap((marker) => {
    const match = marker.exec(layers);
    return match === null ? [] : [`${marker}: ${around(match.index)}`];
  });
  return [...live, ...marked];
}

const runDisarm = (bytes: Uint8Array, name: string) =>
  disarmFile({ bytes, untrustedName: name, password: null }, DEFAULT_ENGINE_LIMITS);

/** Disarms a sample and looks at the result. */
export async function disarmSample(sample: Sample): Promise<Checked> {
  const report = await runDisarm(sample.bytes, sample.name);
  if (report.outcome === 'failed') {
    return { bytes: null, extension: '', refusal: report.failure.code, leftovers: [], keepsText: true, isPlain: false };
  }
  const { bytes, type, isPlain = false } = report;
  const layers = layersOf(bytes);
  const keepsText = !sample.hasText || layers.includes(KEEP);
  const leftovers = leftoversOf(layers, sample);
  return { bytes, extension: type.extension, refusal: null, leftovers, keepsText, isPlain };
}

/** Refusals with a reason. A fault of the engine is none of them. */
const HONEST = /^(?:encrypted|unsupported|oversize|unreadable)$/;
/** Types that are encoded anew each time, by encoders that lose a little. */
const PICTURE = /^(?:png|jpg|gif|webp|tiff)$/;

/** Everything that is wrong with a sample or its result. With `isRepeated`, the sample and the result are disarmed once more. */
export async function problemsOf(sample: Sample, isRepeated: boolean): Promise<readonly string[]> {
  const said = (problem: string): string => `${idOf(sample)}: ${problem}`;
  if (leftoversIn(sample.bytes, sample).length === 0) return [said('the sample holds nothing live')];
  const first = await disarmSample(sample);
  const { bytes, refusal } = first;
  if (!isRepeated) return problemsIn(sample, first);
  const second = await disarmSample(sample);
  if (second.refusal !== refusal || Buffer.compare(second.bytes ?? Buffer.of(), bytes ?? Buffer.of()) !== 0)
    return [said('two runs differ')];
  if (bytes === null) return problemsIn(sample, first);
  const again = await runDisarm(bytes, `again.${first.extension}`);
  const isSame =
    again.outcome !== 'failed' &&
    (PICTURE.test(sample.format) || (again.outcome === 'already_safe' && Buffer.compare(again.bytes, bytes) === 0));
  return isSame ? problemsIn(sample, first) : [said(`a second pass gives ${again.outcome}`)];
}

/** What a file says of its author, camera and place stays under his signature, because he signed that, too (docs/policy.md). */
const SAID_BY_ITS_SIGNER = /^(?:people|image\/metadata)\//;

function problemsIn(sample: Sample, { bytes, refusal, leftovers, keepsText, isPlain }: Checked): string[] {
  const found = bytes === null && !HONEST.test(refusal ?? '') ? [`refused as ${refusal}`] : [...leftovers];
  if (!keepsText) found.push('the text is lost');
  if (isPlain && !SAID_BY_ITS_SIGNER.test(sample.row.id)) found.push('it would stay as it came under a signature');
  return found.map((problem) => `${idOf(sample)}: ${problem}`);
}
