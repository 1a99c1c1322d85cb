/** A search for links in one file, with everything real but the reader of codes, which finds none. */

import { createUnpacker } from '../../lib/formats/archives/unpacker.ts';
import type { SearchTools, UrlSource } from '../../lib/message/urls/sources/source.ts';
import { searchSource } from '../../lib/message/urls/sources/sources.ts';

export const LIMITS = { urlLength: 8192, textBytes: 1_000_000 };
const TOOLS: SearchTools = {
  limits: LIMITS,
  unpack: createUnpacker().unpack,
  readCodes: async () => ({ outcome: 'read', untrustedTexts: [] }),
  workLeftMs: () => 20_000,
};
/** A file as parse hands it to the search. */
export const source = (bytes: string | Uint8Array, facts: Partial<UrlSource> = {}): UrlSource => ({
  detectedType: 'application/octet-stream',
  declaredType: 'application/octet-stream',
  extensions: [],
  charset: null,
  base: null,
  isDelSp: false,
  isData: false,
  bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes,
  ...facts,
});
export const search = (bytes: string | Uint8Array, facts: Partial<UrlSource> = {}, tools: Partial<SearchTools> = {}) =>
  searchSource(source(bytes, facts), { ...TOOLS, ...tools });
/** The URLs found in a file, normalised. */
export async function urlsOf(bytes: string | Uint8Array, facts: Partial<UrlSource> = {}): Promise<string[]> {
  return (await search(bytes, facts)).urls.map(({ normalised }) => normalised);
}
