/** Bytes that are one text under their label, and another one to a program that decodes them less strictly or believes another label. */
import { simpleParser } from 'mailparser';
import type { Ledger } from '../../../lib/pipeline/ledger/ledger.ts';
import { mailAttack } from './attack-class.ts';
import { elementsOf } from './delivered-page.ts';
import { linksOthersMark } from './linkifiers.ts';

const EVIL = 'https://evil.example/x';
/** Bytes that begin a letter of two, as each charset has them. */
const LEADS: Readonly<Record<string, number>> = {
  shift_jis: 0x81,
  gbk: 0x81,
  gb2312: 0xb0,
  gb18030: 0x81,
  big5: 0xa4,
  'euc-jp': 0xb0,
  'euc-kr': 0xb0,
};
const latin1 = (...codes: readonly number[]) => String.fromCharCode(...codes);
const utf7 = (text: string) => `+${Buffer.from(text, 'utf16le').swap16().toString('base64').replace(/=+$/, '')}-`;

interface Body {
  /** Of the Content-Type; null for none. */
  readonly charset: string | null;
  readonly type: 'text/html' | 'text/plain';
  /** Bytes as latin1. */
  readonly content: string;
}

interface CharsetCase extends Body {
  readonly id: string;
  readonly email: Uint8Array;
  /** Of ordinary mail: what a reader must find in it. */
  readonly expected: string;
}

function caseOf(id: string, body: Body, expected = '', encoding = 'base64'): CharsetCase {
  const { charset, type, content } = body;
  const encoded =
    encoding === 'base64' ? Buffer.from(content, 'latin1').toString('base64').replace(/.{76}/g, '$&\r\n') : content;
  const lines = [
    'From: Ana <ana@sender.example>',
    'To: bob@recipient.example',
    'Subject: Letter',
    'Date: Fri, 20 Nov 2026 12:00:00 +0000',
    'MIME-Version: 1.0',
    `Content-Type: ${type}${charset === null ? '' : `; charset=${charset}`}`,
    `Content-Transfer-Encoding: ${encoding}`,
    '',
    encoded,
    '',
  ];
  return { ...body, id, expected, email: Buffer.from(lines.join('\r\n'), 'latin1') };
}

/** A link that is one only when a quote is not: `lead` is what takes the quote for the half of a letter. */
const behindQuote = (lead: string, head = '') =>
  `<html><head>${head}</head><body><p>Hello</p><a title="${lead}" name=" href=${EVIL} y=">news</a></body></html>`;
const behindBracket = (lead: string) =>
  `<html><body><p>Hello ${lead}<b title="></b><a href=${EVIL}>news</a><b title=">x</b></body></html>`;

function* hostile(): Generator<CharsetCase> {
  for (const [charset, byte] of Object.entries(LEADS)) {
    const lead = latin1(byte);
    for (const encoding of ['base64', '8bit']) {
      yield caseOf(
        `${charset} takes a quote, ${encoding}`,
        { charset, type: 'text/html', content: behindQuote(lead) },
        '',
        encoding,
      );
      yield caseOf(
        `${charset} takes a bracket, ${encoding}`,
        { charset, type: 'text/html', content: behindBracket(lead) },
        '',
        encoding,
      );
    }
    for (const label of [null, 'us-ascii', 'utf-8', 'iso-8859-1']) {
      const said = label ?? 'nothing';
      const meta = `<meta charset="${charset}">`;
      const letter = label === 'utf-8' ? latin1(0xc3, byte) : lead;
      yield caseOf(`${charset} in the page, ${said} in the header`, {
        charset: label,
        type: 'text/html',
        content: behindQuote(letter, meta),
      });
      const content = `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">`;
      yield caseOf(`${charset} in an old page, ${said} in the header`, {
        charset: label,
        type: 'text/html',
        content: behindQuote(letter, content),
      });
    }
    yield caseOf(`${charset} behind a mark of UTF-8`, {
      charset,
      type: 'text/html',
      content: `\xef\xbb\xbf${behindQuote(latin1(0xc3, byte))}`,
    });
    yield caseOf(`${charset} with half a letter in a text`, {
      charset,
      type: 'text/plain',
      content: `see ${lead} ${EVIL.replace('//', `/${lead}/`)}`,
    });
  }
  const slash = latin1(0xc0, 0xaf);
  const bracket = [latin1(0xc0, 0xbc), latin1(0xc0, 0xbe)];
  const seventh = (text: string) => text.replace(/[<>"=/:]/g, (character) => latin1(character.charCodeAt(0) | 0x80));
  for (const charset of [null, 'us-ascii', 'utf-8', 'iso-8859-1', 'windows-1252', 'unknown-8bit']) {
    const said = charset ?? 'nothing';
    for (const type of ['text/html', 'text/plain'] as const) {
      const page = (content: string) => (type === 'text/html' ? `<p>Hello</p>${content}` : content);
      yield caseOf(`a long slash, ${type}, ${said}`, {
        charset,
        type,
        content: page(`https:${slash}${slash}evil.example/x`),
      });
      yield caseOf(`long brackets, ${type}, ${said}`, {
        charset,
        type,
        content: page(`${bracket[0]}script${bracket[1]}alert(1)${bracket[0]}/script${bracket[1]}`),
      });
      yield caseOf(`an eighth bit, ${type}, ${said}`, {
        charset,
        type,
        content: page(seventh(`<a href="${EVIL}"><script>alert(1)</script> ${EVIL}`)),
      });
      yield caseOf(`UTF-7, ${type}, ${said}`, {
        charset,
        type,
        content: page(`${utf7('<script>alert(1)</script>')} ${utf7(EVIL)}`),
      });
      yield caseOf(`UTF-7 letter by letter, ${type}, ${said}`, {
        charset,
        type,
        content: page(`https${utf7(':')}//evil.example/x ${utf7('<')}script${utf7('>')}`),
      });
      yield caseOf(`escapes, ${type}, ${said}`, { charset, type, content: page(`htt\x1b(Bps://evil.example/x`) });
      yield caseOf(`half a letter of UTF-8, ${type}, ${said}`, {
        charset,
        type,
        content: `${page('')}<a title="\xe3\x81" name=" href=${EVIL} y=">x</a>`,
      });
    }
  }
  const kanji = (ascii: string) => `\x1b$B${ascii}\x1b(B`;
  for (const charset of ['iso-2022-jp', 'ISO-2022-JP', 'csiso2022jp']) {
    yield caseOf(`${charset} hides a script`, {
      charset,
      type: 'text/html',
      content: `<p>Hello ${kanji('<script>alert12</script>!')}`,
    });
    yield caseOf(`${charset} hides a quote`, { charset, type: 'text/html', content: behindQuote(kanji('!"')) });
    yield caseOf(`${charset} hides a link in a text`, {
      charset,
      type: 'text/plain',
      content: `see ${kanji('http://evil.example/xx')}`,
    });
    yield caseOf(`${charset} breaks a link`, {
      charset,
      type: 'text/plain',
      content: `see http\x1b(B://evil.example/xx`,
    });
  }
  for (const charset of ['utf-16le', 'utf-16be', 'utf-16']) {
    const swapped = Buffer.from(`see ${EVIL} `, 'latin1').toString('latin1');
    yield caseOf(`${charset} over ASCII`, { charset, type: 'text/plain', content: swapped });
    yield caseOf(`${charset} over a page in ASCII`, {
      charset,
      type: 'text/html',
      content: `<p>Hello</p><script>alert(1)</script>`,
    });
    yield caseOf(`${charset} in the page`, {
      charset: 'utf-8',
      type: 'text/html',
      content: `<meta charset=${charset}><p title="\xe3\x81\x82">x</p>`,
    });
  }
  for (const charset of ['utf-7', 'hz-gb-2312', 'nonsense', 'x-user-defined', 'utf-32'])
    yield caseOf(`${charset}`, { charset, type: 'text/html', content: `<p>Hello</p>${utf7('<script>')} ~{<script>~}` });
}

/** What Japanese, Chinese, Russian and western machines write. */
const WRITTEN: readonly (readonly [string, string, string])[] = [
  ['shift_jis', '93fa967b8cea', '日本語'],
  ['gbk', 'd6d0cec4', '中文'],
  ['gb2312', 'd6d0cec4', '中文'],
  ['big5', 'a4a4a4e5', '中文'],
  ['euc-jp', 'c6fccbdcb8ec', '日本語'],
  ['euc-kr', 'c7d1b1db', '한글'],
  ['iso-2022-jp', '1b2442467c4b5c386c1b2842', '日本語'],
  ['windows-1251', 'cff0e8e2e5f2', 'Привет'],
  ['koi8-r', 'f0d2c9d7c5d4', 'Привет'],
  ['iso-8859-1', '4772fcdf65', 'Grüße'],
  ['iso-8859-1', '9347726fdf94209180', '“Groß” ‘€'],
  ['windows-1252', '9347726fdf94209180', '“Groß” ‘€'],
  ['iso-8859-15', '35a4', '5€'],
  ['us-ascii', '4772fcdf65', 'Grüße'],
  ['us-ascii', '4772c3bcc39f65', 'Grüße'],
  ['utf-8', '4772c3bcc39f65', 'Grüße'],
  ['utf-8', '4772fcdf65', 'Grüße'],
  ['unknown-8bit', '4772fcdf65', 'Grüße'],
  ['none', '4772fcdf65', 'Grüße'],
  ['none', '4772c3bcc39f65', 'Grüße'],
  ['utf-8', 'efbbbf4772c3bcc39f65', 'Grüße'],
];

function* ordinary(): Generator<CharsetCase> {
  for (const [label, hex, expected] of WRITTEN) {
    const charset = label === 'none' ? null : label;
    const text = Buffer.from(hex, 'hex').toString('latin1');
    for (const encoding of ['base64', '8bit']) {
      const id = `ordinary ${label} ${hex.slice(0, 12)} ${encoding}`;
      const end = ', 2 + 2 = 4, https://shop.example/ok';
      yield caseOf(`${id} text`, { charset, type: 'text/plain', content: `${text}${end}\r\n` }, expected, encoding);
      yield caseOf(
        `${id} page`,
        { charset, type: 'text/html', content: `<p class="a">${text}</p><a href="https://shop.example/ok">x</a>\r\n` },
        expected,
        encoding,
      );
      const meta = `<meta http-equiv="Content-Type" content="text/html; charset=${charset ?? 'windows-1252'}">`;
      yield caseOf(
        `${id} page that says it`,
        { charset, type: 'text/html', content: `<html><head>${meta}</head><body><p>${text}</p></body></html>` },
        expected,
        encoding,
      );
    }
  }
  const russian = latin1(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2);
  const says = (charset: string) => `<html><head><meta charset="${charset}"></head><body><p>`;
  yield caseOf(
    'ordinary, only the page says it',
    { charset: null, type: 'text/html', content: `${says('windows-1251')}${russian}` },
    'Привет',
  );
  yield caseOf(
    'ordinary, the page says it and the header nothing true',
    { charset: 'us-ascii', type: 'text/html', content: `${says('windows-1251')}${russian}` },
    'Привет',
  );
  yield caseOf(
    'ordinary, the page says what it was in before',
    { charset: 'utf-8', type: 'text/html', content: `${says('iso-8859-1')}Gr\xc3\xbc\xc3\x9fe` },
    'Grüße',
  );
}

/** The one body of a delivered message, as it stands. */
function bodyOf(message: Uint8Array): { readonly charset: string; readonly type: string; readonly bytes: Buffer } {
  const text = Buffer.from(message).toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end).replace(/\r\n[ \t]+/g, ' ');
  const raw = text.slice(end + 4);
  const isBase64 = /^content-transfer-encoding: *base64/im.test(head);
  return {
    charset: (/^content-type:[^\r\n]*charset="?([\w-]+)/im.exec(head)?.[1] ?? '').toLowerCase(),
    type: (/^content-type: *([\w/-]+)/im.exec(head)?.[1] ?? 'text/plain').toLowerCase(),
    bytes: Buffer.from(raw, isBase64 ? 'base64' : 'latin1'),
  };
}

const ESCAPE = new RegExp(`${latin1(0x1b)}[$(][A-Z]`, 'g');
const DEFAULTS = ['utf-8', 'windows-1252', 'shift_jis', 'gbk', 'utf-16le'];

/** The texts that programs can make of a body: by its label, by what the page says, by a default, and by decoders that are not strict. */
function* readingsOf(charset: string, bytes: Buffer): Generator<readonly [string, string]> {
  const page = /<meta[^>]*charset\s*=\s*["']?([\w-]+)/i.exec(bytes.toString('latin1'))?.[1]?.toLowerCase() ?? '';
  for (const label of new Set([charset, page, ...DEFAULTS])) {
    try {
      yield [label, new TextDecoder(label).decode(bytes)];
    } catch {
      // A label that this decoder does not know, the others do not know alike.
    }
  }
  for (const label of [charset, page]) if (label in LEADS) yield [`${label}, two bytes at a time`, pairs(bytes)];
  if (charset === '' || charset === 'us-ascii') {
    yield ['seven bits', Buffer.from(bytes.map((byte) => byte & 0x7f)).toString('latin1')];
    yield ['utf-7', fromUtf7(bytes.toString('latin1'))];
  }
  if (charset === 'utf-8' || charset === '') yield ['long UTF-8', longUtf8(bytes)];
  if (/^iso-2022|^csiso/.test(charset) || bytes.includes(0x1b))
    yield ['no escapes', bytes.toString('latin1').replace(ESCAPE, '')];
  if (charset === '') yield ['nothing but ASCII', bytes.toString('latin1').replace(/[\x80-\xff]/g, '')];
}

/** A decoder of old: whatever follows a leading byte belongs to it. */
const pairs = (bytes: Buffer) => bytes.toString('latin1').replace(/[\x81-\x9f\xa1-\xfe]./gs, '\ufffd');
/** One that takes any two bytes of the form of a letter for one. */
const longUtf8 = (bytes: Buffer) =>
  bytes
    .toString('latin1')
    .replace(/[\xc0-\xdf]([\x80-\xbf])/g, (pair) =>
      latin1(((pair.charCodeAt(0) & 0x1f) << 6) | (pair.charCodeAt(1) & 0x3f)),
    )
    .replace(/[\xe0-\xef].{0,2}/gs, (three) =>
      /^.[\x80-\xbf]{2}$/s.test(three) ? '\ufffd' : `\ufffd${three.slice(3)}`,
    );
const fromUtf7 = (text: string) =>
  text.replace(/\+([A-Za-z0-9+/]+)-?/g, (_, run: string) => {
    const units = Buffer.from(run, 'base64');
    return units
      .subarray(0, units.length & ~1)
      .swap16()
      .toString('utf16le');
  });

function threatIn(text: string, type: string, ledger: Ledger | null): string | null {
  const known = new Set(
    (ledger?.artifacts ?? []).flatMap(({ untrustedUrl, disposition }) =>
      disposition === 'keep' && untrustedUrl ? [untrustedUrl] : [],
    ),
  );
  // A word with another scheme is one in every charset: that is another class of attack.
  const isNew = (url: string) => /^(?:(?:https?|ftp):\/\/)?evil\.example/i.test(url) && !known.has(url);
  if (type !== 'text/html') return linksOthersMark(text).find(isNew) ?? null;
  for (const { tagName, attrs } of elementsOf(text)) {
    if (tagName === 'script') return '<script>';
    for (const { name, value } of attrs) {
      if (/^on/.test(name)) return `${tagName} ${name}`;
      if (/^(?:href|src)$/.test(name) && isNew(value)) return `${tagName} ${name}=${value}`;
    }
  }
  return null;
}

export const charsets = mailAttack<CharsetCase>({
  name: 'charsets',
  title: 'bytes that another program decodes to another text',
  cases: hostile,
  judge(_, { message, ledger }) {
    const { charset, type, bytes } = bodyOf(message);
    for (const [reading, text] of readingsOf(charset, bytes)) {
      const threat = threatIn(text, type, ledger);
      if (threat !== null) return `read as ${reading}, it holds ${threat}`;
    }
    return null;
  },
  ordinary,
  async judgeOrdinary({ expected }, { message }) {
    const { text = '', html } = await simpleParser(Buffer.from(message));
    const shown = `${text} ${html === false ? '' : html}`;
    return shown.includes(expected) ? null : `"${expected}" is not in it, but ${JSON.stringify(shown.slice(0, 100))}`;
  },
});
