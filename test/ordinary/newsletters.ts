/** Newsletters with more links than a service is asked about. */
import { lines, mailOf, multipart, type OrdinaryMail, textPart } from './ordinary-mail.ts';

const link = (row: number) => `https://click.news-letters.com/l/${row}/a7f3?u=1&amp;m=2`;

function pageOf(links: number): string {
  const rows = Array.from(
    { length: links },
    (_, row) => `<tr><td><a href="${link(row)}">Story ${row}</a> of today</td></tr>`,
  );
  return `<html><body><table>${rows.join('\r\n')}</table><p>You get this because you asked for it.</p></body></html>`;
}

function textOf(links: number): string {
  return lines(
    ...Array.from({ length: links }, (_, row) => `Story ${row} of today: ${link(row).replaceAll('&amp;', '&')}`),
    '',
  );
}

/** Newsletters with a hundred, three hundred and a thousand links, as a page, as a text and as both. */
export function* newsletters(): Generator<OrdinaryMail> {
  for (const links of [100, 300, 1_000]) {
    const head = {
      from: 'News <news@news-letters.com>',
      subject: `${links} stories`,
      fields: [
        'List-Unsubscribe: <https://click.news-letters.com/unsubscribe?u=1>, <mailto:off@news-letters.com>',
        'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
        'Precedence: bulk',
      ],
    };
    const page = textPart(pageOf(links), 'text/html; charset=utf-8');
    const text = textPart(textOf(links));
    yield { id: `newsletter ${links}, page`, group: 'newsletter', bytes: mailOf(head, page) };
    yield { id: `newsletter ${links}, text`, group: 'newsletter', bytes: mailOf(head, text) };
    const both = multipart('alternative', '_----------=_MCPart_1', [text, page]);
    yield { id: `newsletter ${links}, both`, group: 'newsletter', bytes: mailOf(head, both) };
  }
}
