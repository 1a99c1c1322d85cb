/** XHTML comes out as HTML. */
import { expect, test } from 'vitest';
import { disarmed, disarmReport, refusalCode } from './run-disarm.ts';

const page = (body: string, prolog = '<?xml version="1.0" encoding="UTF-8"?>') =>
  `${prolog}\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">\n` +
  `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Title</title></head><body>${body}</body></html>`;

/** A page without a document type of HTML, so that its root decides what it is. */
const plain = (body: string) =>
  `<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Title</title></head><body>${body}</body></html>`;

test.each([
  ['a page without a name', 'page', plain('<p>KEEP <b>bold</b> <a href="https://a.example/">link</a></p>')],
  ['a page by its name', 'a.xhtml', plain('<p>KEEP <b>bold</b> <a href="https://a.example/">link</a></p>')],
  ['a page with a document type', 'a.xhtml', page('<p>KEEP <b>bold</b> <a href="https://a.example/">link</a></p>')],
  [
    'a page without a declaration of XML',
    'a.xhtml',
    plain('<p>KEEP <b>bold</b> <a href="https://a.example/">link</a></p>').slice(22),
  ],
  [
    'a page without a name space',
    'a.xht',
    '<html><head><title>Title</title></head><body><p>KEEP <b>bold</b> <a href="https://a.example/">link</a></p></body></html>',
  ],
])('%s comes out as HTML with its text and its links', async (_what, name, content) => {
  const { outcome, extension, text } = await disarmed(content, name);
  expect({ outcome, extension }).toEqual({ outcome: 'disarmed', extension: 'html' });
  expect(text).toContain('<p>KEEP <b>bold</b> <a href="https://a.example/"');
  expect((await disarmed(text, 'a.html')).outcome).toBe('already_safe');
});

test('code is removed, also under a prefix, in an entity and behind an empty element', async () => {
  const hostile =
    '<p onclick="THREAT()">KEEP</p><script>THREAT()</script>' +
    '<x:script xmlns:x="http://www.w3.org/1999/xhtml">THREAT()</x:script>' +
    '<script src="THREAT.js"/><p>behind</p><svg xmlns="http://www.w3.org/2000/svg"><script>THREAT</script></svg>';
  const { text } = await disarmed(plain(hostile), 'a.xhtml');
  expect(text).toMatch(/KEEP[\s\S]*behind/);
  expect(text).not.toMatch(/THREAT|script|onclick|<svg/);
});

test('a fragment of a requirement (ReqIF), whose prefix nothing declares, keeps its structure', async () => {
  const list = '<reqif-xhtml:li><reqif-xhtml:strong>First</reqif-xhtml:strong></reqif-xhtml:li>';
  const content = `<reqif-xhtml:div>Heading<reqif-xhtml:br/><reqif-xhtml:ul>${list}</reqif-xhtml:ul></reqif-xhtml:div>`;
  const { extension, text } = await disarmed(content, 'requirement.xhtml');
  expect(extension).toBe('html');
  expect(text).toContain('<div>Heading<br/><ul><li><strong>First</strong></li></ul></div>');
});

test('the text of CDATA sections stays text', async () => {
  const { text } = await disarmed(plain('<p><![CDATA[1 < 2 <script>run()</script>]]></p>'), 'a.xhtml');
  expect(text).toContain('1 &lt; 2 &lt;script&gt;run()&lt;/script&gt;');
});

test('the words of the page are counted', async () => {
  expect(await disarmReport(plain('<p>one two three</p>'), 'a.xhtml')).toMatchObject({
    quality: { words: { before: 4, kept: 4 } },
  });
});

test('an encoding that hides markup is refused', async () => {
  const content = plain('<p>a</p>').replace('version="1.0"', 'version="1.0" encoding="UTF-7"');
  expect(await refusalCode(content, 'a.xhtml')).toBe('unreadable');
});

test('under the name of HTML it is read as HTML, without code and without markup that only XML understands', async () => {
  const kept = await disarmed(page('<p>KEEP</p>'), 'a.html');
  expect(kept).toMatchObject({
    outcome: 'disarmed',
    extension: 'html',
    text: expect.stringMatching(/^<!DOCTYPE html>/),
  });
  expect(kept.kinds).toEqual(['page comment', 'other attribute']);
  const { outcome, text } = await disarmed(page('<p onclick="LIVE()">KEEP</p><script>LIVE()</script>'), 'a.html');
  expect({ outcome, isKept: text.includes('KEEP'), isLive: text.includes('LIVE') }).toEqual({
    outcome: 'disarmed',
    isKept: true,
    isLive: false,
  });
});
