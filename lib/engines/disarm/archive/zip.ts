/**
 * Disarm of zip archives. They are first listed and checked. Then every member is disarmed by its own type, and the archive is written anew
 * as a plain zip.
 */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import type { EngineLimits, FileInput } from '../../engine.ts';
import { type Disarmed, type Nested, writtenAnew } from '../disarm-module.ts';
import { removalLog } from '../removals.ts';
import { rebuildArchive } from './rebuild.ts';
import { readZip } from './zip-members.ts';

/**
 * Rebuilds an archive. `already_safe` when the output equals the input byte for byte. Throws EngineError: `encrypted` without the password,
 * `oversize` for every kind of bomb, `unreadable` when members overlap or are damaged.
 */
export async function disarm(
  input: FileInput,
  type: DetectedType,
  _limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const log = removalLog();
  const members = await readZip(input, nested, log);
  const bytes = await rebuildArchive(members, { log, nested, password: input.password });
  return writtenAnew(input, bytes, type, log.removals);
}
