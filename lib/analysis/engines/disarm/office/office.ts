/** Office Open XML documents: Word, Excel and PowerPoint, with and without macros, rebuilt part by part. */

import { describeType } from '../../../../formats/file-types.ts';
import type { DetectedType, EngineLimits, FileInput } from '../../engine.ts';
import type { Disarm, Disarmed, DisarmStrategy } from '../disarm-module.ts';
import { openContainer, writeContainer } from './container.ts';
import { rebuildPackage } from './package.ts';
import { SettledParts } from './settled.ts';

const EXTENSIONS = /^(doc[xm]|dot[xm]|xls[xm]|xlt[xm]|ppt[xm]|pps[xm]|pot[xm])$/;

export function accepts(type: DetectedType): boolean {
  return EXTENSIONS.test(type.extension);
}

/**
 * Rebuilds the document from the parts on the allow-list; the macro types come out as their plain twins. A document in which
 * nothing had to go keeps its bytes and is `already_safe`. Throws EngineError `encrypted`, `unsupported`, `oversize`, `unreadable`.
 */
export function disarm(input: FileInput, _type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  return rebuild(input, limits, new SettledParts());
}

async function rebuild(input: FileInput, limits: EngineLimits, settled: SettledParts): Promise<Disarmed> {
  const container = await openContainer(input.bytes, limits);
  const { parts, main, removals } = await rebuildPackage(container, limits, input.keepMetadata === true, settled);
  const type = describeType(main.fileType);
  if (removals.length === 0) return { outcome: 'already_safe', bytes: input.bytes, type, details: [] };
  const again: Disarm = (output, _type, left) => rebuild(output, left, settled);
  return { outcome: 'disarmed', bytes: await writeContainer(parts), type, details: removals, again };
}

export const strategies: readonly DisarmStrategy[] = [
  {
    name: 'text and numbers only',
    keepsText: true,
    disarm: async (input, _type, limits) => (await import('./essential.ts')).disarmEssential(input, limits),
  },
];
