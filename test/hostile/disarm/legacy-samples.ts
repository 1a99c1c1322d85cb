/** Samples in the binary formats of Office 97 to 2003. */
import { compoundFile } from '../../engines/office-fixture.ts';
import { buildDoc } from '../../fixtures/build-doc.ts';
import { atom, buildPpt, container, slide, text } from '../../fixtures/build-ppt.ts';
import { buildXls, formula, label, name, words, type XlsOptions, type XlsRecord } from '../../fixtures/build-xls.ts';
import { XLS_TRICKS } from './legacy-sheet-tricks.ts';
import type { Format } from './row.ts';
import { type Draft, type Generator, KEEP, LIVE, LIVE_URL } from './sample.ts';

type Streams = Readonly<Record<string, Uint8Array>>;
const live = Buffer.from(LIVE);

const sheet = (...records: readonly XlsRecord[]) => ({
  name: 'Sheet1',
  records: [label(0, 0, `${KEEP} invoice`), ...records],
});
const xls = (options: XlsOptions): Buffer => buildXls({ sheets: [sheet()], ...options });

function legacy(format: Format, streams: Streams): Buffer | null {
  if (format === 'doc') return buildDoc({ text: `${KEEP} invoice`, streams });
  if (format === 'xls') return xls({ streams });
  if (format === 'ppt') return buildPpt({ slides: [slide(`${KEEP} invoice`)], streams });
  return null;
}

const written = (drafts: Readonly<Record<string, string | Uint8Array | null>>): Draft[] =>
  Object.entries(drafts).flatMap(([encoding, content]) => (content === null ? [] : [{ encoding, content }]));

const stream: Generator = (path, format) => {
  const macro = Buffer.concat([Buffer.from('\x01\x00\xb0', 'latin1'), live]);
  return written({
    plain: legacy(format, { [path]: macro }),
    'odd casing': legacy(format, { [path.toUpperCase()]: macro }),
    'wide text': legacy(format, { [path]: Buffer.from(LIVE, 'utf16le') }),
    deeper: legacy(format, { [`Deep/${path}`]: macro }),
  });
};

/** A class id of the root that starts another program. */
const rootClass: Generator = (_, format) => {
  const file = legacy(format, {});
  if (file === null) return [];
  const at = (file.readUInt32LE(0x30) + 1) * 512 + 80;
  live.copy(file, at, 0, 11);
  return [{ encoding: 'plain', content: file }];
};

const string = (value: string): Buffer => Buffer.concat([Buffer.from([0x17, value.length, 0]), Buffer.from(value)]);
const variable = (id: number): Buffer => Buffer.concat([string(LIVE), Buffer.from([0x42, 1]), words(id)]);
const fixed = (id: number): Buffer => Buffer.concat([string(LIVE), Buffer.from([0x41]), words(id)]);

const FUNCTIONS: Readonly<Record<string, number>> = {
  GOTO: 53,
  HALT: 54,
  RETURN: 55,
  EXEC: 110,
  DIRECTORY: 123,
  FOPEN: 132,
  FWRITELN: 137,
  FWRITE: 138,
  REGISTER: 149,
  CALL: 150,
  FILES: 166,
  INITIATE: 175,
  REQUEST: 176,
  POKE: 177,
  EXECUTE: 178,
  'GET.WORKSPACE': 186,
  UNREGISTER: 201,
  EVALUATE: 257,
  'REGISTER.ID': 267,
  'SQL.REQUEST': 304,
  RTD: 379,
  RUN: 0x8011,
  FORMULA: 0x8060,
  ALERT: 0x8076,
  'ON.TIME': 0x8094,
};

/** A call of a function that the workbook names only by a defined name. */
const named = Buffer.concat([Buffer.from([0x23, 1, 0, 0, 0]), string(LIVE), Buffer.from([0x42, 2]), words(255)]);

const xlsFunction: Generator = (line, format) => {
  if (format !== 'xls') return [];
  const id = FUNCTIONS[line];
  const codes = id === undefined ? [named, named] : [variable(id), fixed(id)];
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = codes;
  const wrapped = Buffer.concat([first, Buffer.from([0x22 + 0x20, 1]), words(4)]);
  const shared: XlsRecord = [
    0x04bc,
    Buffer.concat([words(1, 1), Buffer.from([1, 1, 0, 1]), words(second.length), second]),
  ];
  const array: XlsRecord = [
    0x0221,
    Buffer.concat([words(1, 1), Buffer.from([1, 1]), words(0, 0, 0, second.length), second]),
  ];
  return written({
    'many arguments': xls({ sheets: [sheet(formula(1, 1, first))] }),
    'fixed arguments': xls({ sheets: [sheet(formula(1, 1, second))] }),
    'inside another call': xls({ sheets: [sheet(formula(1, 1, wrapped))] }),
    shared: xls({ sheets: [sheet(formula(1, 1, Buffer.from([1, 1, 0, 1, 0])), shared)] }),
    array: xls({ sheets: [sheet(formula(1, 1, Buffer.from([1, 1, 0, 1, 0])), array)] }),
    'defined name': xls({ globals: [name('a', first)] }),
  });
};

const book = (path: string): XlsRecord => [
  0x01ae,
  Buffer.concat([words(1, path.length), Buffer.from([0]), Buffer.from(path, 'latin1')]),
];
const XLS: Readonly<Record<string, XlsOptions>> = {
  'macro-sheet': {
    sheets: [
      sheet(),
      { name: 'Macro1', kind: 1, begin: 0x40, records: [label(0, 0, LIVE), formula(1, 0, variable(110))] },
    ],
  },
  'vb-module': { sheets: [sheet(), { name: 'Module1', kind: 6, begin: 0x06, records: [label(0, 0, LIVE)] }] },
  'very-hidden': {
    sheets: [sheet(), { name: 'Macro1', kind: 1, state: 2, begin: 0x40, records: [label(0, 0, LIVE)] }],
  },
  'auto-name': {
    globals: [
      name('\x01', string(LIVE), 0x20),
      name('\x02', string(LIVE), 0x21),
      name(`Auto_Open${LIVE}`, string(LIVE)),
    ],
  },
  'macro-name': {
    globals: [name('a', string(LIVE), 0x02), name('b', string(LIVE), 0x04), name('c', string(LIVE), 0x08)],
  },
  'add-in-book': {
    globals: [
      [0x01ae, words(1, 0x3a01)],
      [0x0023, Buffer.concat([words(0, 0, 0), Buffer.from([4, 0]), Buffer.from('CALL')])],
    ],
    sheets: [
      sheet(
        formula(
          1,
          1,
          Buffer.concat([Buffer.from([0x39]), words(0, 1, 0), string(LIVE), Buffer.from([0x42, 2]), words(255)]),
        ),
      ),
    ],
  },
  'external-book': { globals: [book(`\x01\x01\\\\${LIVE}\\x.xls`)] },
  'dde-book': {
    globals: [
      book(`cmd\x03/c ${LIVE}`),
      [0x0023, Buffer.concat([words(0x7fe2, 0, 0), Buffer.from([LIVE.length, 0]), live])],
    ],
  },
  HLink: {
    sheets: [
      sheet([
        0x01b8,
        Buffer.concat([
          words(0, 0, 0, 0),
          Buffer.from('d0c9ea79f9bace118c8200aa004ba90b0200000003000000e0c9ea79f9bace118c8200aa004ba90b', 'hex'),
          words(LIVE.length * 2 + 14, 0),
          Buffer.from(`file://${LIVE}`, 'utf16le'),
        ]),
      ]),
    ],
  },
};
const RECORDS: Readonly<Record<string, number>> = {
  ObProj: 0x00d3,
  DConn: 0x0876,
  QSI: 0x01ad,
  DBQueryExt: 0x0803,
  WebPub: 0x0801,
  Template: 0x0060,
  Pls: 0x004d,
};

const xlsRecord: Generator = (line) => {
  const id = RECORDS[line];
  if (id === undefined) return written({ plain: xls(XLS[line] ?? XLS_TRICKS[line] ?? {}) });
  const found: XlsRecord = [id, Buffer.concat([words(0, LIVE.length, 0), live])];
  return written({
    'in the workbook': xls({ globals: [found] }),
    'in a sheet': xls({ sheets: [sheet(found)] }),
    'wide text': xls({ globals: [[id, Buffer.from(LIVE, 'utf16le')]] }),
  });
};

const docField: Generator = (line, format) => {
  if (format !== 'doc') return [];
  const field = (code: string) => buildDoc({ text: `${KEEP} invoice {${code}|${KEEP} result}` });
  return written({
    plain: field(` ${line} ${LIVE} "${LIVE_URL}" `),
    'odd casing': field(`${line.toLowerCase()}\t${LIVE}`),
    nested: buildDoc({ text: `${KEEP} invoice { IF 1 = 1 "{${line} ${LIVE}|x}"|y}` }),
    header: buildDoc({ text: `${KEEP} invoice`, header: `{ ${line} ${LIVE} |x}` }),
    'without a table': buildDoc({ text: `${KEEP} invoice { ${line} ${LIVE} |x}`, fields: null }),
  });
};

const [TEMPLATE_PAIR, COMMANDS_PAIR] = [32, 24];
const docStructure: Generator = (line) => {
  const strings = Buffer.concat([words(0xffff, 1, 0, LIVE.length), Buffer.from(LIVE, 'utf16le')]);
  const pair = line === 'Cmds' ? COMMANDS_PAIR : TEMPLATE_PAIR;
  return written({
    plain: buildDoc({ text: `${KEEP} invoice`, pairs: { [pair]: strings } }),
    'narrow text': buildDoc({ text: `${KEEP} invoice`, pairs: { [pair]: live } }),
  });
};

function interaction(action: number): Buffer {
  const body = Buffer.alloc(16);
  body.writeUInt32LE(1, 4);
  body[8] = action;
  return container(0x0ff2, [atom(0x0ff3, body), text(LIVE, 2)]);
}
const external = (type: number, ...children: readonly Uint8Array[]): Buffer =>
  container(0x0409, [atom(0x040a, Buffer.alloc(4)), container(type, children)]);
const pptSlide = (...records: readonly Uint8Array[]) => ({ slides: [slide(`${KEEP} invoice`, ...records)] });
const PPT: Readonly<Record<string, Parameters<typeof buildPpt>[0]>> = {
  ExOleObjStg: {
    ...pptSlide(),
    document: [atom(0x1011, live), external(0x0fcc, atom(0x0fc3, Buffer.alloc(24)), text(LIVE, 1))],
  },
  VBAInfo: {
    ...pptSlide(),
    document: [container(0x03ff, [atom(0x0400, Buffer.concat([words(1, 0, 1, 0, 2, 0), live]))])],
  },
  'macro-action': pptSlide(interaction(1)),
  'program-action': pptSlide(interaction(2)),
  'ole-action': pptSlide(interaction(5)),
  'file-action': pptSlide(interaction(6)),
  ExHyperlink: {
    ...pptSlide(),
    document: [external(0x0fd7, atom(0x0fd3, Buffer.alloc(4)), text(`file://${LIVE}/x`, 1), text(LIVE, 3))],
  },
  ExControl: { ...pptSlide(), document: [external(0x0fee, atom(0x0ffb, Buffer.alloc(4)), text(LIVE, 1))] },
};

/** A link to an address, for the samples of schemes. */
export function legacyLink(address: string, format: Format): Uint8Array {
  if (format === 'doc')
    return buildDoc({ text: `${KEEP} invoice { HYPERLINK "${address}" |${KEEP} shown}`, fieldType: 0x58 });
  if (format === 'ppt')
    return buildPpt({ ...pptSlide(), document: [external(0x0fd7, atom(0x0fd3, Buffer.alloc(4)), text(address, 1))] });
  const target = Buffer.from(`${address}\0`, 'utf16le');
  const size = Buffer.alloc(4);
  size.writeUInt32LE(target.length);
  const head = Buffer.from('d0c9ea79f9bace118c8200aa004ba90b0200000003000000e0c9ea79f9bace118c8200aa004ba90b', 'hex');
  return xls({ sheets: [sheet([0x01b8, Buffer.concat([words(0, 0, 0, 0), head, size, target])])] });
}

/** [MS-OLEPS]: one property set with one string. */
function propertySet(id: number): Buffer {
  const value = Buffer.from(`${LIVE}\0`);
  const body = Buffer.concat([
    Buffer.from([0, 0, 0, 0, 1, 0, 0, 0, id, 0, 0, 0, 16, 0, 0, 0, 0x1e, 0, 0, 0, value.length, 0, 0, 0]),
    value,
  ]);
  body.writeUInt32LE(body.length, 0);
  const head = Buffer.concat([
    Buffer.from('feff0000060002000000000000000000000000000000000001000000', 'hex'),
    Buffer.from('e0859ff2f94f6810ab9108002b27b3d930000000', 'hex'),
  ]);
  return Buffer.concat([head, body]);
}

const people: Generator = (line, format) =>
  written({
    plain: legacy(
      format,
      line === 'author'
        ? { '\x05SummaryInformation': propertySet(4) }
        : { '\x05DocumentSummaryInformation': propertySet(15) },
    ),
  });

/** An Outlook message of streams by their paths. */
export function outlookMessage(streams: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  return compoundFile(
    Object.fromEntries(
      Object.entries(streams).map(([path, content]) => [
        path,
        typeof content === 'string' ? Buffer.from(content, 'utf16le') : content,
      ]),
    ),
  );
}

export const legacySamples: Readonly<Record<string, Generator>> = {
  'legacy/stream': stream,
  'legacy/root-class': rootClass,
  'xls/record': xlsRecord,
  'xls/function': xlsFunction,
  'sheet/function': (line, format) => xlsFunction(line === 'dde' || line.includes('-') ? 'CALL' : line, format),
  'word/field': docField,
  'doc/structure': docStructure,
  'ppt/record': (line) => written({ plain: buildPpt(PPT[line] ?? {}) }),
  people,
};
