/** Pages and mails as common programs write them. Their formatting stays, and none is refused. */
import { describe, expect, test } from 'vitest';
import { disarmed, disarmReport } from './run-disarm.ts';

const LETTER = Array.from({ length: 30 }, (_, index) => `<p>Line ${index} of the <b>letter</b>.</p>`).join('');

/** The disarmed page, by the first way of the format. A second pass must change nothing. */
async function rebuilt(page: string | Uint8Array): Promise<string> {
  const report = await disarmReport(page, 'page.html');
  expect(report).toMatchObject({ quality: { strategy: 'rebuild' } });
  if (report.outcome === 'failed') throw new Error(report.failure.message);
  expect((await disarmed(report.bytes, 'page.html')).outcome).toBe('already_safe');
  return Buffer.from(report.bytes).toString('utf8');
}

describe('a title that looks like markup is text, and the page keeps its formatting', () => {
  test.each([
    ['a script', 'how to use <script> tags', '&lt;script&gt; tags'],
    ['the start of a comment', 'x <!-- y', 'x &lt;!-- y'],
    ['a form', 'the <textarea> element', '&lt;textarea&gt;'],
    ['types', '1 < 2: List<String> & Map<K,V>', 'Map&lt;K,V&gt;'],
  ])('%s', async (_, title, kept) => {
    const html = await rebuilt(`<html><head><title>${title}</title></head><body>${LETTER}</body></html>`);
    expect(html).toContain(kept);
    expect(html).toContain('Line 7 of the <b>letter</b>.');
  });

  test('a bracket in a title that opens no tag does not change the page', async () => {
    const page = `<html><head><title>1 < 2</title></head><body>${LETTER}</body></html>`;
    expect((await disarmed(page, 'page.html')).outcome).toBe('already_safe');
  });
});

describe('ordinary mails keep their words and tables', () => {
  test.each([
    [
      'Word and Outlook',
      `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name=Generator content="Microsoft Word 15"><!--[if !mso]><style>v\\:* {behavior:url(#default#VML);}</style><![endif]--><style><!-- p.MsoNormal {margin:0cm} --></style><!--[if gte mso 9]><xml><o:shapedefaults v:ext="edit" spidmax="1026" /></xml><![endif]--></head><body lang=EN-GB link="#0563C1"><div class=WordSection1>${LETTER}<p class=MsoNormal><span style='font-size:11.0pt;mso-fareast-language:EN-US'>Dear all<o:p></o:p></span></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><!--[if gte vml 1]><v:shape id="x"><v:imagedata src="cid:image001.png@01"/></v:shape><![endif]--><![if !vml]><img width=10 src="cid:image001.png@01"><![endif]></div></body></html>`,
      'font-size: 11.0pt',
    ],
    [
      'Mailchimp',
      `<!doctype html><html><head><!--[if gte mso 15]><xml><o:AllowPNG/></xml><![endif]--><meta charset="UTF-8"><title>*|MC:SUBJECT|*</title><style>p{margin:10px 0}</style></head><body><!--*|IF:MC_PREVIEW_TEXT|*--><!--[if !gte mso 9]><!----><span style="display:none">Preview</span><!--<![endif]--><center><table align="center" width="100%"><tr><td style="padding-top:9px;background-image:none"><!--[if (gte mso 9)|(IE)]><table><tr><td><![endif]-->${LETTER}<!--[if (gte mso 9)|(IE)]></td></tr></table><![endif]--></td></tr></table></center><img src="https://x.example/open.gif" width=1 height=1></body></html>`,
      '<style>p { margin: 10px 0 }</style>',
    ],
    [
      'SendGrid',
      `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html data-editor-version="2" xmlns="http://www.w3.org/1999/xhtml"><body><center class="wrapper" data-link-color="#1188E6"><table role="module" data-type="text" border="0"><tr><td bgcolor="#ffffff">${LETTER}</td></tr></table></center></body></html>`,
      'bgcolor="#ffffff"',
    ],
    [
      'Salesforce',
      `<html><body><style type="text/css">div.preheader{display:none !important}</style><custom name="opencounter" type="tracking"><table width="600" style="min-width: 100%; "><tr><td><form action="https://x.example" method="get">${LETTER}</form></td></tr></table></custom></body></html>`,
      '<table width="600" style="min-width: 100%">',
    ],
    [
      'Gmail',
      `<div dir="ltr">Hi<br clear="all"><div class="gmail_signature" data-smartmail="gmail_signature">Jo</div></div><div class="gmail_quote"><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204)">${LETTER}</blockquote></div>`,
      'border-left: 1px solid rgb(204,204,204)',
    ],
    [
      'Apple Mail',
      `<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"></head><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space;">Hello<div><object type="application/x-apple-data-detectors"><a href="tel:123">Call</a></object></div><blockquote type="cite">${LETTER}</blockquote></body></html>`,
      'overflow-wrap: break-word',
    ],
  ])('%s', async (_, page, kept) => {
    const html = await rebuilt(page);
    expect(html).toContain(kept);
    expect(html).toContain('Line 29 of the <b>letter</b>.');
  });
});

test.each([
  ['little', false],
  ['big', true],
])('a page in UTF-16 that does not say so is counted as what it is (%s end first)', async (_, isSwapped) => {
  const bytes = Buffer.from(`<html><body onload="x()">${LETTER}</body></html>`, 'utf16le');
  expect(await rebuilt(isSwapped ? bytes.swap16() : bytes)).toContain('Line 29 of the <b>letter</b>.');
});

test('a long page gets a second pass, too', async () => {
  const report = await disarmReport(`<body onload="x()">${LETTER.repeat(2_400)}</body>`, 'page.html');
  expect(report).toMatchObject({ outcome: 'disarmed', quality: { checks: expect.arrayContaining(['second pass']) } });
});
