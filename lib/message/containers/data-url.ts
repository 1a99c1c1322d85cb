/**
 * Files in the links of a page (`<a download href="data:…">`): a click saves such a file, and it is not a part of the message.
 * Ordinary mail has pictures, fonts and styles in such links; they are shown, not saved.
 */
import { asBuffer } from '../../formats/byte-scan.ts';
import { collectMembers } from './budget.ts';
import type { Candidate, Container, OpenContext, Opened } from './container.ts';

const LINKED = /(?:href|action|formaction|data)\s{0,20}=\s{0,20}["']?\s{0,20}data:([^,"'<>]{0,200}),([^"'<>\s]*)/gi;
/** A value without quotation marks ends at a blank (HTML 13.1.2.3). */
const NAME =
  /download\s{0,20}=\s{0,20}(?:"(?<double>[^"<>]{1,200})|'(?<single>[^'<>]{1,200})|(?<bare>[^\s"'<>]{1,200}))/i;
const SHOWN = /^(?:image\/(?:png|jpe?g|gif|webp|bmp)|font\/|application\/(?:x-)?font|text\/css)/i;
/** Larger pages are not searched. The disarm of a page removes such links anyway. */
const PAGE_BYTES = 16 * 1024 * 1024;

export const dataUrl: Container = {
  name: 'data-url',
  accepts: (candidate) => isPage(candidate) && linksOf(candidate.bytes).next().done === false,
  open,
};

function isPage({ bytes, detectedType, declaredType }: Candidate): boolean {
  const isHtml = detectedType === 'text/html' || declaredType === 'text/html' || detectedType === 'image/svg+xml';
  return isHtml && bytes.length <= PAGE_BYTES && /data:/i.test(asBuffer(bytes).toString('latin1'));
}

interface Linked {
  readonly type: string;
  readonly name: string | null;
  readonly content: Uint8Array;
}

function* linksOf(bytes: Uint8Array): Generator<Linked> {
  const text = asBuffer(bytes).toString('latin1');
  for (const match of text.matchAll(LINKED)) {
    const [whole, media = '', data = ''] = match;
    const type = media.split(';', 1)[0]?.trim().toLowerCase() ?? '';
    if (SHOWN.test(type)) continue;
    const plain = Buffer.from(
      data.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
      'latin1',
    );
    const content = /;\s*base64\s*$/i.test(media) ? Buffer.from(plain.toString('latin1'), 'base64') : plain;
    // The name is in the same tag, before or after the link.
    const before = text.slice(Math.max(0, match.index - 300), match.index);
    const after = text.slice(match.index + whole.length, match.index + whole.length + 300);
    const tag = `${before.slice(before.lastIndexOf('<') + 1)} ${after.split('>', 1)[0]}`;
    const { double, single, bare } = NAME.exec(tag)?.groups ?? {};
    yield { type: type || 'text/plain', name: double ?? single ?? bare ?? null, content };
  }
}

async function open({ bytes }: Candidate, context: OpenContext): Promise<Opened> {
  const collector = collectMembers(context.budget.allowance(), bytes.length);
  for (const { type, name, content } of linksOf(bytes)) {
    const untrustedNames = name === null ? [] : [name];
    if (!collector.add({ untrustedNames, declaredType: type, charset: null, role: 'attachment', bytes: content }))
      break;
  }
  return collector.result();
}
