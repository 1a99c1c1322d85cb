/** Mail that came through a mailing list: with a footer in the text, as a part of its own, or behind the last boundary. */
import { TEXTS } from './letters.ts';
import { lines, mailOf, multipart, type OrdinaryMail, textPart } from './ordinary-mail.ts';

const RULE = '_______________________________________________';
const FOOTER = lines(
  RULE,
  'Users mailing list -- users@lists.sender.example',
  'To unsubscribe send an email to users-leave@lists.sender.example',
  'https://lists.sender.example/mailman/listinfo/users',
  '',
);

interface List {
  readonly name: string;
  readonly fields: readonly string[];
  readonly body: (text: string) => string;
}

const listFields = [
  'List-Id: Users of the thing <users.lists.sender.example>',
  'List-Unsubscribe: <https://lists.sender.example/mailman/options/users>,',
  ' <mailto:users-request@lists.sender.example?subject=unsubscribe>',
  'List-Archive: <https://lists.sender.example/pipermail/users/>',
  'List-Post: <mailto:users@lists.sender.example>',
  'List-Help: <mailto:users-request@lists.sender.example?subject=help>',
  'Precedence: list',
];

const LISTS: readonly List[] = [
  {
    name: 'Mailman 2, footer in the text',
    fields: [
      ...listFields,
      'X-BeenThere: users@lists.sender.example',
      'X-Mailman-Version: 2.1.39',
      'Errors-To: users-bounces@lists.sender.example',
    ],
    body: (text) => textPart(lines(text, FOOTER)),
  },
  {
    name: 'Mailman 2, footer as a part',
    fields: [...listFields, 'X-BeenThere: users@lists.sender.example', 'X-Mailman-Version: 2.1.39'],
    body: (text) =>
      multipart('mixed', '===============4711472147314741475==', [
        multipart('alternative', 'inner-b1', [
          textPart(text),
          textPart(`<p>${text.split('\r\n')[0]}</p>`, 'text/html; charset=utf-8'),
        ]),
        lines(
          'Content-Type: text/plain; charset="us-ascii"',
          'MIME-Version: 1.0',
          'Content-Transfer-Encoding: 7bit',
          'Content-Disposition: inline',
          '',
          FOOTER,
        ),
      ]),
  },
  {
    name: 'Mailman 3',
    fields: [
      ...listFields,
      'Message-ID-Hash: ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
      'X-Message-ID-Hash: ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
      'X-Mailman-Rule-Misses: dmarc-mitigation; no-senders; approved',
    ],
    body: (text) => textPart(lines(text, FOOTER)),
  },
  {
    name: 'Google Groups',
    fields: [
      'List-ID: <users.sender.example>',
      'X-Spam-Checked-In-Group: users@sender.example',
      'X-Google-Group-Id: 1234567890',
      'List-Subscribe: <https://groups.google.com/a/sender.example/group/users/subscribe>',
    ],
    body: (text) =>
      textPart(
        lines(
          text,
          '-- ',
          'You received this message because you are subscribed to the Google Groups "users" group.',
          'To unsubscribe from this group and stop receiving emails from it, send an email to users+unsubscribe@sender.example.',
          'To view this discussion visit https://groups.google.com/a/sender.example/d/msgid/users/4711%40sender.example.',
        ),
      ),
  },
  {
    name: 'Sympa',
    fields: [...listFields, 'X-Loop: users@lists.sender.example', 'X-Sequence: 4711'],
    body: (text) =>
      multipart('mixed', '----------=_1700000000-99-1', [textPart(text)]).replace(
        '\r\n\r\n',
        '\r\n\r\nThis is a multi-part message in MIME format...\r\n\r\n',
      ),
  },
  {
    name: 'a footer behind the last boundary',
    fields: listFields,
    body: (text) =>
      `${multipart('alternative', 'end-b1', [textPart(text), textPart(`<p>${text.split('\r\n')[0]}</p>`, 'text/html; charset=utf-8')])}\r\nYou get this because you are on the list of users.\r\n`,
  },
];

/** Four texts through every list. */
export function* mailingLists(): Generator<OrdinaryMail> {
  for (const { name, fields, body } of LISTS)
    for (const [at, text] of TEXTS.slice(0, 4).entries()) {
      const bytes = mailOf(
        { from: 'Ann <ann@sender.example>', subject: `[users] Letter ${at}`, fields },
        body(lines(...text, '')),
      );
      yield { id: `list ${name} ${at}`, group: 'list', bytes };
    }
}
