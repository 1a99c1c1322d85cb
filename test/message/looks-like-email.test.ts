import { describe, expect, test } from 'vitest';
import { looksLikeEmail } from '../../lib/formats/mail/looks-like-email.ts';
import { ORDINARY_MAIL } from './ordinary-mail.ts';

const looks = (text: string) => looksLikeEmail(Buffer.from(text, 'latin1'));

describe('is an email', () => {
  test.each(ORDINARY_MAIL)('$name', ({ email }) => expect(looksLikeEmail(email)).toBe(true));

  test.each([
    ['a byte order mark in front', '\xef\xbb\xbfFrom: a@example.com\r\n\r\nx'],
    ['blank lines in front', '\r\n\r\nFrom: a@example.com\r\n\r\nx'],
    ['an mbox line in front', 'From a@example.com Fri Nov 20 2026\nReceived: by x\n\nx'],
    ['a request line in front of machine headers', 'POST / HTTP/1.1\r\nFrom: a\r\nTo: b\r\nMIME-Version: 1.0\r\n\r\nx'],
    ['a header longer than the look', `Received: ${'x'.repeat(70_000)}`],
    ['names in any case', 'MESSAGE-ID: <1@example.com>\r\n\r\n'],
  ])('%s', (_, text) => expect(looks(text)).toBe(true));
});

describe('is a bare file', () => {
  test.each([
    ['nothing', ''],
    ['white space', ' \r\n\t\r\n'],
    ['a PDF', '%PDF-1.7\n%\xe2\xe3\n1 0 obj\n<< /Type /Catalog >>\n'],
    ['a zip', 'PK\x03\x04\x14\x00\x00\x00\x08\x00subject: x'],
    ['prose', 'Dear Bob,\n\nFrom: here on it gets worse.\nTo: be sure.\n'],
    ['prose whose first line has a colon', 'Note: all is well.\nWe shall see.\n\nSubject: none\n'],
    ['JSON', '{\n  "from": "a@example.com",\n  "subject": "x"\n}\n'],
    ['YAML', 'version: "3"\nservices:\n  web:\n    image: nginx\n    from: here\n'],
    ['YAML with a marker', '---\nsubject: x\nfrom: y\n'],
    ['HTML', '<!DOCTYPE html>\n<html>\n<head><meta name="subject"></head>\n'],
    ['an executable', 'MZ\x90\x00\x03\x00\x00\x00\x04\x00'],
    ['a long line without an end', 'x'.repeat(100_000)],
    ['a forwarded note in a text', 'Forwarded:\n> From: a\n> Subject: b\n'],
  ])('%s', (_, text) => expect(looks(text)).toBe(false));
});
