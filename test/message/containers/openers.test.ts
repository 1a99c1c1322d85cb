import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OPENING_OUTCOMES } from '../../../lib/formats/archives/unpacking.ts';
import { roundsOf } from '../../hostile/share.ts';
import { openAs } from './containers.ts';
import { literalRtf, mapiProperties, msgOf, tnefOf } from './outlook.ts';

const RUNS = { numRuns: roundsOf(150) };
const junk = fc.uint8Array({ maxLength: 600 });

/** Bytes that begin as each kind does, so that its opener is the one that reads the junk behind. */
const BEGINNINGS: readonly (readonly [string, Uint8Array | string])[] = [
  ['tnef', Buffer.from('789f3e220100', 'hex')],
  ['outlook-message', msgOf({ body: 'x' }).subarray(0, 512)],
  ['smime', Buffer.from('308006092a864886f70d010702a080', 'hex')],
  ['encoded-block', 'begin-base64 644 x\n'],
  ['pgp', '-----BEGIN PGP MESSAGE-----\n\nabcdefghij\n-----END PGP MESSAGE-----\n'],
  [
    'email',
    'From: a@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n',
  ],
  ['zip', 'PK\x03\x04'],
];
const CLAIMS = { detectedType: 'application/vnd.ms-outlook', untrustedNames: ['a.p7m', 'a.eml', 'a.msg', 'a.gpg'] };

describe('whatever the bytes, an opening ends in the closed set of outcomes', () => {
  test.each(BEGINNINGS)('bytes that begin as %s', async (_, beginning) => {
    await fc.assert(
      fc.asyncProperty(junk, async (rest) => {
        const bytes = Buffer.concat([Buffer.from(beginning as string, 'latin1'), rest]);
        const { outcome, members } = await openAs(bytes, CLAIMS);
        expect(OPENING_OUTCOMES).toContain(outcome);
        expect(members.every((member) => member.bytes instanceof Uint8Array)).toBe(true);
      }),
      RUNS,
    );
  });

  const SAMPLES: readonly (readonly [string, Buffer])[] = [
    [
      'a message of Outlook',
      msgOf({ body: 'x', rtf: literalRtf('{\\rtf1}'), files: { a: 'y' }, messages: [{ body: 'z' }] }),
    ],
    [
      'a TNEF stream',
      tnefOf(
        [1, 0x9003, mapiProperties([0x1009, 0x102, literalRtf('{\\rtf1 hello}')])],
        [2, 0x9002, ''],
        [2, 0x800f, 'x'],
      ),
    ],
  ];

  test.each(SAMPLES)('%s with bytes changed', async (_, sample) => {
    const change = fc.array(fc.tuple(fc.nat(sample.length - 1), fc.nat(255)), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(change, async (changes) => {
        const bytes = Buffer.from(sample);
        for (const [at, value] of changes) bytes[at] = value;
        expect(OPENING_OUTCOMES).toContain((await openAs(bytes, CLAIMS)).outcome);
      }),
      RUNS,
    );
  });
});
