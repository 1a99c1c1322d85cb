/** Samples of packages that contradict themselves, or hold what no package needs. */
import { buildVbaProject } from '../../fixtures/build-vba.ts';
import { entriesOf, isOffice, MAIN_PART, OFFICE_ENCODINGS, pack } from './office-draft.ts';
import type { Format } from './row.ts';
import { type Generator, KEEP, LIVE, LIVE_URL } from './sample.ts';
import { writeZip, type ZipEntry, type ZipFrame } from './zip-writer.ts';

const script = { name: 'x', content: `<script>${LIVE}</script>` };
const CONTAINERS: Readonly<
  Record<string, (entries: readonly ZipEntry[], main: string) => readonly [readonly ZipEntry[], ZipFrame?]>
> = {
  doctype: (entries) => [
    entries.map((entry) =>
      entry.name.startsWith('[')
        ? {
            ...entry,
            content: String(entry.content).replace('<Types', `<!DOCTYPE x [<!ENTITY a SYSTEM "${LIVE_URL}">]><Types`),
          }
        : entry,
    ),
  ],
  entities: (entries, main) => [
    entries.map((entry) =>
      entry.name === main
        ? {
            ...entry,
            content: String(entry.content)
              .replace('?>', `?><!DOCTYPE x [<!ENTITY a SYSTEM "${LIVE_URL}"><!ENTITY b '> ${LIVE} ]>'><!-- ]> -->]>`)
              .replace(KEEP, `${KEEP} &a;&b;`),
          }
        : entry,
    ),
  ],
  encoding: (entries, main) => [
    entries.map((entry) =>
      entry.name === main
        ? {
            ...entry,
            content: String(entry.content)
              .replace('encoding="UTF-8"', 'encoding="UTF-7"')
              .replace('?>', `?><!-- +ADw-${LIVE} -->`),
          }
        : entry,
    ),
  ],
  duplicate: (entries, main) => [[...entries, { name: main, content: `<?xml version="1.0"?><${LIVE}/>` }]],
  'duplicate-casing': (entries, main) => [
    [...entries, { name: main.toUpperCase(), content: `<?xml version="1.0"?><${LIVE}/>` }],
  ],
  'dot-dot': (entries) => [[...entries, { ...script, name: `../../${LIVE}.js` }]],
  backslash: (entries) => [[...entries, { ...script, name: `..\\${LIVE}.js` }]],
  drive: (entries) => [[...entries, { ...script, name: `C:/${LIVE}.js` }]],
  absolute: (entries) => [[...entries, { ...script, name: `/etc/${LIVE}.js` }]],
  'encrypted-entry': (entries) => [[...entries, { ...script, name: `${LIVE}.bin`, isEncrypted: true }]],
  'directory-names': (entries) => [
    [
      ...entries,
      {
        name: `${LIVE}/vbaProject.bin`,
        directoryName: 'docProps/thumbnail.png',
        content: buildVbaProject(`'${LIVE}\r\n`),
      },
    ],
  ],
  'directory-extra': (entries) => [[...entries, { ...script, name: `${LIVE}.xml`, isHidden: true }]],
  appended: (entries) => [entries, { appended: Buffer.from(script.content) }],
  prepended: (entries) => [entries, { prepended: Buffer.from(script.content) }],
  comment: (entries) => [entries, { comment: script.content }],
};

const container: Generator = (line, format) => {
  if (!isOffice(format)) return [];
  return ['plain', 'strict', 'stored with descriptors'].map((encoding) => {
    const entries = OFFICE_ENCODINGS[encoding]?.(entriesOf(format, {})) ?? [];
    const [changed, frame] = CONTAINERS[line]?.(entries, MAIN_PART[format]) ?? [entries];
    // With a page in front, the file is a page to whoever goes by its first bytes, and so to the engine.
    return { encoding, content: writeZip(changed, frame), hasText: line !== 'prepended' };
  });
};

export const containerSamples: Readonly<Record<string, Generator>> = {
  'ooxml/container': container,
  'frame/appended': (line, format: Format) =>
    isOffice(format)
      ? [
          {
            encoding: 'plain',
            content: pack(format, {}, 'plain', {
              appended: line === 'zip' ? writeZip([script]) : Buffer.from(script.content),
            }),
            hasText: line !== 'zip',
          },
        ]
      : [],
};
