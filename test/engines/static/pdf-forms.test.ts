/**
 * Scripts of ordinary forms and attached documents are facts, because the disarm takes them out and nothing in them is a sign of an attack. Each of
 * the others reaches out of the document in a way of its own.
 */
import { describe, expect, test } from 'vitest';
import { verdictOn } from './analyse.ts';
import { attachedFile, pdfWith, scriptAction } from './pdf-fixture.ts';

const inStream = (script: string) =>
  `4 0 obj <</S /JavaScript /JS 5 0 R>> endobj\n5 0 obj <</Length ${script.length}>>\nstream\n${script}\nendstream endobj`;

describe('the script of a form', () => {
  test.each([
    ['formats a field', 'AFNumber_Format(2, 0, 0, 0, "", true);'],
    ['adds fields', 'AFSimple_Calculate("SUM", new Array("a", "b"));'],
    [
      'calculates',
      'var a = this.getField("a").value;\nif (a > 3 && !isNaN(a)) event.value = a * 2 / 3; else event.value = "";',
    ],
    [
      'calls a function of its own',
      'function next(doc, e, name) {\n  if (e.willCommit) doc.getField(name).setFocus();\n}\nnext(this, event, "b");',
    ],
    ['asks', 'if (event.value > 9) app.alert({ cMsg: "At most nine.", nIcon: 2 });'],
    ['prints', 'this.print(true);'],
    ['checks what is typed', 'event.rc = /^[0-9/]{1,9}$/.test(event.change) || event.change == "";'],
    [
      'keeps a list',
      'var a = new Array(3);\nfor (var i = 0; i < 3; i++) a[i] = this.getField("f." + i).value;\nevent.value = a.join(" ");',
    ],
    ['has remarks', '// app.launchURL("https://a.example")\n/* eval("a") */ event.value = 1;'],
    ['writes a date', 'event.value = util.printd("mm/dd/yyyy", new Date());'],
  ])('that %s is a fact', async (_, script) => {
    expect(await verdictOn(pdfWith(scriptAction(script)), 'a.pdf')).toBe('unknown pdf-form-script');
    expect(await verdictOn(pdfWith(inStream(script)), 'a.pdf')).toMatch(/^unknown .*pdf-form-script/);
  });

  test.each([
    ['shows a dialogue and does nothing for the form', 'app.alert("hello");'],
    ['opens an address', 'app.launchURL("https://pay.example/");'],
    ['opens an attached file', 'this.exportDataObject({ cName: "a", nLaunch: 2 });'],
    ['sends the form', 'this.submitForm("https://pay.example/");'],
    ['runs a text', 'eval("a" + 1);'],
    ['waits, and runs a text', 'app.setTimeOut("a", 9);'],
    ['chooses an item of a menu', 'app.execMenuItem("a");'],
    ['puts the name of a method together', 'this["launch" + "URL"]("https://pay.example/");'],
    ['keeps the name of a method', 'var k = "get" + "URL";\nthis[k]("https://pay.example/");'],
    ['keeps a method', 'var k = "ev" + "al";\nvar f = this[k];\nf("a");'],
    ['has a list call a method', 'var k = "ev" + "al";\nvar a = new Array("a", "b");\na.sort(this[k]);'],
    ['has a text call a method', 'var k = "ev" + "al";\n"a".replace(/a/, this[k]);'],
    ['has a value call a method', 'var k = "ev" + "al";\nvar a = new Date();\na.toString = this[k];'],
    ['sets a property by its name', 'var k = "base" + "URL";\nvar d = this;\nd[k] = "https://pay.example/";'],
    ['calls what makes functions', 'var a = new Array(1);\na.sort.constructor("a")();'],
    [
      'gives an own name to what it calls elsewhere',
      'function f() { var getURL = 1; }\ngetURL("https://pay.example/");',
    ],
    ['declares a function in another', 'function f() { function ANSend() {} }\nANSend("a");'],
    ['writes a name with escapes', 'ev\\u0061l("a");'],
    ['hides code behind a comment of pages', 'var a = 1; <!-- /*\neval("a"); /* */'],
    ['hides code in what may be a pattern', 'if (event.rc) /"/.test(eval("a")) //"/'],
    ['hides code behind the end of a remark', '// note\reval("a")'],
    ['hides code behind another end of a remark', '// note\neval("a")'],
    ['has a text that nothing ends', 'event.value = "a'],
    ['calls an unknown method', 'this.blaze();'],
    ['uses an unknown name', 'event.value = blaze;'],
    ['is longer than people write', `event.value = 1;${' '.repeat(140_000)}`],
  ])('that %s is suspicious', async (_, script) => {
    expect(await verdictOn(pdfWith(scriptAction(script)), 'a.pdf')).toMatch(
      /^(?:suspicious|malicious) .*pdf-javascript/,
    );
    expect(await verdictOn(pdfWith(inStream(script)), 'a.pdf')).toMatch(/^(?:suspicious|malicious) .*pdf-javascript/);
  });

  test('that cannot be found is suspicious', async () => {
    expect(await verdictOn(pdfWith('4 0 obj <</S /JavaScript /JS 9 0 R>> endobj'), 'a.pdf')).toBe(
      'suspicious pdf-javascript',
    );
  });

  test('of which one version acts is suspicious', async () => {
    const both = `${inStream('event.value = 1;')}\n5 0 obj (app.launchURL\\("https://pay.example/"\\)) endobj`;
    expect(await verdictOn(pdfWith(both), 'a.pdf')).toMatch(/^suspicious .*pdf-javascript/);
  });
});

describe('a file attached to a PDF', () => {
  const attached = (name: string, content: string, dictionary?: string) =>
    pdfWith(attachedFile(name, content, dictionary));

  test.each([
    ['an invoice as XML', 'factur-x.xml', '<?xml version="1.0"?><Invoice><Total>3</Total></Invoice>'],
    ['a text', 'note.txt', 'The total is in the second row.\n'],
    ['a table', 'table.csv', 'a,b,c\n1,2,3\n4,5,6\n'],
    ['another PDF', 'other.pdf', pdfWith('').toString('latin1')],
  ])('that is %s is a fact', async (_, name, content) => {
    expect(await verdictOn(attached(name, content), 'a.pdf')).toMatch(/^unknown pdf-embedded-file/);
  });

  test.each([
    ['a program by its bytes', 'note.txt', `MZ${'\x90\0'.repeat(60)}`],
    ['a script by its name', 'note.txt.js', 'The total is in the second row.\n'],
    ['settings that start a program', 'note.settingcontent-ms', '<a/>'],
    ['a page', 'note.html', '<!doctype html><html><body>a</body></html>'],
    ['a page under another name', 'note.txt', '<!doctype html><html><body>a</body></html>'],
    ['of an unknown kind', 'note.blaze', 'The total is in the second row.\n'],
  ])('that is %s is suspicious', async (_, name, content) => {
    expect(await verdictOn(attached(name, content), 'a.pdf')).toMatch(/^(?:suspicious|malicious) .*pdf-embedded-file/);
  });

  test('in a filter that is not read is suspicious', async () => {
    const dictionary = '/Type /EmbeddedFile /Filter /LZWDecode';
    expect(await verdictOn(attached('note.txt', 'The total.\n', dictionary), 'a.pdf')).toMatch(/^suspicious /);
  });
});
