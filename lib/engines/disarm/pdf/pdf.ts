/**
 * Disarms PDF documents. A library parses them, and every object on our allow-list is copied and written anew. The output has one revision,
 * no encryption and nothing that the catalog does not reach. Signatures would be invalid and are removed.
 */

import type { PDF } from '@libpdf/core';
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { describeType } from '../../../formats/file-types.ts';
import { missingPackage } from '../../../formats/missing-package.ts';
import type { EngineLimits, FileInput, Removal } from '../../engine.ts';
import { EngineError } from '../../engine.ts';
import { boundedResolve, openPdf } from '../../pdf-library.ts';
import { announcesEncryption, securityHandler } from '../../pdf-mend.ts';
import type { Disarmed, DisarmStrategy } from '../disarm-module.ts';
import { decodedPicture, UNDECODED_PICTURE } from './decoded-pictures.ts';
import { infoOf } from './info.ts';
import type { Resolve } from './judge.ts';
import { rescuePages } from './rescue.ts';
import { type WalkedPdf, walkPdf } from './walk.ts';
import { writePdf } from './write.ts';

/**
 * Rebuilds the document. `already_safe` only when the rebuilt file equals the input byte for byte. That proves that every byte of it was
 * read. Throws EngineError `encrypted` (needs a password; the empty one is tried), `unreadable`, `oversize`.
 */
export async function disarm(input: FileInput, _type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  const type = describeType('application/pdf');
  const { bytes, removals } = await rebuild(input, limits);
  if (Buffer.compare(bytes, input.bytes) === 0) {
    return { outcome: 'already_safe', bytes: input.bytes, type, details: [] };
  }
  // The second look compares both files. It reads nothing of a file that was encrypted.
  return { outcome: 'disarmed', bytes, type, isPlain: true, details: [...containerRemovals(input.bytes), ...removals] };
}

/** Drawn pages also pass through the rebuild, so there is one writer and one form. */
export const strategies: readonly DisarmStrategy[] = [
  {
    name: 'pages as pictures',
    keepsText: false,
    disarm: async (input, type, limits) => {
      const { disarmAsPictures } = await import('./page-pictures.ts');
      const drawn = await disarmAsPictures(input, limits);
      const rebuilt = await disarm({ ...input, bytes: drawn.bytes, password: null }, type, limits);
      return { ...drawn, bytes: rebuilt.bytes };
    },
  },
];

interface Rebuilt {
  readonly bytes: Uint8Array;
  readonly removals: readonly Removal[];
}

async function rebuild(input: FileInput, limits: EngineLimits): Promise<Rebuilt> {
  try {
    return await rebuildOnce(input, limits);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'unreadable') throw error;
    const handler = securityHandler(input.bytes);
    if (handler !== null && handler !== 'Standard')
      throw new EngineError(
        'encrypted',
        'the PDF is encrypted for certificates of its readers, and not with a password',
      );
    const pages = await rescuePages(input.bytes, input.password, limits);
    const { bytes, removals } = await rebuildOnce({ ...input, bytes: pages }, limits);
    const damage: Removal = { kind: 'damaged structure', action: 'sanitized', where: 'file' };
    return { bytes, removals: [damage, ...removals] };
  }
}

async function rebuildOnce(input: FileInput, limits: EngineLimits): Promise<Rebuilt> {
  const pdf = await load(input, limits);
  const resolve: Resolve = boundedResolve(pdf, limits);
  const catalog = pdf.context.catalog.getDict();
  try {
    const walked = walkPdf(catalog, resolve, limits);
    const { bodies, removals } = await withPictures(walked, limits);
    const encryption: Removal = { kind: 'encryption', action: 'removed', where: 'file' };
    const known = infoOf(pdf);
    const info = input.keepMetadata === true ? known : null;
    const properties: Removal = { kind: 'document properties', action: 'removed', where: 'file' };
    const lost = known !== null && info === null ? [properties] : [];
    const all = info === null ? bodies : [...bodies, { text: info, data: null }];
    return {
      bytes: writePdf(all, outputVersion(pdf.version), info === null ? null : all.length),
      removals: [...(pdf.isEncrypted ? [encryption] : []), ...removals, ...lost],
    };
  } catch (error) {
    if (error instanceof EngineError || missingPackage(error) !== null) throw error;
    throw new EngineError('unreadable', 'an object of the PDF is damaged');
  }
}

/** Returns the document with its decoded pictures. A picture that cannot be decoded is left out, and the report says so. */
async function withPictures({ bodies, pictures, removals }: WalkedPdf, limits: EngineLimits): Promise<Walked> {
  const all = [...bodies];
  const lost: Removal[] = [];
  for (const order of pictures) {
    const body = await decodedPicture(order, limits);
    if (body === null) lost.push({ kind: UNDECODED_PICTURE, action: 'removed', where: order.where });
    else all[order.number - 1] = body;
  }
  return { bodies: all, removals: [...removals, ...lost] };
}

type Walked = Pick<WalkedPdf, 'bodies' | 'removals'>;

async function load({ bytes, password }: FileInput, limits: EngineLimits): Promise<PDF> {
  let pdf: PDF;
  try {
    pdf = await openPdf(bytes, password, limits);
  } catch {
    // A missing password can look like any structural error, because without it the objects are noise. The second reader tells the
    // difference.
    throw new EngineError('unreadable', 'the PDF cannot be read');
  }
  if (pdf.isEncrypted && !pdf.isAuthenticated) throw new EngineError('encrypted', 'the PDF opens only with a password');
  // Its objects are noise, because no key was found for them.
  if (!pdf.isEncrypted && pdf.recoveredViaBruteForce && announcesEncryption(bytes))
    throw new EngineError('unreadable', 'the encryption of the PDF is damaged');
  return pdf;
}

/** Returns the removals from the container besides the document. */
function containerRemovals(bytes: Uint8Array): readonly Removal[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kinds: string[] = [];
  if (view.subarray(0, 5).toString('latin1') !== '%PDF-') kinds.push('data before the document');
  const end = view.lastIndexOf('%%EOF');
  if (end !== -1 && /\S/.test(view.subarray(end + 5).toString('latin1'))) kinds.push('data after the document');
  return kinds.map((kind) => ({ kind, action: 'removed', where: 'file' }));
}

function outputVersion(version: string): string {
  return /^2\.\d$/.test(version) ? '2.0' : '1.7';
}
