/** Every sample of every row. The list says what must be gone, and the generators write it. */
import { flatPackageOf } from '../../fixtures/flat-package.ts';
import { archiveImageSamples } from './archive-image-samples.ts';
import { bookSamples } from './book-samples.ts';
import { containerSamples } from './container-samples.ts';
import { filmSamples } from './film-samples.ts';
import { legacySamples } from './legacy-samples.ts';
import { mailSamples } from './mail-samples.ts';
import { mapSamples } from './map-samples.ts';
import { mediaSamples } from './media-samples.ts';
import { metafileSamples } from './metafile-samples.ts';
import { MUST_BE_GONE } from './must-be-gone.ts';
import { officeMarkupSamples } from './office-markup-samples.ts';
import { officeSamples } from './office-samples.ts';
import { pdfSamples } from './pdf-samples.ts';
import type { Format, Row } from './row.ts';
import { rtfOdfSamples } from './rtf-odf-samples.ts';
import type { Draft, Sample } from './sample.ts';
import { sheetSamples } from './sheet-samples.ts';
import { textSamples } from './text-samples.ts';
import { visioSamples } from './visio-samples.ts';
import { wordXmlSamples } from './word-xml-samples.ts';
import { workbookXmlSamples } from './workbook-xml-samples.ts';
import { xlsbSamples } from './xlsb-samples.ts';
import { xpsSamples } from './xps-samples.ts';

const GENERATORS = [
  officeSamples,
  officeMarkupSamples,
  containerSamples,
  sheetSamples,
  pdfSamples,
  rtfOdfSamples,
  legacySamples,
  textSamples,
  archiveImageSamples,
  mailSamples,
  mediaSamples,
  filmSamples,
  visioSamples,
  mapSamples,
  xpsSamples,
  bookSamples,
  xlsbSamples,
  workbookXmlSamples,
  metafileSamples,
  wordXmlSamples,
];

/** Formats that are XML by their name. */
const IN_XML: ReadonlySet<Format> = new Set<Format>(['flat', 'workbook-xml', 'word-xml']);

async function draftsOf({ group, line }: Row, format: Format): Promise<readonly Draft[]> {
  const drafts: Draft[] = [];
  for (const generators of GENERATORS) drafts.push(...((await generators[group]?.(line, format)) ?? []));
  return drafts;
}

/** Those of a Word document, each as one XML file; what packs parts in other ways is of zips alone. */
async function flatDrafts(row: Row): Promise<readonly Draft[]> {
  const drafts = await draftsOf(row, 'docx');
  return drafts
    .filter(({ encoding }) => !/utf-16|stored|capitals/i.test(encoding))
    .map((draft) => ({ ...draft, content: flatPackageOf(new Uint8Array(Buffer.from(draft.content as string))) }));
}

/** The samples of a row in a format; none when no generator knows it. */
export async function samplesOf(row: Row, format: Format): Promise<readonly Sample[]> {
  const drafts = format === 'flat' ? await flatDrafts(row) : await draftsOf(row, format);
  const written = new Map<string, number>();
  // One thing can stand in several places that are written alike. Each has a name of its own.
  const named = (encoding: string) => {
    const times = (written.get(encoding) ?? 0) + 1;
    written.set(encoding, times);
    return times === 1 ? encoding : `${encoding} ${times}`;
  };
  return drafts.map(({ encoding, content, hasText = true }) => ({
    row,
    format,
    encoding: named(encoding),
    name: `sample.${IN_XML.has(format) ? 'xml' : format}`,
    bytes: new Uint8Array(typeof content === 'string' ? Buffer.from(content) : content),
    hasText,
  }));
}

/** The samples of all rows a format can carry. */
export async function samplesIn(format: Format): Promise<readonly Sample[]> {
  const rows = MUST_BE_GONE.filter(({ formats }) => formats.includes(format));
  return (await Promise.all(rows.map((row) => samplesOf(row, format)))).flat();
}

export const FORMATS: readonly Format[] = [...new Set(MUST_BE_GONE.flatMap(({ formats }) => formats))];
