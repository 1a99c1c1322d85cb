/** What an ordinary mail of this folder is, and what its parts are built with. Texts are ours; names and addresses are example ones. */

/** One mail in the shape of a real program. */
export interface OrdinaryMail {
  /** Unique among all. */
  readonly id: string;
  readonly group:
    | ('bounce' | 'dmarc' | 'data' | 'newsletter' | 'tech')
    | ('letter' | 'list' | 'charset' | 'calendar' | 'file' | 'signed' | 'encrypted');
  readonly bytes: Uint8Array;
  /** What a person reads in it, if the reader of the tests cannot read its charset. */
  readonly words?: string;
}

/** CRLF lines. */
export const lines = (...text: readonly string[]): string => text.join('\r\n');

/** Base64 in lines of 76 characters. */
export const base64 = (content: string | Uint8Array): string =>
  Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n');

export interface Head {
  readonly from: string;
  readonly subject: string;
  /** More fields, each a line. @default none */
  readonly fields?: readonly string[];
}

/** A message: the customary fields, then lines of content fields, a blank line and the body. */
export function mailOf({ from, subject, fields = [] }: Head, ...rest: readonly string[]): Uint8Array {
  return Buffer.from(
    lines(
      'Received: from mx.sender.example (mx.sender.example [192.0.2.10])',
      '\tby in.recipient.example (Postfix) with ESMTPS id 4Tq1Xw2c5z',
      '\tfor <bob@recipient.example>; Fri, 20 Nov 2026 10:00:00 +0000 (UTC)',
      `From: ${from}`,
      'To: Bob Recipient <bob@recipient.example>',
      `Subject: ${subject}`,
      'Date: Fri, 20 Nov 2026 11:00:00 +0100',
      'Message-ID: <20261120110000.4711@sender.example>',
      ...fields,
      'MIME-Version: 1.0',
      ...rest,
    ),
  );
}

/** A multipart of parts that begin with their own fields. `isClosed`: with its closing boundary. */
export function multipart(type: string, boundary: string, parts: readonly string[], isClosed = true): string {
  const delimited = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('');
  return `Content-Type: multipart/${type}; boundary="${boundary}"\r\n\r\n${delimited}${isClosed ? `--${boundary}--\r\n` : ''}`;
}

/** A text part. */
export const textPart = (text: string, type = 'text/plain; charset=utf-8'): string =>
  lines(`Content-Type: ${type}`, 'Content-Transfer-Encoding: 8bit', '', text, '');

/** An attached file. */
export const filePart = (name: string, type: string, content: string | Uint8Array): string =>
  lines(
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    base64(content),
  );
