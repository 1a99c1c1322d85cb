/**
 * The names of people are removed by default, and stay when the caller asks for it. Tested through the whole engine, so that the gate
 * agrees.
 */
import { expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { buildMacroFreeDocx, buildZip } from '../../fixtures/build-office.ts';
import { everyLayer, zipMembers } from './contents.ts';
import { buildFlatOdf, buildOdf } from './odf-fixture.ts';

async function layersOf(
  content: Uint8Array | string,
  untrustedName: string,
  { keepMetadata }: { keepMetadata: boolean },
): Promise<string> {
  const input = { bytes: new Uint8Array(Buffer.from(content)), untrustedName, password: null, keepMetadata };
  const report = await disarmFile(input, DEFAULT_ENGINE_LIMITS);
  if (report.outcome === 'failed') return expect.fail(report.failure.message);
  const again = await disarmFile({ ...input, bytes: report.bytes }, DEFAULT_ENGINE_LIMITS);
  expect(again.outcome).toBe('already_safe');
  return everyLayer(report.bytes, report.type.extension);
}

const CORE =
  '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" ' +
  'xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Budget</dc:title><dc:creator>Ada Person</dc:creator>' +
  '<cp:lastModifiedBy>Bob Person</cp:lastModifiedBy></cp:coreProperties>';
const CORE_TYPE = 'application/vnd.openxmlformats-package.core-properties+xml';
const CORE_RELATIONSHIP = 'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties';

async function officeWithNames(): Promise<Uint8Array> {
  const parts = [...zipMembers(await buildMacroFreeDocx())].filter(([name]) => name !== 'docProps/core.xml');
  const changed = parts.map(([name, bytes]): [string, string] => {
    const text = Buffer.from(bytes).toString('utf8');
    if (name === '[Content_Types].xml') {
      return [
        name,
        text.replace('</Types>', `<Override PartName="/docProps/core.xml" ContentType="${CORE_TYPE}"/></Types>`),
      ];
    }
    const row = `<Relationship Id="core1" Type="${CORE_RELATIONSHIP}" Target="docProps/core.xml"/>`;
    return [name, name === '_rels/.rels' ? text.replace('</Relationships>', `${row}</Relationships>`) : text];
  });
  return buildZip([...changed, ['docProps/core.xml', CORE]]);
}

const META =
  '<meta:initial-creator>Ada Person</meta:initial-creator><dc:creator>Bob Person</dc:creator><dc:title>Budget</dc:title>';
const BODY = '<text:p>KEEP text</text:p>';

test.each<[string, string, () => Promise<Uint8Array> | string]>([
  ['an Office document', 'a.docx', officeWithNames],
  ['an OpenDocument text', 'a.odt', () => buildOdf({ body: BODY, meta: META })],
  [
    'a flat OpenDocument text',
    'a.fodt',
    () => buildFlatOdf({ body: BODY, before: `<office:meta>${META}</office:meta>` }),
  ],
  [
    'a rich text document',
    'a.rtf',
    () => '{\\rtf1\\ansi{\\info{\\author Ada Person}{\\operator Bob Person}{\\title Budget}}KEEP text\\par}',
  ],
])('%s', async (_what, name, build) => {
  const without = await layersOf(await build(), name, { keepMetadata: false });
  expect(without).not.toMatch(/Ada Person|Bob Person/);
  const kept = await layersOf(await build(), name, { keepMetadata: true });
  for (const text of ['Ada Person', 'Bob Person', 'Budget']) expect(kept).toContain(text);
});
