/** Everything a disarmed file holds, unpacked: what the tests search for threats and for text that must survive. */
import { inflateSync } from 'node:zlib';
import { PDF } from '@libpdf/core';
import { simpleParser } from 'mailparser';
import { openContainer } from '../../../lib/engines/disarm/office/package/container.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { readZipDirectory, readZipMember } from '../../../lib/formats/archives/zip-directory.ts';

/** Parts of an Office file by name, as latin1 text. */
export async function officeParts(bytes: Uint8Array): Promise<ReadonlyMap<string, string>> {
  const { entries } = await openContainer(bytes, DEFAULT_ENGINE_LIMITS);
  const parts = new Map<string, string>();
  for (const entry of entries.values()) parts.set(entry.name, latin1(await entry.read()));
  return parts;
}

/** The members of a zip by name. */
export function zipMembers(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const member of readZipDirectory(bytes, 10_000)?.members ?? []) {
    found.set(member.untrustedName, readZipMember(bytes, member, 64 * 1024 * 1024) ?? new Uint8Array());
  }
  return found;
}

async function mailLayers(bytes: Uint8Array): Promise<string[]> {
  const mail = await simpleParser(Buffer.from(bytes));
  const layers = [mail.subject ?? '', mail.text ?? '', mail.html || ''];
  for (const { filename, content, contentType } of mail.attachments) {
    const extension = contentType === 'message/rfc822' ? 'eml' : (filename?.split('.').at(-1) ?? '');
    layers.push(filename ?? '', await everyLayer(content, extension));
  }
  return layers;
}

async function zipLayers(bytes: Uint8Array): Promise<string[]> {
  const layers: string[] = [];
  for (const [name, content] of zipMembers(bytes)) {
    layers.push(name, await everyLayer(content, name.split('.').at(-1) ?? ''));
  }
  return layers;
}

/** The raw bytes and every layer that can be taken off them, at any depth: members, attachments, PDF streams, page text. */
export async function everyLayer(bytes: Uint8Array, extension: string): Promise<string> {
  const raw = latin1(bytes);
  if (/^(docx|dotx|xlsx|xltx|pptx|ppsx|potx|od[tspgm]|ot[tspg])$/.test(extension)) {
    return [raw, ...[...(await officeParts(bytes))].flat()].join('\n');
  }
  // Text of two-byte characters reads like that of one, without the zero bytes.
  if (/^(doc|xls|ppt)$/.test(extension)) return `${raw}\n${raw.replaceAll('\0', '')}`;
  if (extension === 'rtf') return `${raw}\n${withoutHex(raw)}`;
  if (extension === 'zip') return [raw, ...(await zipLayers(bytes))].join('\n');
  if (extension === 'eml') return [raw, ...(await mailLayers(bytes))].join('\n');
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return Buffer.from(bytes).toString('utf16le');
  return extension === 'pdf' ? [raw, ...pdfStreams(raw), await pdfText(bytes)].join('\n') : raw;
}

/** Rich text with its escaped characters and its runs of hexadecimal data read. */
function withoutHex(rtf: string): string {
  return rtf
    .replace(/\\'([0-9a-f]{2})/gi, (_, hex: string) => latin1(Buffer.from(hex, 'hex')))
    .replace(/(?:[0-9a-f]{2}\s*){8,}/gi, (run) => latin1(Buffer.from(run.replace(/\s+/g, ''), 'hex')));
}

function pdfStreams(raw: string): string[] {
  return [...raw.matchAll(/stream\n(.*?)\nendstream/gs)].map((match) => {
    try {
      return latin1(inflateSync(Buffer.from(match[1] ?? '', 'latin1')));
    } catch {
      return match[1] ?? '';
    }
  });
}

/** The text a reader sees. */
export async function pdfText(bytes: Uint8Array): Promise<string> {
  const pdf = await PDF.load(new Uint8Array(bytes));
  return pdf
    .getPages()
    .map((page) => page.extractText().text)
    .join('\n');
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
