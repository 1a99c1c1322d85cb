/**
 * Disarm of maps in KML. Places, lines and areas stay, with their names, plain descriptions and looks. Content that is loaded from
 * elsewhere is left out.
 */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import type { EngineLimits, FileInput } from '../../engine.ts';
import { type Disarmed, writtenAnew } from '../disarm-module.ts';
import { removalLog } from '../removals.ts';
import { readMap, writeMap } from './rewrite.ts';

/** Rebuilds a map. `already_safe` when the output equals the input byte for byte. Throws EngineError `unreadable`, `oversize`. */
export async function disarm(input: FileInput, type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  const log = removalLog();
  const bytes = writeMap(readMap(input.bytes, limits, log), { log, limits, picture: () => null });
  return writtenAnew(input, bytes, type, log.removals);
}
