/** Everything a disarmed file holds, unpacked: what the tests search for threats and for text that must survive. */
import { inflateSync } from 'node:zlib';
import { PDF } from '@libpdf/core';
import { openContainer } from '../../../../lib/analysis/engines/disarm/office-container.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../../lib/analysis/engines/engine.ts';

/** Parts of an Office file by name, as latin1 text. */
export async function officeParts(bytes: Uint8Array): Promise<ReadonlyMap<string, string>> {
  const { entries } = await openContainer(bytes, DEFAULT_ENGINE_LIMITS);
  const parts = new Map<string, string>();
  for (const entry of entries.values()) parts.set(entry.name, latin1(await entry.read()));
  return parts;
}

/** The raw bytes and every layer that can be taken off them: zip members, inflated PDF streams, PDF page text. */
export async function everyLayer(bytes: Uint8Array, extension: string): Promise<string> {
  const raw = latin1(bytes);
  if (/^(docx|dotx|xlsx|xltx|pptx|ppsx|potx)$/.test(extension)) {
    return [raw, ...[...(await officeParts(bytes))].flat()].join('\n');
  }
  return extension === 'pdf' ? [raw, ...pdfStreams(raw), await pdfText(bytes)].join('\n') : raw;
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
