/** Samples in mail with attachments: messages, Outlook's own files, and TNEF, which Outlook sends to other programs. */
import { buildTnef, mapiProperties, tnefAttribute, zeroEnded } from '../../fixtures/build-tnef.ts';
import { buildVbaProject } from '../../fixtures/build-vba.ts';
import { type Member, program } from './archive-image-samples.ts';
import { outlookMessage } from './legacy-samples.ts';
import { MS, pack } from './office-draft.ts';
import { type Generator, KEEP, LIVE } from './sample.ts';

const attachments = async (line: string): Promise<readonly Member[]> =>
  ({
    'macro-document': [{ name: 'a.docm', content: MACRO_DOCUMENT }],
    program: [{ name: 'a.pdf', content: program }],
    nested: [
      {
        name: 'a.eml',
        content: `From: a@a.example\r\nSubject: x\r\nContent-Type: text/html\r\n\r\n<script>${LIVE}</script>`,
      },
    ],
  })[line] ?? [];

function email(members: readonly Member[], html: string): string {
  const parts = members.map(({ name, content }) => {
    const type = name.endsWith('.eml') ? 'message/rfc822' : 'application/octet-stream';
    const body = type === 'message/rfc822' ? content : `${Buffer.from(content as string).toString('base64')}`;
    return `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n${type === 'message/rfc822' ? '' : 'Content-Transfer-Encoding: base64\r\n'}\r\n${body}\r\n`;
  });
  return `From: a@sender.example\r\nSubject: ${KEEP}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>${KEEP}</p>${html}\r\n${parts.join('')}--b--\r\n`;
}

const MACRO_DOCUMENT = pack('docx', {
  links: [{ type: `${MS}vbaProject`, target: 'vbaProject.bin' }],
  parts: [
    {
      name: 'word/vbaProject.bin',
      content: buildVbaProject(`'${LIVE}`),
      contentType: 'application/vnd.ms-office.vbaProject',
    },
  ],
});

const property = (id: string): string => `__substg1.0_${id}001F`;

const mailPart: Generator = async (line, format) => {
  const members = await attachments(line);
  const html = line === 'html-script' ? `<script>${LIVE}</script><img src="http://${LIVE}.example/x">` : '';
  if (format === 'eml') {
    const flat = email(members, html);
    const whole = `From: a@a.example\r\nSubject: ${KEEP}\r\nMIME-Version: 1.0\r\nContent-Type: message/rfc822\r\n\r\n${flat}`;
    return [
      { encoding: 'plain', content: flat },
      { encoding: 'message in message', content: whole },
      {
        encoding: 'odd casing',
        content: flat.replaceAll('Content-Type', 'CONTENT-TYPE').replaceAll('base64', 'BASE64'),
      },
    ];
  }
  return [{ encoding: 'plain', content: format === 'tnef' ? inTnef(members, html) : inMsg(members, html) }];
};

/** TNEF, which Outlook sends to other programs. */
function inTnef(members: readonly Member[], html: string): Uint8Array {
  const body: readonly (readonly [number, Uint8Array])[] = [
    [0x1000001e, zeroEnded(`${KEEP} text`)],
    [0x10130102, Buffer.from(`<p>${KEEP}</p>${html}`)],
  ];
  return buildTnef(
    tnefAttribute(1, 0x18004, zeroEnded(KEEP)),
    tnefAttribute(1, 0x69003, mapiProperties(...body)),
    ...members.flatMap(({ name, content }) => [
      tnefAttribute(2, 0x69002, Buffer.alloc(14)),
      tnefAttribute(2, 0x18010, zeroEnded(name)),
      tnefAttribute(2, 0x6800f, Buffer.from(content as string)),
    ]),
  );
}

function inMsg(members: readonly Member[], html: string): Uint8Array {
  const streams = members.flatMap(({ name, content }, index): [string, string | Uint8Array][] => {
    const at = `__attach_version1.0_#0000000${index}`;
    return [
      [`${at}/__properties_version1.0`, Buffer.alloc(8)],
      [`${at}/${property('3707')}`, name],
      [`${at}/__substg1.0_37010102`, Buffer.from(content as string)],
    ];
  });
  const body: [string, string | Uint8Array][] = [
    ['__properties_version1.0', Buffer.alloc(32)],
    [property('0037'), KEEP],
    [property('1000'), `${KEEP} text`],
    ['__substg1.0_10130102', Buffer.from(`<p>${KEEP}</p>${html}`)],
  ];
  return outlookMessage(Object.fromEntries([...body, ...streams]));
}

export const mailSamples: Readonly<Record<string, Generator>> = { 'mail/part': mailPart };
