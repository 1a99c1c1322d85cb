import { describe, expect, test } from 'vitest';
import { rebuildDrawing } from '../../../lib/engines/disarm/svg/svg.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { buildPng } from '../../fixtures/build-image.ts';
import { disarmed, refusalCode } from './run-disarm.ts';

const SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const drawing = (content: string, attributes = '') => `<svg ${SVG} ${attributes}>${content}</svg>`;

describe('removed from a drawing', () => {
  test.each([
    ['a script', drawing('<script>LIVE</script>'), 'script'],
    [
      'a script in another name space',
      drawing('<x:script xmlns:x="http://www.w3.org/1999/xhtml">LIVE</x:script>'),
      'script',
    ],
    ['an event handler', drawing('', 'onload="LIVE"'), 'event handler'],
    ['an event handler in odd case', drawing('<rect OnClick="LIVE"/>'), 'event handler'],
    [
      'foreign markup',
      drawing('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">LIVE</p></foreignObject>'),
      'foreign markup',
    ],
    ['a style sheet', drawing('<style>@import "LIVE";</style>'), 'style sheet'],
    ['an animation of a link', drawing('<a><animate attributeName="href" values="LIVE"/></a>'), 'animation'],
    ['a set', drawing('<set attributeName="onclick" to="LIVE"/>'), 'animation'],
    ['an unsafe link', drawing('<a xlink:href="java&#9;script:LIVE"><text>x</text></a>'), 'unsafe link'],
    ['a use of another file', drawing('<use href="https://LIVE.example/a.svg#x"/>'), 'external reference'],
    ['a remote picture', drawing('<image xlink:href="https://LIVE.example/a.png"/>'), 'external reference'],
    ['a drawing in a drawing', drawing('<image href="data:image/svg+xml;base64,LIVE"/>'), 'external reference'],
    ['a remote paint', drawing('<rect fill="url(https://LIVE.example/a)"/>'), 'external reference'],
    ['a remote paint with an escape', drawing('<rect fill="u\\72l(https://LIVE.example/a)"/>'), 'external reference'],
    [
      'a remote paint in a style',
      drawing('<rect style="fill:red;filter:url(//LIVE.example/a)"/>'),
      'external reference',
    ],
    ['a remote paint behind a comment', drawing('<rect style="fill:ur/**/l(LIVE)"/>'), 'external reference'],
    ['a processing instruction', `<?xml-stylesheet href="LIVE"?>${drawing('')}`, 'processing instruction'],
    ['a document type', `<!DOCTYPE svg [<!ENTITY x "LIVE">]>${drawing('')}`, 'document type declaration'],
  ])('%s', async (_, svg, kind) => {
    const { outcome, text, kinds } = await disarmed(svg, 'a.svg');
    expect({ outcome, kinds }).toEqual({ outcome: 'disarmed', kinds: expect.arrayContaining([kind]) });
    expect(text).not.toContain('LIVE');
  });
});

test('shapes, text, paints, clips and safe links stay, and a second pass changes nothing', async () => {
  const content = [
    '<defs><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient><clipPath id="c"><rect width="1"/></clipPath></defs>',
    '<g clip-path="url(#c)" transform="scale(2)"><rect fill="url(#g)" style="stroke:blue;stroke-width:2"/><path d="M0 0L1 1"/></g>',
    '<text x="1"><tspan>Total &amp; &lt;tax&gt;</tspan></text><use xlink:href="#g"/><a xlink:href="https://a.example/"><text>go</text></a>',
  ].join('');
  const first = await disarmed(drawing(content, 'viewBox="0 0 9 9"'), 'a.svg');
  expect(first.kinds).toEqual([]);
  expect(first.text).toContain(content.replaceAll('&gt;', '&gt;'));
  expect(await disarmed(first.bytes, 'a.svg')).toMatchObject({ outcome: 'already_safe', text: first.text });
});

test.each(["url('#g')", 'url(&quot;#g&quot;)', 'url( #g )'])('a paint of the drawing stays as %s', async (paint) => {
  const content = `<defs><pattern id="g"><rect width="1"/></pattern></defs><rect fill="${paint}"/>`;
  const { kinds, text } = await disarmed(drawing(content), 'a.svg');
  expect(kinds).toEqual([]);
  expect(text).toContain(paint);
});

test('a picture in a drawing is disarmed as a picture', async () => {
  const png = Buffer.concat([buildPng(), Buffer.from('LIVE')]);
  const { text } = await disarmed(drawing(`<image href="data:image/png;base64,${png.toString('base64')}"/>`), 'a.svg');
  const kept = Buffer.from(/base64,([^"]+)"/.exec(text)?.[1] ?? '', 'base64');
  expect(kept.subarray(0, 4).toString('latin1')).toBe('\x89PNG');
  expect(kept.toString('latin1')).not.toContain('LIVE');
});

test.each([
  ['an entity of markup', `<!DOCTYPE svg [<!ENTITY x "<g/>">]>${drawing('&x;')}`, 'unreadable'],
  ['an entity of an entity', `<!DOCTYPE svg [<!ENTITY x "y"><!ENTITY z "&x;&x;">]>${drawing('&z;')}`, 'unreadable'],
  ['an entity of a file', `<!DOCTYPE svg [<!ENTITY x SYSTEM "a.txt">]>${drawing('&x;')}`, 'unreadable'],
  ['an entity that a comment declares', `<!DOCTYPE svg [<!-- <!ENTITY x "y"> -->]>${drawing('&x;')}`, 'unreadable'],
  [
    'an entity that is used without end',
    `<!DOCTYPE svg [<!ENTITY x "${'y'.repeat(10_000)}">]>${drawing('&x;'.repeat(101))}`,
    'oversize',
  ],
  ['broken markup', '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>', 'unreadable'],
  [
    'an encoding that hides markup',
    '<?xml version="1.0" encoding="UTF-7"?><svg xmlns="http://www.w3.org/2000/svg"/>',
    'unreadable',
  ],
  ['deep nesting', drawing('<g>'.repeat(300) + '</g>'.repeat(300)), 'oversize'],
])('refused: %s', async (_, svg, code) => {
  expect(await refusalCode(svg, 'a.svg')).toBe(code);
});

test('a drawing of Illustrator, whose name spaces and styles are entities, is the drawing that it names', async () => {
  const svg = `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [
\t<!ENTITY ns_svg "http://www.w3.org/2000/svg">
\t<!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/">
\t<!ENTITY st0 'fill:#00FF00;'>
\t<!ENTITY st0 'fill:#FF0000;'>
]><svg xmlns="&ns_svg;" xmlns:i="&ns_ai;" i:viewOrigin="1 2"><rect style="&st0;"/><i:pgf>LIVE eJzsvWtz HMeZLvgL 6j/0fpgI 68SwUZmV WVXpPbER${' LIVE'.repeat(40)}</i:pgf></svg>`;
  const { text } = await disarmed(svg, 'a.svg');
  expect(text).toMatch(/<rect style="fill:#00FF00;?"\/>/);
  expect(text).not.toMatch(/LIVE|ENTITY|viewOrigin|ns_/);
});

test('a link that an entity spells is judged as the link', async () => {
  const svg = `<!DOCTYPE svg [<!ENTITY x "java"><!ENTITY y "script:LIVE">]>${drawing('<a href="&x;&y;"><rect/></a>')}`;
  const { kinds, text } = await disarmed(svg, 'a.svg');
  expect(kinds).toContain('unsafe link');
  expect(text).not.toContain('LIVE');
});

test('a bomb of uses is refused in time', async () => {
  const levels = Array.from(
    { length: 12 },
    (_, level) => `<g id="l${level + 1}">${`<use xlink:href="#l${level}"/>`.repeat(10)}</g>`,
  );
  expect(await refusalCode(drawing(`<rect id="l0"/>${levels.join('')}`), 'a.svg')).toBe('oversize');
});

describe('a style sheet', () => {
  const styled = async (css: string, shapes: string) =>
    (await disarmed(drawing(`<style>${css}</style>${shapes}`), 'a.svg')).text;

  test.each([
    ['openings of comments', '/*'.repeat(240_000)],
    ['selectors without a rule', 'a'.repeat(490_000)],
    ['closings of rules', '}{'.repeat(240_000)],
  ])('of 490 KB of %s is read in time', async (_, css) => {
    expect(await styled(`rect{fill:red}${css}`, '<rect/>')).toContain('<rect style="fill:red"/>');
  });

  test('does not turn a small file into a large one', async () => {
    const svg = drawing(`<style>*{font-family:${'a'.repeat(20_000)}}</style>${'<rect/>'.repeat(5_000)}`);
    const { bytes } = await rebuildDrawing(Buffer.from(svg), DEFAULT_ENGINE_LIMITS, async () => null);
    const text = Buffer.from(bytes).toString('utf8');
    expect(text.match(/<rect/g)).toHaveLength(5_000);
    expect(text.length).toBeLessThan(21_000_000);
  });

  test('is read despite comments and other blocks', async () => {
    const css = '/* .a{fill:blue} */@media print{/*/ x{ */rect{fill:green}}.a,circle{stroke:red}/* left open';
    expect(await styled(css, '<rect class="a"/>')).toContain('style="fill:green;stroke:red"');
  });
});
