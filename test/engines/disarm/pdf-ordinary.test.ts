/** PDF documents without live content come out whole. None is refused or painted, and no word, form value or page is lost. */
import { describe, expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { ordinaryPdf } from '../../fixtures/ordinary-pdf.ts';
import { pdfText } from './contents.ts';

/** What some of them may lose, and why. */
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  'figure.pdf': ['private application data'],
  'figure-packed.pdf': ['private application data'],
  'letter-signed.pdf': ['digital signature'],
  'letter-junk-before.pdf': ['data before the document'],
  'letter-junk-before-and-shifted-table.pdf': ['data before the document'],
  'letter-blank-lines-behind.pdf': ['data after the document'],
};

/** Text that the objects of the result must hold. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  'annotations.pdf': ['/Subtype /Squiggly', '(https://shop.example/order)', '/chapter [', '/InkList [[72 600'],
  'form.pdf': ['(Alice Example)', '/V /two', '/V /AA', '/AA ', '(Norway)', '/S /ResetForm', '/NeedAppearances true'],
  'form-filled.pdf': ['(Alice Filled)'],
  'navigation.pdf': [
    '(Chapter)',
    '(JavaScript) << /D [',
    '/P (Annex )',
    '/OpenAction [',
    '/S /Dissolve',
    '/Direction /L2R',
  ],
  'tagged.pdf': ['/MCID 2', '/Launch /P', '/ColSpan 2', '(other words)', '/ActualText (two)', '/Lang (de)'],
  'fonts.pdf': ['/CharProcs << /AA ', '/Registry (Adobe)', '/W [1 [500 600]]', '/Panose'],
  'drawing.pdf': ['/EF [/Separation', '/Sound ', '/SMask <<', '/XStep 10', '/OCGs [', '/Movie [/Separation'],
  'pages.pdf': ['/Rotate -90', '/UserUnit 2', '/CropBox [20 20 350 250]', '/MediaBox [-50 -50 250.5 350.25]'],
  'pictures.pdf': ['/Filter /CCITTFaxDecode', '/Indexed', '/SMask', '/DeviceCMYK'],
};

const documents = await ordinaryPdf();
const large = new Set(['many-pages.pdf']);

async function disarmed(bytes: Uint8Array, untrustedName: string) {
  const report = await disarmFile({ bytes, untrustedName, password: null }, DEFAULT_ENGINE_LIMITS);
  return report.outcome === 'failed' ? expect.fail(report.failure.message) : report;
}

describe('stays whole', () => {
  test.each(documents.map(({ name, bytes }) => [name, bytes] as const))('%s', async (name, bytes) => {
    const report = await disarmed(bytes, name);
    expect([...new Set(report.details.map(({ kind }) => kind))]).toEqual(TAKEN[name] ?? []);
    expect(report.quality.strategy).toBe('rebuild');
    expect(report.quality.units?.after).toBe(report.quality.units?.before);
    expect(report.quality.words?.kept).toBe(report.quality.words?.before);
    if (!large.has(name)) expect(await pdfText(report.bytes)).toBe(await pdfText(bytes));
    const raw = Buffer.from(report.bytes).toString('latin1');
    for (const part of KEPT[name] ?? []) expect(raw).toContain(part);
    expect((await disarmed(report.bytes, name)).outcome).toBe('already_safe');
  });
});

test('every expectation is for a document that exists', () => {
  const names = documents.map(({ name }) => name);
  expect([...Object.keys(TAKEN), ...Object.keys(KEPT)].filter((name) => !names.includes(name))).toEqual([]);
});
