import { describe, expect, test } from 'vitest';
import { buildZip } from '../../fixtures/build-office.ts';
import { disarmReport } from './run-disarm.ts';
import { image, KEEP, run } from './run-odf.ts';

describe('removed from the markup', () => {
  const listener =
    '<office:event-listeners><script:event-listener script:language="ooo:script" xlink:href="THREAT"/></office:event-listeners>';
  test.each<[string, string, string]>([
    ['an event on a link', `<text:p><text:a xlink:href="https://example.com/">${listener}x</text:a></text:p>`, 'event'],
    [
      'a macro of a slide',
      '<presentation:event-listener presentation:action="execute-macro" script:macro-name="THREAT"/>',
      'event',
    ],
    [
      'a program of a slide',
      '<presentation:event-listener presentation:action="run-program" xlink:href="THREAT.exe"/>',
      'event',
    ],
    ['an object', '<draw:frame><draw:object xlink:href="./Object 1/THREAT"/></draw:frame>', 'embedded object'],
    ['an OLE object', '<draw:frame><draw:object-ole xlink:href="./THREAT"/></draw:frame>', 'embedded object'],
    ['an object in the markup', '<draw:object><math:math>THREAT</math:math></draw:object>', 'embedded object'],
    ['a plug-in', '<draw:plugin xlink:href="http://THREAT/"/>', 'embedded object'],
    ['an applet', '<draw:applet draw:code="THREAT"><draw:param draw:value="THREAT"/></draw:applet>', 'embedded object'],
    ['a frame', '<draw:floating-frame xlink:href="http://THREAT/"/>', 'frame'],
    ['a script', '<text:p><text:script script:language="JavaScript">THREAT</text:script></text:p>', 'macro'],
    ['a macro field', '<text:execute-macro text:name="THREAT">KEEP shown</text:execute-macro>', 'macro'],
    [
      'a DDE declaration',
      '<text:dde-connection-decls><text:dde-connection-decl office:dde-item="THREAT"/></text:dde-connection-decls>',
      'DDE link',
    ],
    [
      'a DDE field',
      '<text:p><text:dde-connection text:connection-name="THREAT">KEEP shown</text:dde-connection></text:p>',
      'DDE link',
    ],
    ['a DDE section', '<text:section><office:dde-source office:dde-topic="THREAT"/></text:section>', 'DDE link'],
    [
      'a DDE table',
      '<table:dde-links><table:dde-link><office:dde-source office:dde-item="THREAT"/></table:dde-link></table:dde-links>',
      'DDE link',
    ],
    [
      'a database field',
      '<text:p><text:database-display text:table-name="THREAT">KEEP shown</text:database-display></text:p>',
      'data connection',
    ],
    ['a database row', '<text:p><text:database-next text:table-name="THREAT"/></text:p>', 'data connection'],
    [
      'a linked table',
      '<table:table><table:table-source xlink:href="file:///THREAT.ods"/></table:table>',
      'linked content',
    ],
    [
      'a linked range',
      '<table:table-cell><table:cell-range-source xlink:href="http://THREAT"/></table:table-cell>',
      'linked content',
    ],
    [
      'a linked section',
      '<text:section><text:section-source xlink:href="http://THREAT"/></text:section>',
      'linked content',
    ],
    [
      'a form',
      '<office:forms><form:form form:command="THREAT" xlink:href="http://THREAT"><form:button form:href="THREAT"/></form:form></office:forms>',
      'form',
    ],
    ['a remote picture', image('http://THREAT/a.png'), 'external picture'],
    ['a picture on a share', image('//THREAT/a.png'), 'external picture'],
    ['a picture that is another part', image('content.xml?THREAT'), 'external picture'],
    ['a command of an animation', '<anim:command anim:command="THREAT"/>', 'event'],
    ['a sound', '<presentation:sound xlink:href="file:///THREAT.wav"/>', 'event'],
    ['any other element with a target', '<text:p xlink:href="http://THREAT/"/>', 'linked content'],
    ['markup of an unknown vocabulary', '<q:x xmlns:q="urn:q">THREAT</q:x>', 'unknown markup'],
    ['an attribute of an unknown vocabulary', '<text:p xmlns:q="urn:q" q:x="THREAT" y="THREAT"/>', 'unknown markup'],
    ['a reference in an attribute', '<draw:frame draw:name="file:///THREAT"/>', 'external reference'],
  ])('%s', async (_what, markup, kind) => {
    const { all, content, kinds } = await run({ body: KEEP + markup });
    expect(all).not.toContain('THREAT');
    expect(content).toContain(KEEP);
    if (markup.includes('KEEP shown')) expect(content).toContain('KEEP shown');
    expect(kinds).toContain(kind);
  });

  test.each([
    'javascript:THREAT',
    'file:///THREAT',
    '\\\\THREAT\\a',
    '//THREAT/a',
    ' java&#9;script:THREAT',
    'smb://THREAT/',
    'vnd.sun.star.script:THREAT',
    'macro:///THREAT',
    '../THREAT.odt',
    'data:text/html,THREAT',
    'ms-word:THREAT',
  ])('the link %s, whose text stays', async (href) => {
    const { all, content, kinds } = await run({
      body: `<text:p><text:a xlink:href="${href}">KEEP text</text:a></text:p>`,
    });
    expect(all).not.toContain('THREAT');
    expect(content).toContain(KEEP);
    expect(kinds).toContain('unsafe link');
  });

  test('scripts of the document, reported only when there are any', async () => {
    const script =
      '<office:scripts><office:script script:language="ooo:Basic"><ooo:libraries><ooo:library-embedded ooo:name="THREAT"/></ooo:libraries></office:script></office:scripts>';
    const { all, kinds } = await run({ before: script, body: KEEP });
    expect(all).not.toMatch(/THREAT|script/);
    expect(kinds).toContain('macro');
    expect((await run({ before: '<office:scripts/>', body: `${KEEP}<office:forms/>` })).kinds).toEqual([]);
  });
});

describe('removed from the package', () => {
  test.each([
    ['Basic/Standard/Module1.xml', 'macro'],
    ['Scripts/python/a.py', 'macro'],
    ['Dialogs/a.xml', 'macro'],
    ['Object 1/content.xml', 'embedded object'],
    ['Object 2', 'embedded object'],
    ['Configurations2/accelerator/current.xml', 'custom user interface'],
    ['Thumbnails/thumbnail.png', 'thumbnail'],
    ['META-INF/documentsignatures.xml', 'digital signature'],
    ['META-INF/macrosignatures.xml', 'digital signature'],
    ['Fonts/a.ttf', 'embedded font'],
    ['payload.exe', 'unknown part'],
    ['Pictures/unused.png', 'picture that nothing shows'],
  ])('%s', async (name, kind) => {
    const { parts, all, kinds } = await run({ body: KEEP, parts: [[name, 'THREAT']] });
    expect([...parts.keys()]).toEqual([
      'mimetype',
      'content.xml',
      'styles.xml',
      'settings.xml',
      'meta.xml',
      'META-INF/manifest.xml',
    ]);
    expect(all).not.toContain('THREAT');
    expect(kinds).toContain(kind);
  });

  test('properties and settings about people and computers', async () => {
    const { all, kinds, parts } = await run({
      body: KEEP,
      meta: '<meta:generator>LibreOffice/7.4</meta:generator><dc:creator>THREAT</dc:creator><meta:template xlink:href="http://THREAT"/><meta:user-defined meta:name="a">THREAT</meta:user-defined>',
      settings:
        '<config:config-item-set config:name="ooo:a"><config:config-item config:name="PrinterName" config:type="string">THREAT</config:config-item>' +
        '<config:config-item config:name="LinkUpdateMode" config:type="short">1</config:config-item>' +
        '<config:config-item config:name="AddParaTableSpacing" config:type="boolean">true</config:config-item></config:config-item-set>',
    });
    expect(all).not.toMatch(/THREAT|LinkUpdateMode/);
    expect(parts.get('meta.xml')).toContain('<meta:generator>LibreOffice/7.4</meta:generator>');
    expect(parts.get('settings.xml')).toContain('>true</config:config-item>');
    expect(kinds).toEqual(['printer settings', 'document properties', 'external template']);
  });

  test('whether changes are shown stays, and their password does not', async () => {
    const { parts } = await run({
      body: KEEP,
      settings:
        '<config:config-item-set config:name="ooo:a"><config:config-item config:name="ShowRedlineChanges" config:type="boolean">false</config:config-item>' +
        '<config:config-item config:name="RedlineProtectionKey" config:type="base64Binary">YQ==</config:config-item></config:config-item-set>',
    });
    expect(parts.get('settings.xml')).toContain('config:name="ShowRedlineChanges" config:type="boolean">false<');
    expect(parts.get('settings.xml')).not.toContain('RedlineProtectionKey');
  });
});

test('a document of OpenOffice.org 1 is refused with what to ask for', async () => {
  const content =
    '<!DOCTYPE office:document-content PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "office.dtd"><office:document-content xmlns:office="http://openoffice.org/2000/office"><office:body/></office:document-content>';
  const manifest =
    '<manifest:manifest xmlns:manifest="http://openoffice.org/2001/manifest"><manifest:file-entry manifest:media-type="application/vnd.sun.xml.writer" manifest:full-path="/"/></manifest:manifest>';
  const letter = await buildZip([
    ['content.xml', content],
    ['META-INF/manifest.xml', manifest],
  ]);
  expect(await disarmReport(letter, 'letter.sxw')).toMatchObject({
    outcome: 'failed',
    failure: { code: 'unsupported', message: expect.stringContaining('; ask for it as an OpenDocument file') },
  });
});
