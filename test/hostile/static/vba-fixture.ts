/** VBA projects with both forms of their macros. The compiled form has only the parts that can be recognised in it. Nothing of it runs. */
import { compoundFile, vbaCompress, wordDocument } from '../../engines/office-fixture.ts';

export interface ProjectFixture {
  /** What is shown, without attributes. */
  readonly source: string;
  /** Texts of the compiled form. */
  readonly texts?: readonly string[];
  /** Names in the table of the project. */
  readonly names?: readonly string[];
  /** Bytes of compiled code between the texts. @default 900 */
  readonly codeBytes?: number;
  /** Number of the instruction for a text: 0xb9 in 64 bits, 0xb6 in 32 bits, 0xae in Office 97. @default 0xb9 */
  readonly instruction?: number;
}

/** The project as a compound file. */
export function projectOf(fixture: ProjectFixture): Buffer {
  const cache = compiled(fixture);
  const source = vbaCompress(`Attribute VB_Name = "Module1"\r\n${fixture.source}`);
  return compoundFile({
    'VBA/dir': vbaCompress(directory(cache.length)),
    'VBA/Module1': Buffer.concat([cache, source]),
    'VBA/_VBA_PROJECT': nameTable(['Word', 'VBA', 'Win32', 'Project', 'stdole', 'Module1', ...(fixture.names ?? [])]),
  });
}

/** A Word document with the project. */
export function documentOf(fixture: ProjectFixture): Buffer {
  return wordDocument({ parts: { 'word/vbaProject.bin': projectOf(fixture) } });
}

/** Names of streams and where the source starts in them ([MS-OVBA] 2.3.4.2). */
function directory(offset: number): string {
  const record = (id: number, data: Buffer) => {
    const head = Buffer.alloc(6);
    head.writeUInt16LE(id, 0);
    head.writeUInt32LE(data.length, 2);
    return Buffer.concat([head, data]);
  };
  const place = Buffer.alloc(4);
  place.writeUInt32LE(offset);
  return Buffer.concat([record(0x1a, Buffer.from('Module1')), record(0x31, place)]).toString('latin1');
}

/** Tables, then lines of instructions: loads and calls of names by number, and texts. */
function compiled({ texts = [], codeBytes = 900, instruction = 0xb9 }: ProjectFixture): Buffer {
  const line = (text: string) => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(instruction, 0);
    head.writeUInt16LE(text.length, 2);
    return Buffer.concat([
      head,
      Buffer.from(text),
      Buffer.alloc(text.length % 2),
      Buffer.from('2000240241400200', 'hex'),
    ]);
  };
  return Buffer.concat([Buffer.from('0116030000f00000', 'hex'), Buffer.alloc(codeBytes, 0x20), ...texts.map(line)]);
}

/** Entries of length, type, letters, and a checksum with a number; every third has six bytes more, as names of other libraries do. */
function nameTable(names: readonly string[]): Buffer {
  const entries = names.map((name, index) => {
    const hasMore = index % 3 === 2;
    const head = Buffer.from([name.length, hasMore ? 0x80 : 0x00]);
    const more = hasMore ? Buffer.from('ffff01010000', 'hex') : Buffer.alloc(0);
    return Buffer.concat([head, more, Buffer.from(name), Buffer.from([0x41 + (index % 20), 0x42, 0xff, 0xff])]);
  });
  return Buffer.concat([Buffer.from('cc61b2000001ff09040000', 'hex'), Buffer.alloc(200), ...entries]);
}
