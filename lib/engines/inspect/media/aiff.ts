/** A second look at AIFF and AIFF-C: at most three chunks, in the one order in which they are written. */
import type { Findings } from '../fact.ts';

const ORDER = /^(?:AIFF COMM SSND|AIFC FVER COMM SSND)$/;
const CODINGS = /^(?:NONE|sowt|twos|raw |in24|in32|[fF][lL](?:32|64)|[aAuU](?:law|LAW)|ima4)$/;

/** Searches a recording from its first byte to its last. */
export function inspectAiff(view: Buffer, findings: Findings): void {
  const kind = view.toString('latin1', 8, 12);
  if (view.readUInt32BE(4) + 8 !== view.length) findings.add('media-size', 'FORM');
  const names = [kind];
  let at = 12;
  for (; at + 8 <= view.length && names.length < 5; ) {
    const [name, size] = [view.toString('latin1', at, at + 4), view.readUInt32BE(at + 4)];
    const content = view.subarray(at + 8, at + 8 + size);
    names.push(name);
    if (name === 'COMM' && !isForm(content, kind)) findings.add('media-codec', name);
    if (name === 'SSND' && (size <= 8 || content.readBigUInt64BE(0) !== 0n)) findings.add('media-size', name);
    if (name === 'FVER' && content.toString('hex') !== 'a2805140') findings.add('media-chunk', name);
    at += 8 + size + (size & 1);
  }
  if (at !== view.length) findings.add('media-left-over', `byte ${at}`);
  if (!ORDER.test(names.join(' '))) findings.add('media-chunk', names.join(' '));
}

/** Returns whether the chunk is the form of the samples; for AIFF-C, its coding must have no name. */
function isForm(content: Buffer, kind: string): boolean {
  if (kind === 'AIFF') return content.length === 18;
  return content.length === 24 && CODINGS.test(content.toString('latin1', 18, 22)) && content.readUInt16BE(22) === 0;
}

/** Returns the number of bytes of samples. It is tolerant: an original may be damaged. */
export function samplesOfAiff(view: Buffer): number {
  for (let at = 12; at + 8 <= view.length; ) {
    const size = view.readUInt32BE(at + 4);
    if (view.toString('latin1', at, at + 4) === 'SSND' && at + 12 <= view.length)
      return Math.max(0, Math.min(size, view.length - at - 8) - 8 - view.readUInt32BE(at + 8));
    at += 8 + size + (size & 1);
  }
  return 0;
}
