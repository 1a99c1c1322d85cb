/** Office packages in one XML file (Flat OPC). They are read as the package inside, and written as a package. */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { type FlatPart, readFlatPackage } from '../../../formats/office/flat-package.ts';
import { EngineError, type EngineLimits, type FileInput } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import { disarmContainer } from '../office/office.ts';
import type { PackageContainer } from '../office/package/container.ts';
import { decodeStrictXml } from '../text/decode-xml.ts';
import { partsContainer } from './parts-container.ts';

/** Disarms it. Throws EngineError `unreadable`, `oversize`, `unsupported`, like the disarm of a package. */
export async function disarm(input: FileInput, _type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  const flat = readFlatPackage(decodeStrictXml(input.bytes), limits.entries, limits.depth);
  if (flat === null) throw new EngineError('unreadable', 'the document is not a well-formed package in XML');
  if (flat.hasDoctype) throw new EngineError('unreadable', 'the document has a document type declaration');
  if (flat.isAmbiguous) throw new EngineError('unreadable', 'a part of the document has two contents');
  const container = containerOf(flat.parts, limits);
  const form = { kind: 'package in XML', action: 'sanitized', where: 'document' } as const;
  return disarmContainer(container, limits, input.keepMetadata === true, [form]);
}

/** Makes the list of content types from the type of each part. A part of that name is one that no package has. */
function containerOf(parts: readonly FlatPart[], limits: EngineLimits): PackageContainer {
  const total = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total > limits.inflatedBytes)
    throw new EngineError('oversize', `the document expands to more than ${limits.inflatedBytes} bytes`);
  const listed = parts.filter(({ name }) => name.toLowerCase() !== '[content_types].xml');
  return partsContainer(listed);
}
