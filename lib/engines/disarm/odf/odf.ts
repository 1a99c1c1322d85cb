/** Disarm of OpenDocument texts, spreadsheets, presentations and drawings. Packages and flat files are rebuilt from known markup. */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import type { EngineLimits, FileInput } from '../../engine.ts';
import { type Disarmed, type Nested, writtenAnew } from '../disarm-module.ts';
import { removalLog } from '../removals.ts';
import { OdfFilter } from './filter.ts';
import { writeInlinePictures } from './pictures.ts';
import { type OdfWork, rebuildPackage } from './rebuild-package.ts';
import { readOdfXml } from './xml.ts';

const FLAT = /-flat-xml$/;

/**
 * Rebuilds the document. `already_safe` when the output equals the input byte for byte. Throws EngineError `encrypted` (a password is
 * needed, wrong, or the method is not read here), `oversize`, `unreadable`, `unsupported` (a document of OpenOffice.org 1).
 */
export async function disarm(
  input: FileInput,
  type: DetectedType,
  limits: EngineLimits,
  nested: Nested,
): Promise<Disarmed> {
  const log = removalLog();
  const keepMetadata = input.keepMetadata === true;
  const mimetype = type.type.replace(FLAT, '');
  const work: OdfWork = { input, limits, nested, log, mimetype, keepMetadata };
  const bytes = FLAT.test(type.type) ? await rebuildFlat(work) : await rebuildPackage(work);
  return writtenAnew(input, bytes, type, log.removals);
}

/** Rebuilds a flat document, which is one XML file with everything in it, pictures included. */
async function rebuildFlat(work: OdfWork): Promise<Uint8Array> {
  const { log, keepMetadata, mimetype } = work;
  const context = { log, part: 'document', keepMetadata, picture: () => null, mimetype };
  const filter = new OdfFilter(context, 'office:document');
  readOdfXml(work.input.bytes, work.limits, filter);
  await writeInlinePictures(filter.inline, work, 'document');
  return filter.finish();
}
