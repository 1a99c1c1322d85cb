/** The name of a header field, spelt so that one program reads structure from it and another sees a field that nobody knows. */

import { set, without } from '../mime/deviation.ts';
import { type Case, caseOf } from '../mime/grammar-score.ts';
import { MARK, PLACES } from '../mime/mail-tokens.ts';
import { ORDINARY_NAMES } from '../mime/ordinary-lookalikes.ts';
import { leavesThatOthersYield } from '../mime/other-parsers.ts';
import { mailAttack } from './attack-class.ts';

const wide = (text: string) =>
  Buffer.from(text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0))).toString('latin1');

/** A name and the colon behind it. */
const SPELLINGS: Readonly<Record<string, (name: string) => string>> = {
  'a comment behind it': (name) => `${name}(comment):`,
  'a comment in front of it': (name) => `(comment)${name}:`,
  'a comment in it': (name) => `${name.replace('-', '(c)-')}:`,
  'nested comments': (name) => `${name} (a (b) c) :`,
  'an unclosed comment': (name) => `${name} (c:`,
  'a blank behind it': (name) => `${name} :`,
  'tabs behind it': (name) => `${name}\t\t:`,
  'many blanks behind it': (name) => `${name}${' '.repeat(300)}:`,
  'a blank in it': (name) => `${name.replace('-', ' - ')}:`,
  'a blank for a hyphen': (name) => `${name.replaceAll('-', ' ')}:`,
  'an underscore for a hyphen': (name) => `${name.replaceAll('-', '_')}:`,
  'no hyphen': (name) => `${name.replaceAll('-', '')}:`,
  'two hyphens': (name) => `${name.replaceAll('-', '--')}:`,
  'a dash of typographers': (name) => `${name.replaceAll('-', '\xe2\x80\x90')}:`,
  'a NUL behind it': (name) => `${name}\0:`,
  'a NUL and more behind it': (name) => `${name}\0x:`,
  'NULs in it': (name) => `${name.split('').join('\0')}:`,
  'a control character': (name) => `${name}\x01:`,
  'a vertical tab': (name) => `${name}\v:`,
  'a backspace': (name) => `${name}x\b:`,
  'a high byte': (name) => `${name}\xa0:`,
  'a blank of no width': (name) => `${name.replace('-', '-\xe2\x80\x8b')}:`,
  'a byte order mark': (name) => `\xef\xbb\xbf${name}:`,
  'full width letters': (name) => `${wide(name)}:`,
  'a full width colon': (name) => `${name}\xef\xbc\x9a:`,
  'UTF-16': (name) => `${Buffer.from(name, 'utf16le').toString('latin1')}:`,
  'an encoded word': (name) => `=?utf-8?Q?${name}?=:`,
  'an encoded word in base64': (name) => `=?utf-8?B?${Buffer.from(name).toString('base64')}?=:`,
  'percent-encoded': (name) => `${name.replace('-', '%2D')}:`,
  'an entity': (name) => `${name.replace('-', '&#45;')}:`,
  'a quoted string': (name) => `"${name}":`,
  'angle brackets': (name) => `<${name}>:`,
  'a backslash': (name) => `${name.replace('-', '\\-')}:`,
  'two colons': (name) => `${name}::`,
  'a semicolon': (name) => `${name};:`,
  'an equals sign for the colon': (name) => `${name}=`,
  'no colon': (name) => `${name} `,
  'folded in front of the colon': (name) => `${name}\r\n :`,
  'folded behind the colon': (name) => `${name}:\r\n`,
  'folded in the name': (name) => `${name.replace('-', '-\r\n ')}:`,
  'a bare CR in front of it': (name) => `X-A: b\r${name}:`,
  'a bare LF in front of it': (name) => `X-A: b\n${name}:`,
  'a bare CR in it': (name) => `${name.replace('-', '\r-')}:`,
  'a blank in front of it': (name) => ` ${name}:`,
  'a line of blanks in front of it': (name) => ` \r\n${name}:`,
  'an empty name in front of it': (name) => `: x\r\n${name}:`,
  'a line that is no field in front of it': (name) => `no field\r\n${name}:`,
  'the name given twice on a line': (name) => `${name}: ${name}:`,
  'a field of the same name before': (name) => `${name}:\r\n${name}:`,
  'another case': (name) => `${name.toUpperCase()}:`,
  'a mark of quotation': (name) => `> ${name}:`,
  'a prefix': (name) => `Resent-${name}:`,
};
/** The tokens of the fields that decide whether the file is found, by what is written in front of their values. */
const FIELDS = { type: 'Content-Type', encoding: 'Content-Transfer-Encoding', version: 'MIME-Version' } as const;

function* cases(): Iterable<Case> {
  for (const [name, spell] of Object.entries(SPELLINGS))
    for (const [id, field] of Object.entries(FIELDS))
      for (const place of id === 'type' ? Object.keys(PLACES) : ['root'])
        yield caseOf(place, {
          name: `${field}: ${name}`,
          production: 'field name',
          apply: (tokens) => {
            without(tokens, `${id}.name`);
            set(tokens, `${id}.colon`, spell(field));
          },
        });
}

export const headerNames = mailAttack<Case>({
  name: 'header-names',
  title: 'a field of the header that only lenient programs recognise by its name',
  cases,
  async judge(_, { message }) {
    const [shown] = await leavesThatOthersYield(message, MARK);
    return shown === undefined ? null : `${shown.parser} shows the file in the delivered message`;
  },
  ordinary: () => ORDINARY_NAMES,
});
