/** Maps keep their places, words and looks, and load nothing. */
import { expect, test } from 'vitest';
import { buildPng } from '../../fixtures/build-image.ts';
import { buildKml, buildKmz, placemark } from '../../fixtures/build-map.ts';
import { buildZip } from '../../fixtures/build-office.ts';
import { zipMembersOf } from '../../hostile/disarm/layers.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

const kml = async (markup: string) => (await disarmed(buildKml(markup), 'a.kml')).text;

test('what is written comes back byte for byte', async () => {
  const once = await disarmed(buildKml(placemark('Office')), 'a.kml');
  expect((await disarmed(once.bytes, 'a.kml')).outcome).toBe('already_safe');
});

test('places, lines, areas, tracks and looks stay', async () => {
  const markup =
    '<Style id="s"><LineStyle><color>ff0000ff</color><width>4</width></LineStyle></Style>' +
    '<Placemark><name>A walk</name><styleUrl>#s</styleUrl><LineString><tessellate>1</tessellate><coordinates>7,50 8,51,2</coordinates></LineString></Placemark>' +
    '<Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>7,50 8,51 7,52</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>' +
    '<Placemark><TimeSpan><begin>2026-11-20</begin></TimeSpan><Point><coordinates>1.5e1,2</coordinates></Point></Placemark>';
  expect(await kml(markup)).toContain(markup);
});

test.each([
  ['Café &amp; bar', 'Café &amp; bar'],
  ['AT&amp;T', 'AT&amp;T'],
  ['a &lt; b', 'a &lt; b'],
  ['one\ntwo', 'one\ntwo'],
  ['<![CDATA[<p>one</p>two<br>three]]>', 'one\ntwo\nthree'],
  ['<![CDATA[<a href="https://www.example.com/menu">our <b>menu</b></a>]]>', 'our menu (https://www.example.com/menu)'],
  ['&lt;b&gt;bold&lt;/b&gt; &amp;amp;lt;script&gt;', 'bold &amp;amp;lt;script&gt;'],
  ['<![CDATA[a &lt;b> c]]>', 'a &amp;lt;b&gt; c'],
])('the description %j is written as the plain text %j', async (description, plain) => {
  const text = await kml(placemark('x', description));
  expect(text).toContain(`<description>${plain}</description>`);
  expect((await disarmed(text, 'a.kml')).outcome).toBe('already_safe');
});

test('a map that is loaded from elsewhere is left out, and said', async () => {
  const { text, kinds } = await disarmed(
    buildKml(
      `${placemark('Here')}<NetworkLink><Link><href>https://maps.example/x.kml</href></Link></NetworkLink>` +
        '<Style id="s"><IconStyle><Icon><href>https://maps.example/pin.png</href></Icon></IconStyle></Style>',
    ),
    'a.kml',
  );
  expect(text).not.toContain('maps.example');
  expect(text).toContain('<IconStyle/>');
  expect(kinds).toEqual(['remote map', 'external picture']);
});

test('a zip keeps the map and the pictures that it shows', async () => {
  const icon = '<Style id="s"><IconStyle><Icon><href>icons/my%20pin.png</href></Icon></IconStyle></Style>';
  const picture = buildPng();
  const bytes = await buildKmz(buildKml(icon + placemark('Here')), [
    ['icons/my pin.png', picture],
    ['notes.txt', 'hello'],
  ]);
  const result = await disarmed(bytes, 'a.kmz');
  const members = new Map(zipMembersOf(result.bytes));
  expect([...members.keys()]).toEqual(['doc.kml', 'files/picture-1.png']);
  expect(members.get('doc.kml')?.toString()).toContain('<href>files/picture-1.png</href>');
  expect(result.kinds).toEqual(['unused part']);
  expect(result.extension).toBe('kmz');
  expect((await disarmed(result.bytes, 'a.kmz')).outcome).toBe('already_safe');
});

test.each([
  ['a page', 'a.kml', '<html><script>x</script></html>'],
  ['damaged', 'a.kml', buildKml('<Placemark>')],
  ['with entities', 'a.kml', buildKml('<name>&x;</name>').replace('<kml', '<!DOCTYPE kml [<!ENTITY x "y">]><kml')],
  ['in EBCDIC', 'a.kml', buildKml('').replace('UTF-8', 'IBM037')],
])('a map that is %s is refused', async (_, name, content) => {
  expect(await refusalCode(content, name)).toBe('unreadable');
});

test('a zip without a map under the name of one is refused', async () => {
  expect(await refusalCode(await buildZip([['a.txt', 'x']]), 'a.kmz')).toBe('unsupported');
});
