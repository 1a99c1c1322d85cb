/** What ordinary PDFs do: they move to a page when they are opened, open manuals beside them, and carry the scripts of form programs. */
import { describe, expect, test } from 'vitest';
import { verdictOn } from './analyse.ts';
import { attachedFile, pdfWith, scriptAction } from './pdf-fixture.ts';

const LINK = '9 0 obj <</Type /Annot /Subtype /Link /A <</S /URI /URI (https://papers.example/)>>>> endobj';
const link = (target: string) => pdfWith(`4 0 obj <</S /URI /URI (${target})>> endobj`);
const verdict = (bytes: Uint8Array) => verdictOn(bytes, 'a.pdf');

describe('an action that starts by itself, in a document with links,', () => {
  test.each([
    ['that moves to a page, as LaTeX writes it', '/OpenAction 4 0 R', '4 0 obj <</S /GoTo /D [3 0 R /Fit]>> endobj'],
    ['that is a place in a list', '/OpenAction 4 0 R', '4 0 obj [3 0 R /Fit] endobj'],
    ['that is a place by its name', '/OpenAction <</S /GoTo /D (chapter.1)>>', ''],
    ['that moves to the next page', '/OpenAction <</S /Named /N /NextPage>>', ''],
    ['that prints', '/OpenAction <</S /Named /N /Print>>', ''],
    ['that shows a layer with the page', '', '4 0 obj <</AA <</O <</S /SetOCGState /State [/ON 7 0 R]>>>>>> endobj'],
    ['that is none', '', '4 0 obj <</AA <</O null>>>> endobj'],
    [
      'that is a page content in an older version',
      '/OpenAction 4 0 R',
      '4 0 obj <</Length 3>>\nstream\nq Q\nendstream endobj\n4 0 obj <</S /GoTo /D [3 0 R /Fit]>> endobj',
    ],
  ])('%s is benign', async (_, catalog, objects) => {
    expect(await verdict(pdfWith(`${LINK}\n${objects}`, catalog))).toBe('benign');
  });

  test.each([
    ['that opens a link', '/OpenAction <</S /URI /URI (https://pay.example/)>>', ''],
    ['that chooses another item of a menu', '/OpenAction <</S /Named /N /SaveAs>>', ''],
    ['that is not there', '/OpenAction 8 0 R', ''],
    ['that opens a link behind a move', '/OpenAction <</S /GoTo /D [3 0 R /Fit] /Next 9 0 R>>', ''],
    ['that opens a link with a page', '', '4 0 obj <</AA 5 0 R>> endobj 5 0 obj <</O 9 0 R>> endobj'],
    ['of a type that is written elsewhere', '/OpenAction <</S 5 0 R>>', '5 0 obj /GoTo endobj'],
    ['that has two versions', '/OpenAction 4 0 R', '4 0 obj <</S /GoTo>> endobj 4 0 obj <</S /URI>> endobj'],
    ['that has two types', '/OpenAction <</S /GoTo /S /URI>>', ''],
    ['that is the actions of a page, too', '/AA 4 0 R /OpenAction 4 0 R', '4 0 obj <</S /URI /URI (a)>> endobj'],
    ['under an escaped name', '/Open#41ction <</S /U#52I>>', ''],
  ])('%s is suspicious', async (_, catalog, objects) => {
    const linked = LINK.replace('/A <<', '/S /URI /A <<');
    expect(await verdict(pdfWith(`${linked}\n${objects}`, catalog))).toMatch(/^suspicious .*pdf-open-action/);
  });

  test('is followed through long chains and loops', async () => {
    const chain = Array.from(
      { length: 30_000 },
      (_, at) => `${at + 10} 0 obj <</S /GoTo /Next ${at + 11} 0 R>> endobj`,
    );
    expect(await verdict(pdfWith(`${LINK}\n${chain.join('\n')}`, '/OpenAction 10 0 R'))).toMatch(/pdf-open-action/);
    const loop = '4 0 obj <</S /GoTo /Next 5 0 R>> endobj 5 0 obj <</S /GoTo /Next 4 0 R>> endobj';
    expect(await verdict(pdfWith(`${LINK}\n${loop}`, '/OpenAction 4 0 R'))).toBe('benign');
  });
});

describe('a document that opens another one', () => {
  const opening = (file: string, type = 'GoToR') => pdfWith(`4 0 obj <</S /${type} /F ${file} /D [0 /Fit]>> endobj`);

  test.each([
    ['beside it', '(manual.pdf)'],
    ['in another folder', '(../parts/2nd part 100 % done.PDF)'],
    ['by a file specification', '<</Type /Filespec /F (manual.pdf) /UF (\\376\\377\\000a\\000.\\000p\\000d\\000f)>>'],
    ['by a file specification elsewhere', '5 0 R >> endobj 5 0 obj <</F (manual.pdf)'],
  ])('%s is a fact', async (_, file) => {
    expect(await verdict(opening(file))).toBe('unknown pdf-remote');
    expect(await verdict(opening(file, 'Launch'))).toBe('unknown pdf-launch');
  });

  test('at once is suspicious', async () => {
    for (const type of ['GoToR', 'Launch']) {
      const bytes = pdfWith(`4 0 obj <</S /${type} /F (manual.pdf)>> endobj`, '/OpenAction 4 0 R');
      expect(await verdict(bytes)).toMatch(/^(?:suspicious|malicious) .*pdf-open-action/);
    }
  });
});

test.each([
  'ftp://ftp.papers.example/pub/a.txt',
  'news:comp.text.tex',
  'doi:10.1000/182',
  'urn:isbn:0451450523',
  'arXiv:math/9201303',
  'CTAN:/macros/latex',
  'file:ChangeLog.txt',
  'file:///Users/writer/paper.html',
  'C:\\\\Work\\\\a.tiff',
])('a link to %s is benign', async (target) => {
  expect(await verdict(link(target))).toBe('benign');
});

test('a few words before the header are a fact, and anything else there is suspicious', async () => {
  const behind = (text: string) => Buffer.concat([Buffer.from(text), pdfWith('')]);
  expect(await verdict(behind('Some words before the header.\n\n'))).toBe('unknown polyglot');
  expect(await verdict(behind('Content-Type: application/pdf\r\n\r\n'))).toBe('unknown polyglot');
  for (const text of ['GIF89a words ', 'MZ words ', '<html>', 'a=1/*', '#!/bin/sh\n']) {
    expect(await verdict(behind(text))).toMatch(/^suspicious .*polyglot/);
  }
});

test.each([
  ['a source of LaTeX', 'paper.tex', '\\documentclass{article}\n\\begin{document}a\\end{document}\n', undefined],
  ['a text that is not marked as a file', 'note.txt', 'The total is in the second row.\n', ''],
])('an attached file that is %s is a fact', async (_, name, content, dictionary) => {
  expect(await verdict(pdfWith(attachedFile(name, content, dictionary)))).toMatch(/^unknown pdf-embedded-file/);
});

describe('the script of a form', () => {
  test.each([
    ['names a field without the document', 'getField("a").hidden = getField("b").value == "";'],
    ['sets names without declaring them', 'box = this.getField("a");\nif (box.value == "Off") box.value = "";'],
    [
      'takes the next item of a list',
      'var c = [color.red, color.blue];\nvar n = 0;\nfield.textColor = c[n++ % 2];\nvar field = this.getField("a");',
    ],
    ['keeps a value at the document', 'this.kept = [];\nthis.kept.push(this.getField("a").value);'],
    ['empties the form', 'event.target.doc.resetForm();'],
    ['asks what to print', 'if (app.popUpMenu("First page", "All") == "All") this.print({ bUI: false, nStart: 0 });'],
    ['shows a comment', 'function show() { var note = this.getAnnot(this.pageNum, "a"); note.popupOpen = true; }'],
    [
      'has functions whose names begin like others',
      'function clearPopup() { this.getField("a").value = ""; }\nclearPopup();',
    ],
  ])('that %s is a fact', async (_, script) => {
    expect(await verdict(pdfWith(scriptAction(script)))).toBe('unknown pdf-form-script');
  });

  const note = (page: string, more = '') => `if (typeof(this.ADBE) == "undefined") this.ADBE = new Object();
ADBE.New_Version_URL = "${page}";
ADBE.SYSINFO = "?p=" + app.platform + "&v=" + app.viewerVersion;${more}
if (app.viewerVersion < 9 && app.alert("A newer version is needed.", 1, 1) == 1) this.getURL(ADBE.New_Version_URL + ADBE.SYSINFO, false);`;

  test('that asks for a newer reader, as the form programs of Adobe write it, is a fact', async () => {
    const script = note('http://cgi.adobe.com/special/acrobat/update');
    expect(await verdict(pdfWith(scriptAction(script)))).toBe('unknown pdf-form-script');
  });

  test.each([
    ['opens the page of another', note('http://cgi.adobe.com.pay.example/update')],
    [
      'opens another page in the end',
      note('http://cgi.adobe.com/update', '\nADBE.New_Version_URL = "http://pay.example/";'),
    ],
    ['adds to the page', note('http://cgi.adobe.com/update', '\nADBE.New_Version_URL += ".pay.example";')],
    ['adds another query', note('http://cgi.adobe.com', '\nADBE.SYSINFO = ".pay.example/?p=" + app.platform;')],
    ['has a page of many texts', note('http://cgi.adobe.com/a" + "@pay.example')],
  ])('that %s is suspicious', async (_, script) => {
    expect(await verdict(pdfWith(scriptAction(script)))).toMatch(/^suspicious .*pdf-javascript/);
  });
});
