import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_LIMITS, EngineError } from '../../../lib/engines/engine.ts';
import type { ModuleResult } from '../../../lib/engines/static/findings/module.ts';
import { STATIC_MODULES } from '../../../lib/engines/static/modules.ts';
import { judgeBinaryWorkbook } from '../../../lib/engines/static/office/binary-workbook.ts';
import { namesInProject, textsInCache } from '../../../lib/engines/static/office/vba-cache.ts';
import { decompressVba } from '../../../lib/engines/static/office/vba-compression.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { readFormula, recordsOf, wideString } from '../../../lib/formats/office/biff12-records.ts';
import { roundsOf } from '../../hostile/share.ts';
import { HOSTILE_DOCUMENTS } from '../../hostile/static/documents.ts';
import { bytesOf } from '../../hostile/static/sample.ts';
import { projectOf } from '../../hostile/static/vba-fixture.ts';
import { callToken, formulaCell, nameRecord, record, textToken, wide } from '../../hostile/static/xlsb-fixture.ts';
import { compoundFile, vbaCompress } from '../office-fixture.ts';
import { cabinet, fatVolume, fixedDisk, partitioned } from './image-fixture.ts';
import { mutated } from './mutate.ts';

const limits = { ...DEFAULT_ENGINE_LIMITS, inflatedBytes: 16 * 1024 * 1024 };
const ROUNDS = 40;
/** Where each run starts a program or draws pages. */
const SLOW_ROUNDS = 8;
const SLOW = /disk|cabinet|code for/;

const FILES = [
  ...HOSTILE_DOCUMENTS.map((file) => ({ what: file.technique, name: file.name, bytes: bytesOf(file) })),
  {
    what: 'compound file with macros',
    name: 'a.doc',
    bytes: compoundFile({
      WordDocument: Buffer.alloc(700),
      'Macros/VBA/Module1': vbaCompress('Attribute VB_Name = "a"\r\nSub A()\r\nEnd Sub'),
    }),
  },
  {
    what: 'project of macros',
    name: 'a.bin',
    bytes: projectOf({ source: 'Sub A()\r\nEnd Sub', names: ['Shell'], texts: ['text'] }),
  },
  { what: 'disk in a disk', name: 'a.vhd', bytes: fixedDisk(partitioned(fatVolume({ 'A.TXT': Buffer.from('text') }))) },
  { what: 'cabinet with a text', name: 'a.cab', bytes: cabinet({ 'a.txt': Buffer.from('words '.repeat(60)) }) },
];

/** The bytes that a module keeps for the report, each buffer once. */
function heldBytes({ views, pieces = [] }: ModuleResult): number {
  return [...views, ...pieces].reduce((sum, { bytes }) => sum + bytes.length, 0);
}

describe('a damaged file', () => {
  test.each(FILES.map((file) => [file.what, file] as const))('%s', async (what, { name, bytes }) => {
    // The type is that of the whole file, so that damage reaches the module and not only the detection of types.
    const type = await detectType(bytes, name);
    const module = STATIC_MODULES.find((candidate) => candidate.accepts(type.type));
    if (module === undefined) throw new Error(`no module reads ${type.type}`);
    for (let seed = 1; seed <= roundsOf(SLOW.test(what) ? SLOW_ROUNDS : ROUNDS); seed++) {
      const file = { bytes: mutated(bytes, seed), type, untrustedName: name, limits };
      try {
        const result = await module.run(file);
        expect(heldBytes(result)).toBeLessThanOrEqual(2 * limits.inflatedBytes);
        expect(result.findings.length).toBeLessThan(1_000);
      } catch (error) {
        if (!(error instanceof EngineError)) throw new Error(`seed ${seed}`, { cause: error });
      }
    }
  });
});

describe('readers that promise never to throw', () => {
  const sheet = Buffer.concat([
    record(129),
    record(0, Buffer.alloc(25)),
    formulaCell(textToken('calc.exe'), callToken(110, 1)),
    formulaCell(Buffer.from([0x19, 0x04, 1, 0, 4, 0, 4, 0]), textToken('a'), Buffer.from([0x1e, 1, 0])),
    nameRecord('Auto_Open'),
    record(360, Buffer.concat([Buffer.from([1, 0]), wide('cmd'), wide('/c')])),
    record(130),
  ]);
  const seeds = Array.from({ length: roundsOf(3_000) }, (_, index) => index + 1);

  test('records of a binary workbook end within as many steps as there are bytes', () => {
    for (const seed of seeds) {
      const part = mutated(sheet, seed);
      let count = 0;
      for (const { data } of recordsOf(part)) {
        count++;
        for (const at of [0, 8, 9, 18, -1, data.length]) {
          const { functions, texts } = readFormula(data, at);
          expect(functions.length + texts.join('').length).toBeLessThanOrEqual(data.length);
          expect(wideString(data, at)?.text.length ?? 0).toBeLessThanOrEqual(data.length);
        }
      }
      expect(count).toBeLessThanOrEqual(part.length);
    }
  });

  test('a binary workbook', () => {
    for (const seed of seeds) {
      const parts = new Map([['xl/workbook.bin', mutated(sheet, seed, 64)]]);
      const contentTypes = new Set(['application/vnd.ms-excel.sheet.binary.macroenabled.main']);
      const { findings, views } = judgeBinaryWorkbook({ parts, relationships: [], contentTypes, findings: [] });
      expect(findings.length).toBeLessThan(100);
      expect(views.length).toBeLessThanOrEqual(1);
    }
  });

  test('both forms of macros give only what they hold', () => {
    const line = Buffer.concat([Buffer.from('b9000900', 'hex'), Buffer.from('some text')]);
    const cache = Buffer.concat(Array.from({ length: 30 }, () => line));
    const project = Buffer.concat([
      Buffer.from('cc61b200', 'hex'),
      ...['AutoOpen', 'Shell', 'CreateObject'].map((name) =>
        Buffer.from(`${String.fromCharCode(name.length)}\0${name}ABCD`, 'latin1'),
      ),
    ]);
    const packed = vbaCompress('Attribute VB_Name = "Module1"\r\n'.repeat(8));
    for (const seed of seeds) {
      expect(textsInCache(mutated(cache, seed)).join('').length).toBeLessThanOrEqual(3 * cache.length);
      expect(namesInProject(mutated(project, seed)).length).toBeLessThanOrEqual(12);
      expect((decompressVba(mutated(packed, seed), 9_000) ?? '').length).toBeLessThanOrEqual(9_000);
    }
  });
});
