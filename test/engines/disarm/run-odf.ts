/** One OpenDocument package through the disarm engine, for tests. */
import { expect } from 'vitest';
import { officeParts } from './contents.ts';
import { buildOdf, type OdfOptions, PRESENTATION, SPREADSHEET, TEXT } from './odf-fixture.ts';
import { disarmed } from './run-disarm.ts';

/** A paragraph that must survive. */
export const KEEP = '<text:p>KEEP text</text:p>';
const EXTENSIONS: Readonly<Record<string, string>> = { [TEXT]: 'odt', [SPREADSHEET]: 'ods', [PRESENTATION]: 'odp' };

/** What comes out, unpacked, after a look at everything that must hold for any output. */
export async function run(options: OdfOptions) {
  const extension = EXTENSIONS[options.type ?? TEXT] ?? 'odt';
  const once = await disarmed(await buildOdf(options), `a.${extension}`);
  expect(once).toMatchObject({ outcome: 'disarmed', extension });
  expect((await disarmed(once.bytes, `a.${extension}`)).outcome).toBe('already_safe');
  expect(Buffer.from(once.bytes).toString('latin1', 30, 38 + (options.type ?? TEXT).length)).toBe(
    `mimetype${options.type ?? TEXT}`,
  );
  const parts = await officeParts(once.bytes);
  return { ...once, parts, content: parts.get('content.xml') ?? '', all: [...parts].flat().join('\n') };
}

/** Markup of a picture. */
export const image = (href: string) =>
  `<draw:frame><draw:image xlink:href="${href}" xlink:type="simple"/></draw:frame>`;
