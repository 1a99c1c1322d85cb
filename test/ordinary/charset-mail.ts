/** Letters in the charsets of old programs, in three transfer encodings and as a page. */
import { base64, mailOf, type OrdinaryMail } from './ordinary-mail.ts';

const LETTERS: Readonly<Record<string, string>> = {
  'iso-8859-1': 'Grüße aus München, à bientôt, señor Ñandú',
  'iso-8859-2': 'Zażółć gęślą jaźń, příliš žluťoučký kůň',
  'iso-8859-5': 'Съешь ещё этих мягких французских булок',
  'iso-8859-7': 'Καλημέρα κόσμε, ευχαριστώ πολύ',
  'iso-8859-9': 'Günaydın, şimdi İstanbul’a gidiyoruz'.replace('’', "'"),
  'iso-8859-15': 'Das Buch kostet 12 €, der œuvre auch',
  'windows-1250': 'Dobrý den, děkuji za zprávu – na shledanou',
  'windows-1251': 'Добрый день, спасибо за письмо',
  'windows-1252': 'Der Preis – “wie besprochen” – ist 12 €',
  'windows-1255': 'שלום וברכה, תודה על ההודעה',
  'windows-1256': 'السلام عليكم ورحمة الله',
  'koi8-r': 'Добрый день, спасибо за письмо',
  gb2312: '您好，谢谢您的来信',
  big5: '您好，謝謝您的來信',
  'euc-kr': '안녕하세요 감사합니다',
  shift_jis: 'こんにちは、お元気ですか',
  'euc-jp': 'こんにちは、お元気ですか',
};

const MARKS_1252 = [...'€“”–'].map((mark, at): [string, number[]] => [mark, [[0x80, 0x93, 0x94, 0x96][at] ?? 0]]);

/** Writes a text in a charset of one or two bytes a character: what the decoder makes of each is looked up the other way round. */
export function inCharset(text: string, charset: string): Buffer {
  const decoder = new TextDecoder(charset);
  // Node 20 decodes windows-1252 as latin1.
  const bytesOf = new Map<string, number[]>(charset === 'windows-1252' ? MARKS_1252 : []);
  for (let one = 0; one < 256; one++) {
    const single = decoder.decode(Buffer.from([one]));
    if (!single.includes('\ufffd')) bytesOf.set(single, bytesOf.get(single) ?? [one]);
    else
      for (let two = 0x40; two < 256; two++) {
        const pair = decoder.decode(Buffer.from([one, two]));
        if ([...pair].length === 1 && pair !== '\ufffd' && !bytesOf.has(pair)) bytesOf.set(pair, [one, two]);
      }
  }
  return Buffer.from(
    [...text].flatMap((character) => {
      const bytes = bytesOf.get(character);
      if (bytes === undefined) throw new Error(`${charset} has no ${character}`);
      return bytes;
    }),
  );
}

const escapes = (bytes: Buffer) =>
  [...bytes]
    .map((byte) => (byte > 0x7e || byte === 0x3d ? `=${byte.toString(16).toUpperCase()}` : String.fromCharCode(byte)))
    .join('');
const encodedWord = (charset: string, bytes: Buffer) => `=?${charset}?B?${bytes.toString('base64')}?=`;

/** Joins latin1 lines into a message. */
function message(charset: string, subject: string, fields: readonly string[], body: string): Uint8Array {
  const head = { from: 'Ann <ann@sender.example>', subject: encodedWord(charset, inCharset(subject, charset)) };
  const bytes = mailOf(head, ...fields, '', '');
  return Buffer.concat([bytes, Buffer.from(body, 'latin1')]);
}

/** Each charset as 8bit, as quoted-printable, as base64 and as a page. */
export function* charsetMail(): Generator<OrdinaryMail> {
  for (const [charset, sentence] of Object.entries(LETTERS)) {
    const text = inCharset(`${sentence}\r\nhttps://www.sender.example/a\r\n`, charset);
    const page = inCharset(
      `<html><head><meta http-equiv="Content-Type" content="text/html; charset=${charset}"></head><body><p>${sentence}</p></body></html>\r\n`,
      charset,
    );
    const type = `Content-Type: text/plain; charset=${charset}`;
    const made = (id: string, bytes: Uint8Array): OrdinaryMail => ({
      id: `charset ${charset}, ${id}`,
      group: 'charset',
      bytes,
    });
    const plain = (encoding: string, body: string) =>
      made(encoding, message(charset, sentence, [type, `Content-Transfer-Encoding: ${encoding}`], body));
    yield plain('8bit', text.toString('latin1'));
    yield plain('quoted-printable', escapes(text));
    yield plain('base64', base64(text));
    const pageType = `Content-Type: text/html; charset="${charset}"`;
    const fields = [pageType, 'Content-Transfer-Encoding: 8bit'];
    yield made('page', message(charset, sentence, fields, page.toString('latin1')));
  }
}
