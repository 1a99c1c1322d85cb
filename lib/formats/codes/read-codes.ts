/** Reads the codes of one picture or document in this thread. Only worker threads call it. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { ReaderOptions } from 'zxing-wasm/reader';
import type { Pixels } from './pictures.ts';
import type { CodeRequest, CodesRead } from './request.ts';

const OPTIONS: ReaderOptions = {
  // Codes that telephones read by themselves. Bar codes of goods are not read, because they contain no address.
  formats: ['QRCode', 'MicroQRCode', 'RMQRCode', 'DataMatrix', 'Aztec', 'PDF417'],
  // Codes per frame. Ordinary mail has no sheet of a thousand codes.
  maxNumberOfSymbols: 50,
  tryHarder: true,
};

type Reader = typeof import('zxing-wasm/reader');

let loading: Promise<Reader> | undefined;

/** Returns the library, which is loaded once. With its default settings it would fetch its wasm from a public server. */
function loadReader(): Promise<Reader> {
  loading ??= (async () => {
    const reader = await import('zxing-wasm/reader');
    const wasm = await readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
    reader.prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });
    return reader;
  })();
  return loading;
}

/** Returns the texts of the codes in one frame. */
export async function codesIn({ data, width, height }: Pixels, options: ReaderOptions): Promise<string[]> {
  const { readBarcodes } = await loadReader();
  // This has the form of a browser's ImageData, which Node does not have.
  const picture = { data, width, height, colorSpace: 'srgb' } as unknown as Parameters<typeof readBarcodes>[0];
  const results = await readBarcodes(picture, options);
  return results.filter(({ isValid }) => isValid).map(({ text }) => text);
}

/** Reads all codes of one picture or document. Never rejects on content: if it cannot be decoded, the outcome is `unreadable`. */
export async function readCodesHere({ kind, bytes }: CodeRequest): Promise<CodesRead> {
  await loadReader();
  const found = new Set<string>();
  try {
    const pictures =
      kind === 'pdf'
        ? await (await import('./pdf-pages.ts')).openPages(bytes)
        : await (await import('./frames.ts')).openFrames(bytes);
    for await (const pixels of pictures.frames) for (const text of await codesIn(pixels, OPTIONS)) found.add(text);
    return { outcome: pictures.isPartial ? 'partly' : 'read', untrustedTexts: [...found] };
  } catch {
    // The text of the error can quote the file, so it does not leave the thread.
    return { outcome: 'unreadable', untrustedTexts: [...found] };
  }
}
