/** Ordinary mail of one part. */
import { base64, lines, mail, PDF } from './mail-builder.ts';

export interface OrdinaryMail {
  readonly name: string;
  readonly email: Buffer;
  /** `role declaredType` of every leaf. */
  readonly leaves: readonly string[];
}

/** One shape of ordinary mail. */
export const shape = (name: string, email: Buffer | string, ...leaves: readonly string[]): OrdinaryMail => ({
  name,
  email: Buffer.from(email as Buffer),
  leaves,
});
const b = (type: string) => `body ${type}`;
const a = (type: string) => `attachment ${type}`;
const qp = (text: string) =>
  mail('Content-Type: text/plain; charset=UTF-8', 'Content-Transfer-Encoding: quoted-printable', '', text);
export const SINGLE_PART_MAIL: readonly OrdinaryMail[] = [
  shape('no MIME headers at all', lines('From: a@example.com', 'Subject: hi', '', 'hello', ''), b('text/plain')),
  shape('a header and nothing else', lines('From: a@example.com', 'Subject: hi', ''), b('text/plain')),
  shape('an empty body', mail('', ''), b('text/plain')),
  shape('no final line break', mail('', 'hello'), b('text/plain')),
  shape('several blank lines at the end', mail('', 'hello', '', '', ''), b('text/plain')),
  shape(
    'an mbox line',
    Buffer.concat([Buffer.from('From ann@example.com Fri Nov 20 11:00:00 2026\r\n'), mail('', 'x', '')]),
    b('text/plain'),
  ),
  shape(
    'format=flowed',
    mail('Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes', '', 'a soft \r\nline', '-- ', 'Ann', ''),
    b('text/plain'),
  ),
  shape(
    'UTF-8 sent as 8bit',
    mail('Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: 8bit', '', 'Grüße aus Köln', ''),
    b('text/plain'),
  ),
  shape(
    'latin1 without an encoding',
    Buffer.concat([mail('Content-Type: text/plain; charset=iso-8859-1', '', ''), Buffer.from('Grüße\r\n', 'latin1')]),
    b('text/plain'),
  ),
  shape(
    'quoted-printable with soft breaks',
    qp(lines('Gr=C3=BC=C3=9Fe, this line goes on=', ' here =3D and ends.   ', '', 'Ann=')),
    b('text/plain'),
  ),
  shape('quoted-printable without a final break', qp('caf=C3=A9'), b('text/plain')),
  shape('quoted-printable of nothing', qp(''), b('text/plain')),
  shape(
    'base64 HTML',
    mail(
      'Content-Type: text/html; charset="utf-8"',
      'Content-Transfer-Encoding: base64',
      '',
      base64('<p>x</p>'.repeat(40)),
      '',
    ),
    b('text/html'),
  ),
  shape('one attachment and no body', mail(PDF, ''), a('application/pdf')),
  shape(
    'an empty attachment',
    mail('Content-Type: application/octet-stream; name=empty.bin', 'Content-Transfer-Encoding: base64', '', ''),
    a('application/octet-stream'),
  ),
  shape(
    'a patch with lines of dashes',
    mail('', '---', ' a.c | 2 +-', '--- a/a.c', '+++ b/a.c', '-- ', '2.40.1', ''),
    b('text/plain'),
  ),
];
