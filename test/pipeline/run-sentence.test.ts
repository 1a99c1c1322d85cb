/** The first sentence about a run names files as people know them, and nothing in it acts. */
import { expect, test } from 'vitest';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { sentenceOf } from '../../lib/pipeline/runs/run-sentence.ts';
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
  expect(await sentence('invoice.pdf')).toMatch(
    /^Held, because: invoice\.pdf: it starts a program; policy removes .+\.$/,
  );
});

test('has the first of many findings, whole, and says that there are more', async () => {
  const long = ['It hides what it does.', `It starts ${'a program of a long name, '.repeat(7)}.`, 'It loads code.'];
  expect(await sentence('invoice.pdf', 'Hello', long)).toBe(
    'Held, because: invoice.pdf: It hides what it does, and more.',
  );
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
