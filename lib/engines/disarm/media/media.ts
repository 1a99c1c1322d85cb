/**
 * Disarm of films and recordings. The sound and the pictures are copied unchanged. Everything that is not needed to play them is removed:
 * titles, covers, places, comments, addresses, other tracks, and data after the end.
 */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import { type RemovalLog, removalLog } from '../removals.ts';
import { rewriteAiff } from './aiff.ts';
import { rewriteAmr } from './amr.ts';
import { rewriteAvi } from './avi.ts';
import { rewriteFlac } from './flac.ts';
import { rewriteMp3 } from './mp3.ts';
import { rewriteMp4 } from './mp4.ts';
import { rewriteOgg } from './ogg.ts';
import { rewriteWave } from './wave.ts';
import { rewriteWebm } from './webm.ts';

type Rewrite = (bytes: Uint8Array, log: RemovalLog) => Uint8Array;

const REWRITES: Readonly<Record<string, Rewrite>> = {
  'audio/mpeg': rewriteMp3,
  'audio/wav': rewriteWave,
  'audio/flac': rewriteFlac,
  'audio/ogg': rewriteOgg,
  'audio/mp4': rewriteMp4,
  'video/mp4': rewriteMp4,
  'video/quicktime': rewriteMp4,
  'audio/amr': rewriteAmr,
  'audio/aiff': rewriteAiff,
  'video/x-msvideo': rewriteAvi,
  'video/webm': rewriteWebm,
  'video/x-matroska': rewriteWebm,
};

/** Disarms a file. Throws EngineError: `oversize` over the limit, `unreadable` for damaged files, `unsupported` for unknown codecs. */
export async function disarm(input: FileInput, type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  if (input.bytes.length > limits.inputBytes) throw new EngineError('oversize', 'the file is larger than the limit');
  const rewrite = REWRITES[type.type];
  if (rewrite === undefined)
    throw new EngineError('unsupported', 'films and recordings of this kind are not known here');
  const log = removalLog();
  const bytes = rewrite(input.bytes, log);
  if (Buffer.compare(bytes, input.bytes) === 0)
    return { outcome: 'already_safe', bytes: input.bytes, type, details: [] };
  if (log.removals.length === 0) log.note('media metadata', 'file');
  return { outcome: 'disarmed', bytes, type, details: log.removals };
}
