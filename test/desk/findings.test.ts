/** Findings on the page of a mail: in the language of the reader, with the techniques that they are signs of by name. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KNOWN_TEXTS, knownFinding } from '../../lib/desk/findings/known-findings.ts';
import { signedIn } from '../../lib/desk/findings/signed-text.tsx';
import { mailFile } from '../../lib/desk/mail/file.ts';
import { techniqueText } from '../../lib/service/server/views/technique-names.ts';
import { createRig, emailWith, PDF } from '../pipeline/rig.ts';

const RULES = 'lib/engines/static/yara/rules';
const PIPELINE = 'lib/pipeline';

describe('every finding of the engines', () => {
  test.each(KNOWN_TEXTS)('is said in German: %s', (text) => {
    const german = signedIn('de', `${text} (VBA/Module1 (2))`) ?? '';
    expect(german).toMatch(/^.+: .+[.)] \(VBA\/Module1 \(2\)\)$/s);
    expect(german.split(': ')[1]).not.toBe(text.split(': ')[1]);
    expect(signedIn('en', text)).toBe(text);
  });

  test('has techniques whose names are known', () => {
    const ids = [...new Set(KNOWN_TEXTS.flatMap((text) => knownFinding(text)?.techniques ?? []))];
    expect(ids.length).toBeGreaterThan(50);
    expect(ids.filter((id) => techniqueText(id) === id)).toEqual([]);
    expect(techniqueText('T9999')).toBe('T9999');
  });
});

test('every YARA rule is known with its techniques', () => {
  const rules = readdirSync(RULES)
    .flatMap((name) => readFileSync(join(RULES, name), 'utf8').split(/^rule /m))
    .map((rule) => (name: string) => new RegExp(`\\b${name} = "([^"]+)"`).exec(rule)?.[1] ?? '')
    .filter((meta) => meta('id') !== '');
  expect(rules.length).toBeGreaterThan(30);
  for (const meta of rules) {
    const known = knownFinding(`${meta('name')}: ${meta('description')}`);
    const named = meta('technique')
      .split(', ')
      .filter((id) => id !== '');
    expect([meta('id'), known?.techniques]).toEqual([meta('id'), expect.arrayContaining(named)]);
  }
});

test('every whole sentence that the flow signs about a file is said in German', () => {
  const sources = readdirSync(PIPELINE, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(PIPELINE, name), 'utf8'));
  const said = sources.flatMap((source) => [...source.matchAll(/reasons(?:\.push\(|: \[)\s*'([^']+)'/g)]);
  const sentences = [...new Set(said.map(([, sentence = '']) => sentence))];
  expect(sentences.length).toBeGreaterThan(5);
  expect(sentences.filter((sentence) => signedIn('de', sentence) === null)).toEqual([]);
});

const MACRO = 'VBA macros: The document carries program code that Office can run. (VBA/Module1)';

/** The page of a mail with a document in which these things were found. */
async function pageWith(language: 'en' | 'de', reasons: readonly string[]): Promise<string> {
  const answer = (request: object) =>
    'filename' in request && String(request.filename).endsWith('.pdf')
      ? { verdict: 'malicious' as const, reasons }
      : {};
  const rig = createRig({ script: { polls: 0, answer } });
  const { runId } = await rig.scan(emailWith({ files: [{ name: 'a.pdf', bytes: PDF }] }), 'a.eml');
  return mailFile(await rig.ledger(runId), null, language);
}

test('a page names the techniques, and its German one says the finding in German', async () => {
  const english = await pageWith('en', [MACRO]);
  expect(english).toContain(MACRO);
  expect(english).toContain('ATT&amp;CK: T1059.005 Visual Basic, T1204.002 Malicious File');
  const german = await pageWith('de', [MACRO]);
  expect(german).toContain('VBA-Makros: Das Dokument enthält Programmcode, den Office ausführen kann. (VBA/Module1)<');
  expect(german).toContain(`<span title="${MACRO}">`);
  expect(german).toContain('T1059.005 Visual Basic');
});

test('a finding of another service stays as it was signed, and is said to be English', async () => {
  const german = await pageWith('de', ['Strange <b>thing</b>: it is odd']);
  expect(german).toContain('<span lang="en">Strange &lt;b&gt;thing&lt;/b&gt;: it is odd</span>');
});

test('the place of a finding cannot leave its attribute', async () => {
  const german = await pageWith('de', [`${MACRO.replace('(VBA/Module1)', '("><img src=x onerror=alert(1)>)')}`]);
  expect(german).not.toContain('<img');
  expect(german).toContain('&quot;&gt;&lt;img');
});

test.each([
  ['removed: macro, script', 'entfernt: macro, script'],
  ['policy removes executable that is unknown', 'die Regeln entfernen Programme mit dem Urteil „unbekannt“'],
  ['static analysis: level suspicious with score 60', 'die statische Analyse sagt: verdächtig, 60 von 100'],
  [
    'disarm cannot look inside: it is encrypted (x)',
    'das Entschärfen kann nicht hineinsehen: Sie ist verschlüsselt (x)',
  ],
  ['policy removes <b> that is odd', null],
])('%s', (signed, german) => {
  expect(signedIn('de', signed)).toBe(german);
});

test.each([
  ['en', '<h1>It was delivered.</h1><p>1 file was withheld.</p>'],
  ['de', '<h1>Sie wurde zugestellt.</h1><p>1 Datei wurde zurückgehalten.</p>'],
] as const)('in %s, a mail that was delivered says at its beginning what was changed', async (language, said) => {
  const rig = createRig({ script: { polls: 0 } });
  const { runId } = await rig.scan(emailWith({ files: [{ name: 'a.bin', bytes: 'x' }] }), 'a.eml');
  expect(mailFile(await rig.ledger(runId), null, language)).toContain(said);
});

test('an empty file says of what kind it would be', async () => {
  const rig = createRig({ script: { polls: 0 } });
  const { runId } = await rig.scan(emailWith({ files: [{ name: 'a.exe', bytes: '' }] }), 'a.eml');
  const ledger = await rig.ledger(runId);
  const said = 'it is empty, but its name or its header says that it is a program';
  expect(mailFile(ledger, null, 'en')).toContain(said);
  expect(mailFile(ledger, null, 'de')).toContain(
    'sie ist leer, ist aber ihrem Namen oder ihrem Kopf nach ein Programm',
  );
});
