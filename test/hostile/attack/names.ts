/** Names by which some program runs what another takes for a text: on attachments, on messages, and on members of archives. */
import { simpleParser } from 'mailparser';
import PostalMime from 'postal-mime';
import { DEFAULT_POLICY, type Policy, parsePolicy } from '../../../lib/pipeline/policy/policy.ts';
import { zipOf } from '../../engines/zip-fixture.ts';
import type { Airlock } from './airlock-run.ts';
import { type AttackClass, type Attempt, type Delivered, type MailCase, mailAttack } from './attack-class.ts';
import { parametersOthersFind } from './header-parsers.ts';
import { runAs } from './name-model.ts';
import { ORDINARY_PARTS } from './ordinary-parts.ts';

const EXTENSIONS = ['js', 'hta', 'lnk'];
const LONG = 'a'.repeat(1_200);
/** Spellings of a name that ends in the extension for somebody. */
const TRICKS: Readonly<Record<string, (extension: string) => string>> = {
  plain: (x) => `run.${x}`,
  'NUL, then another': (x) => `run.${x}\0.txt`,
  'NUL inside': (x) => `run.${x[0]}\0${x.slice(1)}`,
  'control inside': (x) => `run.${x[0]}\x01${x.slice(1)}`,
  'control inside, NUL behind': (x) => `run.${x[0]}\x01${x.slice(1)}\0.txt`,
  'control behind': (x) => `run.${x}\x07.txt`,
  'line feed behind': (x) => `run.${x}\n.txt`,
  'tab behind': (x) => `run.${x}\t.txt`,
  'trailing dots': (x) => `run.${x}...`,
  'trailing blanks': (x) => `run.${x}   `,
  'trailing no-break space': (x) => `run.${x}\u00a0`,
  'thousands of trailing dots': (x) => `run.${x}${'.'.repeat(3_000)}`,
  stream: (x) => `run.${x}::$DATA`,
  'stream of a text': (x) => `notes.txt:run.${x}`,
  'text in a stream': (x) => `run.${x}:notes.txt`,
  percent: (x) => `run%2E${x}`,
  'percent twice': (x) => `run%252E${x}`,
  'percent NUL': (x) => `run.${x}%00.txt`,
  'percent letter': (x) => `run.%${x.charCodeAt(0).toString(16)}${x.slice(1)}`,
  'right-to-left': (x) => `run\u202etxt.${x}`,
  'right-to-left inside': (x) => `run.${x[0]}\u202e${x.slice(1)}`,
  'one dot leader': (x) => `run\u2024${x}`,
  'full-width dot': (x) => `run\uff0e${x}`,
  'ideographic full stop': (x) => `run\u3002${x}`,
  'half-width full stop': (x) => `run\uff61${x}`,
  'full-width letters': (x) => `run.${[...x].map((char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)).join('')}`,
  'zero width inside': (x) => `run.${x[0]}\u200b${x.slice(1)}`,
  'zero width behind': (x) => `run.${x}\u200b`,
  'byte order mark inside': (x) => `run.${x[0]}\ufeff${x.slice(1)}`,
  'soft hyphen inside': (x) => `run.${x[0]}\u00ad${x.slice(1)}`,
  'variation selector inside': (x) => `run.${x[0]}\ufe0f${x.slice(1)}`,
  'tag inside': (x) => `run.${x[0]}\u{e0020}${x.slice(1)}`,
  slash: (x) => `notes.txt/run.${x}`,
  'slash behind': (x) => `run.${x}/`,
  backslash: (x) => `..\\..\\run.${x}`,
  'forbidden inside': (x) => `run.${x[0]}*${x.slice(1)}`,
  'pipe inside': (x) => `run.${x[0]}|${x.slice(1)}`,
  'semicolon behind': (x) => `run.${x};.txt`,
  'quote behind': (x) => `run.${x}".txt`,
  'runs of blanks': (x) => `notes.txt${' '.repeat(90)}.${x}`,
  'long, at the end': (x) => `${LONG}run.${x}`,
  'long, in the middle': (x) => `${LONG}run.${x}\0${LONG}.txt`,
  'long, then a stream': (x) => `${LONG}run.${x}:${LONG}.txt`,
  'cut at 255': (x) => `${'a'.repeat(255 - x.length - 1)}.${x}${'b'.repeat(20)}.txt`,
  'cut at 255 bytes': (x) => `${'ä'.repeat(126)}.${x}${'b'.repeat(20)}.txt`,
  'four long folders': (x) => `${`${'f'.repeat(300)}/`.repeat(4)}run.${x}`,
  'folders behind': (x) => `run.${x}/${`${'f'.repeat(300)}/`.repeat(4)}notes.txt`,
  'class of Windows': () => 'run.{3050f4d8-98b5-11cf-bb82-00aa00bdce0b}',
};

const utf8 = (text: string) => Buffer.from(text).toString('latin1');
const quoted = (text: string) =>
  `"${utf8(text)
    .replace(/["\\]/g, '\\$&')
    .replace(/[\r\n]/g, '')}"`;
const word = (text: string) => `"=?utf-8?B?${Buffer.from(text).toString('base64')}?="`;
const percent = (text: string) => Buffer.from(text).toString('hex').replace(/../g, '%$&');
const half = (text: string) => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)] as const;

/** Where a name may stand, and in which encoding. */
const SPOTS: Readonly<Record<string, (name: string) => readonly string[]>> = {
  filename: (name) => [`Content-Disposition: attachment; filename=${quoted(name)}`],
  'name, beside another filename': (name) => [
    `Content-Type: text/plain; name=${quoted(name)}`,
    'Content-Disposition: attachment; filename="notes.txt"',
  ],
  'encoded word': (name) => [`Content-Disposition: attachment; filename=${word(name)}`],
  'RFC 2231': (name) => [`Content-Disposition: attachment; filename="notes.txt"; filename*=utf-8''${percent(name)}`],
  'in pieces': (name) => [
    `Content-Disposition: attachment; filename*1*=${percent(half(name)[1])}; filename*0*=utf-8''${percent(half(name)[0])}`,
  ],
  description: (name) => ['Content-Disposition: attachment', `Content-Description: ${word(name).slice(1, -1)}`],
};

const HEAD = [
  'From: Ana <ana@sender.example>',
  'To: bob@recipient.example',
  'Subject: Files',
  'Date: Fri, 20 Nov 2026 12:00:00 +0000',
];
const mailOf = (...part: readonly string[]) =>
  [
    ...HEAD,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'See the file.',
    '--b',
  ]
    .concat(part, '--b--', '')
    .join('\r\n');

function* attachments(): Iterable<MailCase> {
  for (const [trick, spell] of Object.entries(TRICKS))
    for (const [spot, place] of Object.entries(SPOTS))
      for (const extension of EXTENSIONS.slice(0, spot === 'filename' ? 3 : 1)) {
        const fields = place(spell(extension));
        const type = fields.some((field) => field.startsWith('Content-Type')) ? [] : ['Content-Type: text/plain'];
        yield { id: `${spot}: ${trick} ${extension}`, email: mailOf(...type, ...fields, '', 'Just a text.') };
      }
  for (const [trick, spell] of Object.entries(TRICKS)) {
    const inner = [...HEAD, 'Content-Type: text/plain', '', 'Inner.'].join('\r\n');
    const fields = [
      'Content-Type: message/rfc822',
      `Content-Disposition: attachment; filename=${quoted(spell('hta'))}`,
    ];
    yield { id: `message: ${trick}`, email: mailOf(...fields, '', inner) };
  }
}

/** Members of an archive: their names are bytes of the zip, so an archive that stays holds them as they are. */
function* archives(): Iterable<MailCase> {
  for (const [trick, spell] of Object.entries(TRICKS))
    for (const extension of EXTENSIONS.slice(0, 2)) {
      const zip = zipOf({ [spell(extension)]: 'just a text', 'readme.txt': 'another' });
      const body = zip.toString('base64').replace(/.{76}/g, '$&\r\n');
      const fields = [
        'Content-Type: application/zip',
        'Content-Disposition: attachment; filename="a.zip"',
        'Content-Transfer-Encoding: base64',
      ];
      yield { id: `member: ${trick} ${extension}`, email: mailOf(...fields, '', body) };
    }
}

/** Names in the directory of a zip, as bytes: latin1 and UTF-8. */
function namesInZip(bytes: Uint8Array): string[] {
  const zip = Buffer.from(bytes);
  const names: string[] = [];
  for (let at = zip.indexOf('PK\x01\x02', 0, 'latin1'); at >= 0; at = zip.indexOf('PK\x01\x02', at + 4, 'latin1')) {
    const name = zip.subarray(at + 46, at + 46 + zip.readUInt16LE(at + 28));
    // A folder runs nothing.
    if (name.at(-1) !== 0x2f) names.push(name.toString('utf8'), name.toString('latin1'));
  }
  return names;
}

/** Every name that a file of the delivered message goes by, to three parsers, and every name inside its archives. */
async function deliveredNames({ message, files }: Delivered): Promise<string[]> {
  const bytes = Buffer.from(message);
  const [mailparser, postal] = [await simpleParser(bytes), await PostalMime.parse(bytes)];
  const params = parametersOthersFind(bytes).filter(({ name }) => /name$/.test(name));
  const contents = [...mailparser.attachments.map(({ content }) => content), ...files.map((file) => file.bytes)];
  return [
    ...mailparser.attachments.map(({ filename }) => filename ?? ''),
    ...postal.attachments.map(({ filename }) => filename ?? ''),
    ...params.map(({ value }) => value),
    ...files.map(({ name }) => name),
    ...contents.filter((content) => content.subarray(0, 2).toString() === 'PK').flatMap(namesInZip),
  ];
}

async function judge(_: MailCase, delivered: Delivered): Promise<string | null> {
  for (const name of await deliveredNames(delivered)) {
    const extension = runAs(name);
    if (extension !== null) return `some program opens ${JSON.stringify(name.slice(0, 60))} as .${extension}`;
  }
  return null;
}

const spoiled = ({ email }: MailCase, { message }: Delivered) => {
  const rest = Buffer.from(message)
    .toString('latin1')
    .replace(/^(?:X-Airlock-[^\r\n]*\r\n)+/, '');
  return rest === email ? null : 'it is not the same but for our own fields';
};

const TITLE = 'names by which some program runs what another takes for a text';
const onParts = mailAttack({
  name: 'names',
  title: TITLE,
  cases: attachments,
  judge,
  ordinary: () => ORDINARY_PARTS,
  judgeOrdinary: spoiled,
});
const inArchives = mailAttack({ name: 'names', title: TITLE, cases: archives, judge });

/** A policy that delivers an archive as it is when nothing in it is held against it. */
function keepingArchives(): Policy {
  const { archive } = DEFAULT_POLICY.types;
  const types = {
    archive: {
      analyses: ['static'],
      verdicts: { ...archive.verdicts, benign: 'keep', suspicious: 'remove', unknown: 'remove' },
    },
  };
  return parsePolicy(JSON.stringify({ version: 1, types }));
}

export const names: AttackClass = {
  name: 'names',
  title: TITLE,
  async *attempts(airlock: Airlock): AsyncIterable<Attempt> {
    yield* onParts.attempts(airlock);
    yield* inArchives.attempts(airlock);
    const lenient = airlock.under(keepingArchives());
    for await (const attempt of inArchives.attempts(lenient)) yield { ...attempt, id: `kept ${attempt.id}` };
  },
};
