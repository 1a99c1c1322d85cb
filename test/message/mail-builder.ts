/** Builds mail for tests from its pieces. */

const HEAD = [
  'Return-Path: <ann@example.com>',
  'Received: from mx.example.com (mx.example.com [192.0.2.1])',
  '\tby in.example.org (Postfix) with ESMTPS id 4A1B2C',
  '\tfor <bob@example.org>; Fri, 20 Nov 2026 10:00:00 +0000 (UTC)',
  'DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=k1;',
  '        h=from:to:subject; bh=frcCV1k9oG9oKj3dpUqdJg1PxRT2RSN/XKdLCPjaYaY=;',
  '        b=VGhpcyBpcyBubyByZWFsIHNpZ25hdHVyZQ==',
  'Date: Fri, 20 Nov 2026 11:00:00 +0100',
  'From: Ann Example <ann@example.com>',
  'To: Bob <bob@example.org>',
  'Message-ID: <1234.5678@example.com>',
  'Subject: Minutes of the meeting',
  'MIME-Version: 1.0',
];

/** CRLF lines; the last one without a line break unless it is followed by an empty string. */
export function lines(...text: readonly string[]): string {
  return text.join('\r\n');
}

/** A message: the customary head, then these lines. */
export function mail(...rest: readonly string[]): Buffer {
  return Buffer.from(lines(...HEAD, ...rest), 'utf8');
}

export function base64(content: string | Buffer): string {
  return Buffer.from(content).toString('base64').replace(/.{76}/g, '$&\r\n');
}

/** A multipart: its Content-Type line, blank line, parts between delimiters, closing delimiter, line break. */
export function multipart(subtype: string, boundary: string, parts: readonly string[], note = ''): string {
  const delimited = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('');
  return `Content-Type: multipart/${subtype}; boundary="${boundary}"\r\n\r\n${note}${delimited}--${boundary}--\r\n`;
}

export const TEXT = lines('Content-Type: text/plain; charset="utf-8"', '', 'Hello Bob,', '', 'see below.', '');
export const HTML = lines(
  ...['Content-Type: text/html; charset="utf-8"', 'Content-Transfer-Encoding: quoted-printable', ''],
  ...['<html><body style=3D"margin:0"><p>Hello Bob, see the picture and =', 'the file.</p></body></html>', ''],
);
export const PICTURE = lines(
  ...['Content-Type: image/png; name="image001.png"', 'Content-Description: image001.png'],
  ...['Content-Disposition: inline; filename="image001.png"; size=70;'],
  ...['\tcreation-date="Fri, 20 Nov 2026 10:00:00 GMT"', 'Content-ID: <image001.png@01DB3A5C.7F2E0A10>'],
  ...['Content-Transfer-Encoding: base64', '', base64('\x89PNG not really a picture, only bytes in its place')],
);
export const PDF = lines(
  ...['Content-Type: application/pdf; name="report (final).pdf"'],
  ...['Content-Disposition: attachment; filename="report (final).pdf"', 'Content-Transfer-Encoding: base64', ''],
  base64(Buffer.alloc(400, '%PDF-1.7 not really\n')),
);
