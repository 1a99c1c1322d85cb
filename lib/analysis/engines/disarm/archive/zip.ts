/** Disarm of zip archives: listed and checked first, every member through the door, written anew as a plain zip. */
import type { DetectedType, EngineLimits, FileInput } from '../../engine.ts';
import type { Disarmed, Nested } from '../disarm-module.ts';
import { removalLog } from '../removals.ts';
import { rebuildArchive } from './archive-rebuild.ts';
import { readZip } from './zip-members.ts';

/** True for plain zip archives; documents that are zips inside have modules of their own. */
export function accepts(type: DetectedType): boolean {
  return type.type === 'application/zip';
}

/**
 * Rebuilds an archive. `already_safe` when it is byte for byte what is written. Throws EngineError: `encrypted` without the
 * password, `oversize` for every kind of bomb, `unreadable` when members overlap or are damaged.
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
  if (Buffer.compare(bytes, input.bytes) === 0) {
    return { outcome: 'already_safe', bytes: input.bytes, type, details: [] };
  }
  return { outcome: 'disarmed', bytes, type, details: log.removals };
}
