/** A file written into a text in an encoding from before MIME, spelt as only some old program expects it. */
import PostalMime from 'postal-mime';
import type { Case } from '../mime/grammar-score.ts';
import { armorsOf, blocksOf, digitsOf, ORDINARY_TEXTS, SETTINGS } from '../mime/written-files.ts';
import { mailAttack } from './attack-class.ts';

const HEAD =
  'Received: from a.example.com\r\nFrom: a@example.com\r\nTo: b@example.org\r\nSubject: t\r\nMIME-Version: 1.0\r\n';
const PAYLOAD = Buffer.from(`MZ\x90\0a program that is none. ${'It repeats itself. '.repeat(9)}`, 'latin1');
/** The same with the field by which programs for Windows are known. */
const PROGRAM = Buffer.from(PAYLOAD);
PROGRAM.writeUInt32LE(0x80, 60);

const ARMOR = 'OpenPGP, ';
const armors = Object.entries(armorsOf(PAYLOAD)).map(([name, lines]) => [`${ARMOR}${name}`, lines] as const);

function* cases(): Iterable<Case> {
  // Its lines end in colons of their own, and nobody takes them out of paragraphs or from behind names.
  const blocks = { ...blocksOf(PAYLOAD), ...digitsOf(PROGRAM) };
  for (const [block, lines] of [...Object.entries(blocks), ...armors])
    for (const [setting, { type, set }] of Object.entries(SETTINGS))
      if (!block.startsWith('BinHex') || !/name|paragraphs|lines of|soft/.test(setting))
        yield {
          id: `${block}, ${setting}`,
          email: Buffer.from(
            `${HEAD}Content-Type: ${type}\r\n\r\n${set(['see below', '', ...lines, '', 'bye']).join('\r\n')}\r\n`,
            'latin1',
          ),
        };
}

export const oldEncodings = mailAttack<Case>({
  name: 'old-encodings',
  title: 'a file in uuencode, xxencode, yEnc, BinHex, PEM, OpenPGP armor or bare digits in the text of a mail',
  cases,
  // A text that is delivered has no file in it for whoever decodes it: every one of these texts has.
  async judge({ id }, { message }) {
    if (!id.startsWith(ARMOR)) return 'the text was delivered with the file in it';
    const { text = '', html = '' } = await PostalMime.parse(message);
    return /begin pgp (?:message|signature|p\w+ key)/i.test(text + html)
      ? 'the armor was delivered with the file in it'
      : null;
  },
  judgeOrdinary: (_, { ledger }) =>
    ledger?.parts.some(({ disposition }) => disposition === 'remove') ? 'the text was removed' : null,
  *ordinary() {
    for (const [at, text] of ORDINARY_TEXTS.entries())
      yield {
        id: `ordinary text ${at + 1}`,
        email: Buffer.from(`${HEAD}Content-Type: text/plain\r\n\r\n${text.replaceAll('\n', '\r\n')}\r\n`, 'latin1'),
      };
  },
});
