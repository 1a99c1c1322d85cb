/** Office Open XML documents: Word, Excel and PowerPoint, with and without macros, rebuilt part by part. */

import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { describeType } from '../../../formats/file-types.ts';
import type { EngineLimits, FileInput, Removal } from '../../engine.ts';
import type { Disarm, Disarmed, DisarmStrategy } from '../disarm-module.ts';
import { openContainer, type PackageContainer, writeContainer } from './package/container.ts';
import { UnchangedParts } from './package/unchanged-parts.ts';
import { rebuildPackage } from './rebuild-package.ts';

/**
 * Rebuilds the document from the parts on the allow-list. Macro types become the types without macros. A document from which nothing had to
 * be removed keeps its bytes and is `already_safe`. Throws EngineError `encrypted`, `unsupported`, `oversize`, `unreadable`.
 */
export function disarm(input: FileInput, _type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  return rebuild(input, limits, new UnchangedParts());
}

async function rebuild(input: FileInput, limits: EngineLimits, unchanged: UnchangedParts): Promise<Disarmed> {
  const container = await openContainer(input.bytes, limits);
  const { parts, main, removals } = await rebuildPackage(container, limits, input.keepMetadata === true, unchanged);
  const type = describeType(main.fileType);
  if (removals.length === 0) return { outcome: 'already_safe', bytes: input.bytes, type, details: [] };
  const again: Disarm = (output, _type, left) => rebuild(output, left, unchanged);
  return { outcome: 'disarmed', bytes: await writeContainer(parts), type, details: removals, again };
}

/**
 * Rebuilds a package that came in another form, and writes it as a package. `form` describes the earlier form. Throws EngineError like
 * `disarm`.
 */
export async function disarmContainer(
  container: PackageContainer,
  limits: EngineLimits,
  keepMetadata: boolean,
  form: readonly Removal[],
): Promise<Disarmed> {
  const unchanged = new UnchangedParts();
  const { parts, main, removals } = await rebuildPackage(container, limits, keepMetadata, unchanged);
  const again: Disarm = (output, _type, left) => rebuild(output, left, unchanged);
  const type = describeType(main.fileType);
  return { outcome: 'disarmed', bytes: await writeContainer(parts), type, details: [...form, ...removals], again };
}

export const strategies: readonly DisarmStrategy[] = [
  {
    name: 'text and numbers only',
    keepsText: true,
    disarm: async (input, _type, limits) => (await import('./text-parts.ts')).disarmTextParts(input, limits),
  },
];
