/** Reads the codes of one picture or document in this thread. Only worker threads call it. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { CodeRequest, CodesRead } from '../../message/urls/source.ts';

/** Codes of one frame; a sheet of a thousand is no letter. */
const MOST_CODES = 50;
/** Symbols that telephones read by themselves. Bar codes of goods are left alone: they hold no address. */
const FORMATS = ['QRCode', 'MicroQRCode', 'RMQRCode', 'DataMatrix', 'Aztec', 'PDF417'] as const;

type Reader = typeof import('zxing-wasm/reader');

let loading: Promise<Reader> | undefined;

/** The library, loaded once. By itself it would fetch its wasm from a public server. */
export function loadReader(): Promise<Reader> {
  loading ??= (async () => {
    const reader = await import('zxing-wasm/reader');
    const wasm = await readFile(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
    reader.prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } });
    return reader;
  })();
  return loading;
}

/** Never rejects on content: what cannot be decoded is `unreadable`. */
export async function readCodesHere({ kind, bytes }: CodeRequest): Promise<CodesRead> {
  const { readBarcodes } = await loadReader();
  const found = new Set<string>();
  try {
    const pictures =
      kind === 'pdf'
        ? await (await import('./pdf-pages.ts')).openPages(bytes)
        : await (await import('./frames.ts')).openFrames(bytes);
    for await (const { data, width, height } of pictures.frames) {
      const options = { formats: [...FORMATS], maxNumberOfSymbols: MOST_CODES, tryHarder: true };
      // What a browser calls ImageData; Node has no such class.
      const picture = { data, width, height, colorSpace: 'srgb' } as unknown as Parameters<typeof readBarcodes>[0];
      for (const { isValid, text } of await readBarcodes(picture, options)) if (isValid) found.add(text);
    }
    return { outcome: pictures.isPartial ? 'partly' : 'read', untrustedTexts: [...found] };
  } catch {
    // The fault's text can quote the file: it stays here.
    return { outcome: 'unreadable', untrustedTexts: [...found] };
  }
}
