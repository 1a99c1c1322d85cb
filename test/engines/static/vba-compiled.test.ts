/** The compiled code of macros, which is what runs: it is read in the form of each version of Office, and judged as source is. */
import { describe, expect, test } from 'vitest';
import { readModuleCode } from '../../../lib/engines/static/office/pcode/module-code.ts';
import { readProjectNames } from '../../../lib/engines/static/office/pcode/project-names.ts';
import {
  ARGS_CALL,
  ARGS_LD,
  ARGS_MEM_CALL,
  CONCAT,
  type Code,
  compiledDocument,
  LD,
  LIT_DI2,
  LIT_STR,
  OFFICES,
  SET,
  SET_STMT,
  ST,
} from '../../hostile/static/compiled-fixture.ts';
import { reportOn } from './analyse.ts';

const DROPPER: readonly (readonly Code[])[] = [
  [
    [SET_STMT],
    [LIT_STR, { text: 'WScr' }],
    [LIT_STR, { text: 'ipt.Shell' }],
    [CONCAT],
    [ARGS_LD, 'CreateObject', 1],
    [SET, 'sh'],
  ],
  [
    [LIT_STR, { text: 'cmd /c echo inert' }],
    [ST, 'line'],
  ],
  [
    [LD, 'line'],
    [LIT_DI2, 0],
    [LD, 'sh'],
    [ARGS_MEM_CALL, 'Run', 2],
  ],
];
const AS_SOURCE = [
  'Sub AutoOpen()',
  'Set sh = CreateObject("WScr" & "ipt.Shell")',
  'line = "cmd /c echo inert"',
  'sh.Run line, 0',
  'End Sub',
].join('\n');
const HARMLESS = 'Sub Report()\r\nMsgBox "Total"\r\nEnd Sub\r\n';

const ids = ({ findings }: { readonly findings: readonly { readonly id: string }[] }) => findings.map(({ id }) => id);

describe.each(Object.entries(OFFICES))('%s', (_, office) => {
  test('source that was emptied: the code that runs is shown and judged', async () => {
    const report = await reportOn(compiledDocument(office, '', 'AutoOpen', DROPPER), 'a.docm');
    expect(ids(report)).toEqual(
      expect.arrayContaining(['vba-stomped', 'code-executes', 'code-auto-run', 'macro-acts-by-itself']),
    );
    const stomped = report.findings.find(({ id }) => id === 'vba-stomped');
    expect(stomped).toMatchObject({ evidence: AS_SOURCE, techniques: ['T1564.007'] });
  });

  test('source that was replaced by a harmless one', async () => {
    const report = await reportOn(compiledDocument(office, HARMLESS, 'AutoOpen', DROPPER), 'a.docm');
    expect(ids(report)).toEqual(expect.arrayContaining(['vba-source-replaced', 'macro-acts-by-itself']));
    expect(report.level).toBe('malicious');
  });

  test('source of other words, without a command', async () => {
    const lines: Code[][] = [
      [
        [LIT_STR, { text: 'first' }],
        [LIT_STR, { text: 'second' }],
        [ARGS_CALL, 'Unknown', 2],
      ],
    ];
    const report = await reportOn(compiledDocument(office, HARMLESS, 'Other', lines), 'a.docm');
    expect(ids(report)).toContain('vba-source-differs');
    expect(report.level).toBe('suspicious');
  });

  test('source of which the code was made raises no alarm', async () => {
    const report = await reportOn(
      compiledDocument(office, HARMLESS, 'Report', [
        [
          [LIT_STR, { text: 'Total' }],
          [ARGS_CALL, 'MsgBox', 1],
        ],
      ]),
      'a.docm',
    );
    expect(ids(report).filter((id) => id.startsWith('vba'))).toEqual([]);
  });
});

test('a project that lies about its bits is read in the form that fits', async () => {
  const office = { number: 0xd7, is64: true, claims64: false };
  const lying = compiledDocument(office, '', 'AutoOpen', DROPPER);
  expect(ids(await reportOn(lying, 'a.docm'))).toContain('macro-acts-by-itself');
});

describe('bytes that lie', () => {
  const bytes = Buffer.alloc(4_096, 0xff);

  test('are no table of names and no code', () => {
    expect(readProjectNames(bytes)).toBeNull();
    expect(readProjectNames(Buffer.from('cc61d700', 'hex'))).toBeNull();
    expect(readModuleCode(bytes, [], { version: 7, is64: true })).toBeNull();
    expect(readModuleCode(Buffer.alloc(0), [], { version: 5, is64: false })).toBeNull();
  });

  test('of a line that is referred to by all lines end at a limit', () => {
    const head = Buffer.alloc(0x40);
    const count = 65_535;
    const table = Buffer.alloc(count * 12 + 10);
    for (let line = 0; line < count; line++) table.writeUInt16LE(4_000, line * 12 + 4);
    const cache = Buffer.concat([
      head,
      Buffer.from('feca', 'hex'),
      Buffer.alloc(2),
      Buffer.from('ffff', 'hex'),
      table,
      Buffer.alloc(4_000),
    ]);
    cache.writeUInt32LE(0x40 - 0x3c, 0x19);
    const code = readModuleCode(cache, [], { version: 6, is64: false });
    expect(code?.isWhole).toBe(false);
    expect(code?.lines.length).toBeLessThan(200);
  });
});
