import { describe, expect, test } from 'vitest';
import { checkConservation } from '../../lib/pipeline/ledger/conservation.ts';
import { parsePolicy } from '../../lib/pipeline/policy/policy.ts';
import { zipOf } from '../engines/zip-fixture.ts';
import { type Answer, createRig, emailWith } from './rig.ts';

const PROGRAM = 'MZ the program that must go';
const NOTE = { 'REMOVED FILES.txt': 'tool.exe was left out' };
const ARCHIVE = zipOf({ 'letter.txt': 'Dear Ana', 'tool.exe': PROGRAM });

interface Case {
  readonly archive?: Uint8Array;
  readonly disarmed: Uint8Array;
  readonly policy?: object;
  readonly linkIs?: 'suspicious';
  readonly isBare?: boolean;
}

/** Sends an archive through the flow; the disarm gives back `disarmed`, whatever it was asked. */
async function deliver({ archive = ARCHIVE, disarmed, policy = {}, linkIs, isBare = false }: Case) {
  const answer = ({ kind }: { kind: string }): Answer => {
    if (kind === 'cdr') return { disarmed };
    return kind === 'url_analysis' && linkIs ? { verdict: linkIs } : {};
  };
  const rig = createRig({ policy: parsePolicy(JSON.stringify(policy)), script: { answer } });
  const { ledger, clean } = isBare
    ? await rig.scan(archive, 'a.zip')
    : await rig.scan(emailWith({ files: [{ name: 'a.zip', bytes: archive }] }));
  expect(checkConservation(ledger, true)).toEqual([]);
  const dispositions = Object.fromEntries(ledger.parts.map(({ path, disposition }) => [path, disposition]));
  const container = ledger.artifacts.find(({ opening }) => opening !== null);
  return { ledger, clean: String(clean), dispositions, why: container?.reasons.join('; ') ?? '' };
}

const WENT_AS_A_WHOLE = { '1.2': 'remove', '1.2!1': 'remove', '1.2!2': 'remove' };

describe('an archive of which one file must go', () => {
  test('is delivered without it, and the ledger says what became of each file', async () => {
    const disarmed = zipOf({ 'letter.txt': 'Dear Ana', ...NOTE });
    const { ledger, clean, dispositions } = await deliver({ disarmed });
    expect(ledger.disposition).toBe('deliver');
    expect(dispositions).toMatchObject({ '1.2': 'disarm', '1.2!1': 'disarm', '1.2!2': 'remove' });
    expect(clean).toContain(disarmed.toString('base64').slice(0, 60));
  });

  test('goes as a whole when policy says so', async () => {
    const disarmed = zipOf({ 'letter.txt': 'Dear Ana', ...NOTE });
    const { dispositions, why } = await deliver({
      disarmed,
      policy: { containers: { badMember: 'remove_container' } },
    });
    expect(dispositions).toMatchObject(WENT_AS_A_WHOLE);
    expect(why).toContain('policy does not allow everything that is in it');
  });

  test('keeps what is written anew in another archive in it', async () => {
    const inner = (members: Record<string, string>) => ({ 'in.zip': { content: zipOf(members) } });
    const archive = zipOf(inner({ 'letter.txt': 'Dear Ana', 'tool.exe': PROGRAM }));
    const { dispositions } = await deliver({ archive, disarmed: zipOf(inner({ 'letter.txt': 'Dear Ana', ...NOTE })) });
    expect(dispositions).toMatchObject({
      '1.2': 'disarm',
      '1.2!1': 'disarm',
      '1.2!1!1': 'disarm',
      '1.2!1!2': 'remove',
    });
    const still = await deliver({ archive, disarmed: zipOf(inner({ 'letter.txt': 'Dear Ana', 'b.exe': 'MZ b' })) });
    expect(still.dispositions).toMatchObject({ '1.2': 'remove', '1.2!1': 'remove', '1.2!1!1': 'remove' });
  });

  test('does not go for a link in the file that goes, and goes for one in a file that stays', async () => {
    const link = 'echo https://bad.example/x';
    const script = zipOf({ 'letter.txt': 'Dear Ana', 'run.sh': `#!/bin/sh\n${link}\n` });
    const disarmed = zipOf({ 'letter.txt': 'Dear Ana', ...NOTE });
    const gone = await deliver({ archive: script, disarmed, linkIs: 'suspicious' });
    expect(gone.ledger.urls).toHaveLength(1);
    expect(gone.dispositions).toMatchObject({ '1.2': 'disarm', '1.2!2': 'remove' });
    const text = zipOf({ 'letter.txt': `Dear Ana ${link}`, 'tool.exe': PROGRAM });
    const stays = await deliver({ archive: text, disarmed, linkIs: 'suspicious' });
    expect(stays.dispositions).toMatchObject({ '1.2': 'remove' });
  });
});

const LINK = { content: '/etc/passwd', unixMode: 0o120777 };
const SAME_NAME = { 'letter.txt': 'Dear Ana', 'LETTER.TXT': 'Dear Ana' };

describe('the disarm lies, and rebuild notices: the archive goes as a whole', () => {
  test.each<[string, Buffer, string]>([
    ['the file is still in it', zipOf({ 'letter.txt': 'Dear Ana', 'tool.exe': PROGRAM, 'b.txt': 'b' }), 'still in it'],
    ['it is in it under another name', zipOf({ 'letter.txt': 'Dear Ana', 'tool.pdf': PROGRAM }), 'still in it'],
    ['another file of its kind is in it', zipOf({ 'letter.txt': 'Dear Ana', 'b.exe': 'MZ b' }), 'could be one'],
    ['a file is in it whose name acts', zipOf({ 'letter.txt': 'Dear Ana', 'b.lnk': 'b' }), 'of no kind that may stay'],
    ['a page is in it', zipOf({ 'letter.txt': 'Dear Ana', 'b.html': '<html><p>b' }), 'of no kind that may stay'],
    ['it is locked', zipOf({ 'b.txt': { content: 'b', encrypted: true } }), 'cannot be opened again'],
    ['a link is in it', zipOf({ 'letter.txt': 'Dear Ana', 'b.txt': LINK }), 'cannot be opened again'],
    ['two names differ only in case', zipOf(SAME_NAME), 'cannot be opened again'],
    ['a local header has another name', zipOf({ 'b.txt': { content: 'b', localName: 'b.exe' } }), 'cannot be opened'],
    ['bytes lie before it', Buffer.concat([zipOf({ 'x.exe': PROGRAM }), zipOf(NOTE)]), 'cannot be opened again'],
    ['it is a bomb', zipOf({ 'b.txt': '0'.repeat(12 * 1024 * 1024) }), 'cannot be opened again'],
  ])('%s', async (_case, disarmed, reason) => {
    const { ledger, clean, dispositions, why } = await deliver({ disarmed });
    expect(ledger.disposition).toBe('deliver');
    expect(dispositions).toMatchObject(WENT_AS_A_WHOLE);
    expect(why).toContain(reason);
    expect(clean).not.toContain(disarmed.toString('base64').slice(0, 60));
  });

  test('a bare archive is held, because nothing of it is left', async () => {
    const { ledger } = await deliver({ disarmed: zipOf({ 'b.exe': 'MZ b' }), isBare: true });
    expect(ledger.terminal?.state).toBe('quarantined');
  });
});
