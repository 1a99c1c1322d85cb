/** The first sentence about a run names files as people know them, and nothing in it acts. */
import { expect, test } from 'vitest';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { sentenceOf } from '../../lib/pipeline/runs/sentence.ts';
import { createRig, emailWith, PDF } from './rig.ts';

async function sentence(name: string, text = 'Hello', reasons: readonly string[] = ['it starts a program']) {
  const policy = parsePolicy('{"message":{"quarantineVerdicts":["malicious"]}}');
  const isMeant = (kind: string, about: string) => kind === 'url_analysis' || about.endsWith('.pdf');
  const rig = createRig({
    policy,
    script: {
      answer: (request) =>
        isMeant(request.kind, 'filename' in request ? request.filename : '') ? { verdict: 'malicious', reasons } : {},
    },
  });
  return sentenceOf((await rig.scan(emailWith({ text, files: [{ name, bytes: PDF }] }))).ledger);
}

test('names the file instead of its hash', async () => {
  expect(await sentence('invoice.pdf')).toMatch(/^Held because of invoice\.pdf: it starts a program\.$/);
});

test('has the first of many findings, whole, and says that there are more', async () => {
  const long = ['It hides what it does.', `It starts ${'a program of a long name, '.repeat(7)}.`, 'It loads code.'];
  expect(await sentence('invoice.pdf', 'Hello', long)).toBe(
    'Held because of invoice.pdf: It hides what it does, and more.',
  );
});

test.each([
  [['Program: The file is a program.'], 'The file is a program'],
  [['Runs by itself: The code runs at once. (VBA/Module1)', 'VBA macros: It has code.'], 'Runs by itself, and more'],
  [['Trojan: emotet was found'], 'Trojan: emotet was found'],
])('of %j it has the name of the finding, and leaves the rest to the page', async (reasons, said) => {
  expect(await sentence('invoice.pdf', 'Hello', reasons)).toBe(`Held because of invoice.pdf: ${said}.`);
});

test('of a file that came without a mail it has the name, too', async () => {
  const policy = parsePolicy('{}');
  const rig = createRig({
    policy,
    script: { answer: () => ({ verdict: 'malicious', reasons: ['it starts a program'] }) },
  });
  const { ledger } = await rig.scan(PDF);
  expect(ledger.kind).toBe('file');
  expect(sentenceOf(ledger)).toMatch(/^Held because of .+: it starts a program\.$/);
});

test('names a link by its address, which is no link any more', async () => {
  const said = await sentence('x.pdf', 'see http://evil.example/a');
  expect(said).toContain('evil[.]example');
  expect(said).not.toContain('http://evil.example');
});

test.each(['\u202efdp.exe', `${'x'.repeat(5_000)}.pdf`, '\u001b[31mred.pdf', 'file 0123456789abcdef in part 1.pdf'])(
  'of a hostile name %j is one short line',
  async (name) => {
    const said = await sentence(name);
    expect(said.length).toBeLessThan(1_200);
    expect(said).not.toMatch(/[\p{Cc}\u202e]/u);
  },
);
