/** Counts the list of what must be gone. Its samples are made from it, so no other test would notice a lost row. */
import { expect, test } from 'vitest';
import { MUST_BE_GONE } from './must-be-gone.ts';

/** Group, rows, rows with an expression of their own, formats. */
const GROUPS: readonly (readonly [string, number, number, string])[] = [
  ['ooxml/relationship', 53, 53, 'docx xlsx pptx flat'],
  ['ooxml/content-type', 21, 21, 'docx xlsx pptx flat'],
  ['ooxml/main-type', 2, 2, 'docx xlsx pptx flat'],
  ['ooxml/renamed-part', 4, 0, 'docx xlsx pptx'],
  ['ooxml/external', 10, 10, 'docx xlsx pptx flat'],
  ['ooxml/external-in-part', 10, 0, 'docx xlsx pptx flat'],
  ['ooxml/chart', 1, 1, 'docx xlsx pptx flat'],
  ['ooxml/container', 15, 0, 'docx xlsx pptx'],
  ['word/element', 11, 11, 'docx flat'],
  ['word/field', 25, 0, 'docx rtf doc flat'],
  ['word/vml', 9, 0, 'docx flat'],
  ['drawing/blip-link', 1, 1, 'docx pptx xlsx'],
  ['sheet/element', 11, 11, 'xlsx'],
  ['sheet/drawing', 1, 1, 'xlsx'],
  ['sheet/name', 8, 8, 'xlsx'],
  ['sheet/cache', 1, 1, 'xlsx'],
  ['sheet/function', 10, 0, 'xlsx xls ods'],
  ['sheet/new-function', 6, 0, 'xlsx'],
  ['slide/action', 3, 3, 'pptx'],
  ['slide/element', 8, 8, 'pptx'],
  ['legacy/stream', 17, 0, 'doc xls ppt'],
  ['legacy/root-class', 1, 0, 'doc xls ppt'],
  ['xls/record', 19, 0, 'xls'],
  ['xls/function', 25, 0, 'xls'],
  ['doc/structure', 2, 0, 'doc'],
  ['ppt/record', 8, 0, 'ppt'],
  ['odf/part', 9, 0, 'odt ods odp'],
  ['odf/element', 17, 17, 'odt ods odp'],
  ['odf/reference', 5, 0, 'odt ods odp'],
  ['scheme', 16, 0, 'docx xlsx pptx pdf rtf odt html svg mht eml ics vcf doc xls ppt'],
  ['people', 2, 0, 'docx xlsx pptx odt pdf rtf doc xls ppt png jpg webp tiff gif svg'],
  ['pdf/key', 42, 42, 'pdf'],
  ['pdf/action', 14, 14, 'pdf'],
  ['pdf/annotation', 11, 11, 'pdf'],
  ['pdf/stream', 14, 0, 'pdf'],
  ['rtf/destination', 35, 35, 'rtf'],
  ['rtf/frame', 3, 0, 'rtf'],
  ['svg/element', 12, 12, 'svg'],
  ['svg/attribute', 6, 0, 'svg'],
  ['html/element', 19, 19, 'html mht eml'],
  ['html/attribute', 12, 12, 'html mht eml'],
  ['mht/part', 2, 0, 'mht'],
  ['csv/cell', 12, 0, 'csv'],
  ['archive/member', 11, 11, 'zip tar gz 7z'],
  ['archive/frame', 7, 0, 'zip'],
  ['mail/part', 4, 0, 'eml msg tnef'],
  ['mail/header', 2, 0, 'eml'],
  ['calendar/property', 9, 9, 'ics'],
  ['card/property', 6, 6, 'vcf'],
  ['frame/appended', 2, 0, 'png jpg gif webp tiff docx pdf rtf zip'],
  ['media/box', 9, 9, 'mp4'],
  ['media/tag', 3, 0, 'mp3'],
  ['media/chunk', 3, 0, 'wav'],
  ['media/block', 5, 0, 'flac'],
  ['media/page', 6, 0, 'ogg'],
  ['film/voice', 1, 0, 'amr'],
  ['film/form', 2, 0, 'aiff'],
  ['film/chunk', 3, 0, 'avi'],
  ['film/element', 5, 0, 'webm'],
  ['visio/formula', 11, 0, 'vsdx'],
  ['visio/element', 6, 0, 'vsdx'],
  ['visio/link', 1, 0, 'vsdx'],
  ['visio/part', 10, 0, 'vsdx'],
  ['xps/link', 5, 0, 'xps'],
  ['xps/element', 6, 6, 'xps'],
  ['xps/value', 6, 0, 'xps'],
  ['xps/part', 12, 0, 'xps'],
  ['xps/frame', 3, 0, 'xps'],
  ['map/element', 10, 10, 'kml kmz'],
  ['map/reference', 5, 0, 'kml kmz'],
  ['map/words', 4, 0, 'kml kmz'],
  ['map/frame', 7, 0, 'kml kmz'],
  ['map/file', 7, 0, 'kmz'],
  ['book/element', 12, 11, 'epub'],
  ['book/attribute', 10, 0, 'epub'],
  ['book/frame', 11, 0, 'epub'],
  ['book/file', 9, 0, 'epub'],
  ['image/metadata', 2, 0, 'png jpg gif webp tiff'],
];

test.each(GROUPS)('%s has %i rows', (group, count, marked, formats) => {
  const rows = MUST_BE_GONE.filter((row) => row.group === group);
  expect(rows.length).toBe(count);
  expect(rows.filter(({ markers }) => markers.length > 0).length).toBe(marked);
  for (const row of rows) expect(row.formats.join(' ')).toBe(formats);
});

test('no row stands twice, and every group is counted', () => {
  expect(new Set(MUST_BE_GONE.map(({ id }) => id)).size).toBe(MUST_BE_GONE.length);
  expect([...new Set(MUST_BE_GONE.map(({ group }) => group))].sort()).toEqual(GROUPS.map(([group]) => group).sort());
});
