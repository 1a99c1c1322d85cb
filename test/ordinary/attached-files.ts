/** One mail for each type of file that people attach: harmless files that the tests have. */

import type { FileType } from '../../lib/formats/file-types.ts';
import { ordinaryFiles } from '../checkers/ordinary.ts';
import { buildTnef, tnefAttribute, zeroEnded } from '../fixtures/build-tnef.ts';
import { sampleOf } from '../formats/format-samples.ts';
import { ATTACHMENTS } from './attachments.ts';
import { filePart, lines, mailOf, multipart, type OrdinaryMail, textPart } from './ordinary-mail.ts';

/** Texts that programs write and people attach. */
const TEXTS: Readonly<Record<string, string>> = {
  'settings.json': '{"name": "thing", "version": "2.3.1", "ports": [25, 587]}\n',
  'deploy.yaml': 'name: thing\nsteps:\n  - build\n  - test\n',
  'settings.yml': 'language: de\n',
  'fix.patch': '--- a/readme.txt\n+++ b/readme.txt\n@@ -1 +1 @@\n-old\n+new\n',
  'fix.diff': '--- a/readme.txt\n+++ b/readme.txt\n@@ -1 +1 @@\n-old\n+new\n',
  'notes.md': '# Notes\n\n* one\n* two\n',
  'server.log': 'Nov 20 10:00:00 mx postfix/smtpd[4711]: connect from unknown[198.51.100.7]\n',
  'app.conf': 'listen = 8080\nlog = info\n',
  'app.ini': '[main]\nlanguage=de\n',
  'app.properties': 'language=de\n',
  'app.toml': 'title = "thing"\n',
  'query.sql': 'select name from customers where id = 4711;\n',
  'thesis.tex': '\\documentclass{article}\\begin{document}Hello\\end{document}\n',
  'main.c': 'int main(void) { return 0; }\n',
  'Main.java': 'class Main { int one() { return 1; } }\n',
  'main.go': 'package main\n\nfunc main() {}\n',
  'main.cpp': 'int main() { return 0; }\n',
  'main.h': 'int one(void);\n',
  'Program.cs': 'class Program { int One() => 1; }\n',
  'main.rs': 'fn main() {}\n',
  'main.swift': 'let one = 1\n',
  'Main.kt': 'fun main() {}\n',
  'analysis.r': 'one <- 1\n',
  'model.m': 'one = 1;\n',
  'words.po': 'msgid "Hello"\nmsgstr "Hallo"\n',
  'references.bib': '@book{a, title={A thing}}\n',
  'manual.adoc': '= Manual\n\nOne.\n',
  'rows.jsonl': '{"one": 1}\n{"one": 2}\n',
  'words.vtt': 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n',
  'manual.rst': 'Manual\n======\n\nOne.\n',
  'style.css': 'p { color: #333 }\n',
  'track.gpx':
    '<?xml version="1.0"?><gpx version="1.1" creator="thing" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="52.5" lon="13.4"/></gpx>\n',
  'place.kml':
    '<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>Office</name></Placemark></kml>\n',
  'words.srt': '1\n00:00:01,000 --> 00:00:02,000\nHello\n',
  'key.asc': '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmDMEZ\n-----END PGP PUBLIC KEY BLOCK-----\n',
};

/** Types of which only the samples of formats have a file. */
const SAMPLED: readonly FileType[] = [
  'application/x-7z-compressed',
  'application/gzip',
  'application/x-bzip2',
  'application/x-xz',
  'application/vnd.rar',
  'application/vnd.ms-word.document.macroenabled.12',
  'application/vnd.ms-excel.sheet.macroenabled.12',
  'application/vnd.ms-powerpoint.presentation.macroenabled.12',
  'application/vnd.oasis.opendocument.presentation',
  'application/vnd.oasis.opendocument.graphics',
  'application/vnd.oasis.opendocument.text-template',
  'application/vnd.oasis.opendocument.spreadsheet-template',
  'application/vnd.oasis.opendocument.presentation-template',
];

/** At most so many files of one extension: there are dozens of some. */
const PER_EXTENSION = 2;

/** `winmail.dat` of Outlook: a subject, a text and a file. */
function winmail(name: string, content: string): Uint8Array {
  return buildTnef(
    tnefAttribute(1, 0x78008, zeroEnded('IPM.Microsoft Mail.Note')),
    tnefAttribute(1, 0x18004, zeroEnded('Minutes')),
    tnefAttribute(2, 0x69002, Buffer.alloc(14)),
    tnefAttribute(2, 0x18010, zeroEnded(name)),
    tnefAttribute(2, 0x6800f, Buffer.from(content)),
  );
}

/** One mail a file. */
export async function attachedFiles(): Promise<OrdinaryMail[]> {
  const files = [
    ...(await ordinaryFiles(false)).map(({ name, bytes }) => ({ name, bytes })),
    ...(await Promise.all(SAMPLED.map(sampleOf))).flatMap((sample) => sample ?? []),
    ...Object.entries(TEXTS).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    ...ATTACHMENTS.map(([name, , content]) => ({ name, bytes: Buffer.from(content) })),
    { name: 'winmail.dat', bytes: winmail('minutes.txt', 'Minutes of Tuesday\r\n') },
    { name: 'winmail.dat', bytes: winmail('table.csv', 'a,b\r\n1,2\r\n') },
  ];
  const seen = new Map<string, number>();
  const chosen = files.filter(({ name }) => {
    const extension = extensionOf(name);
    const before = seen.get(extension) ?? 0;
    seen.set(extension, before + 1);
    return before < PER_EXTENSION;
  });
  return chosen.map(({ name, bytes }, at) => {
    const text = textPart(lines('Hello Bob,', '', 'here is the file.', '', 'Ann', ''));
    const file = filePart(name, 'application/octet-stream', bytes);
    const head = { from: 'Ann <ann@sender.example>', subject: 'The file' };
    return {
      id: `file ${at} ${name}`,
      group: 'file',
      bytes: mailOf(head, multipart('mixed', 'file-b1', [text, file])),
    };
  });
}

/** The extension of a file name, in lower case. */
export const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();
