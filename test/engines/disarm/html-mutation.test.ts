import fc from 'fast-check';
import { expect, test } from 'vitest';
import { disarm } from '../../../lib/engines/disarm/html/html.ts';
import { DEFAULT_ENGINE_LIMITS } from '../../../lib/engines/engine.ts';
import { roundsOf } from '../../hostile/share.ts';

const HTML = { type: 'text/html', extension: 'html', description: 'HTML page' };

async function run(page: string) {
  const input = { bytes: new TextEncoder().encode(page), untrustedName: 'page.html', password: null };
  const report = await disarm(input, HTML, DEFAULT_ENGINE_LIMITS);
  return { outcome: report.outcome, html: new TextDecoder().decode(report.bytes) };
}

const ACTIVE_MARKUP =
  /<\s*(?:script|style|svg|math|iframe|object|embed|form|base|template|noscript|link)|[\s/]on\w+\s*=|javascript:/i;

/** Markup that is harmless when it is read once, and becomes active when the written page is read again. */
const MUTATIONS = [
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<math><annotation-xml encoding="text/html"><style><img src=x onerror=alert(1)></style></annotation-xml></math>',
  '<svg><desc><table><thead><s></table></s><table><thead><s></desc></svg><script>alert(1)</script>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>',
  '<listing>&lt;img src=x onerror=alert(1)&gt;</listing><script></script>',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  '<title><a href="</title><img src=x onerror=alert(1)>"></title>',
  '<iframe><a title="</iframe><img src=x onerror=alert(1)>"></iframe>',
  '<noembed><a title="</noembed><img src=x onerror=alert(1)>"></noembed>',
  '<template><s><template><s><img src=x onerror=alert(1)>x</s></template></s></template>',
  '<select><style></select><img src=x onerror=alert(1)>',
  '<svg><foreignObject><p><table><svg><style><img src=x onerror=alert(1)>',
  '<table><caption><svg><title><table></caption><style><img src=x onerror=alert(1)>',
  '<a href="x" title="` onmouseover=alert(1)">x</a><img alt="`><img src=x onerror=alert(1)>">',
  '<p id="&quot;onmouseover=alert(1) x=&quot;" onclick=1>x</p>',
  '<!--><img src=x onerror=alert(1)>--><!--!><svg onload=alert(1)>',
  '<![CDATA[<svg onload=alert(1)>]]><svg><![CDATA[></svg><img src=x onerror=alert(1)>]]>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<style>*{}</style/><img src=x onerror=alert(1)><svg><style>&lt;/style&gt;&lt;img src=x onerror=alert(1)&gt;</style>',
];

test.each(MUTATIONS)('is not tricked by markup that changes when read again: %s', async (page) => {
  const { outcome, html } = await run(`<p onclick=x>CDRKEEP</p>${page}`);
  expect(outcome).toBe('disarmed');
  expect(await run(html)).toEqual({ outcome: 'already_safe', html });
  expect(html).toContain('CDRKEEP');
  const tags = html
    .replace(/"[^"]*"/g, '""')
    .match(/<[^>]*>/g)
    ?.join('');
  expect(tags).not.toMatch(ACTIVE_MARKUP);
});

const NAMES =
  'a p div table tr td th caption colgroup col tbody select option form button b i nobr font svg math mtext mglyph title style ' +
  'annotation-xml foreignObject script noscript template iframe textarea xmp plaintext noembed frameset frame html head body pre ' +
  'listing h1 ul li dd ruby rt img image br object center dialog';
const tag = fc.constantFrom(...NAMES.split(' '));
const piece = fc.oneof(
  tag.map((name) => `<${name}>`),
  tag.map((name) => `</${name}>`),
  fc.constantFrom(
    ...[
      '<a href="javascript:x">',
      '<img src=x onerror=y>',
      '<p title="</noscript>">',
      '<b onclick=1>',
      '<font color=red>',
    ],
    ...[
      'text',
      ' ',
      '&lt;',
      '&#13;',
      '\n',
      '\r\n',
      '<!--',
      '-->',
      '<!DOCTYPE html>',
      '<pre>\n\n',
      '<![CDATA[',
      ']]>',
      '"',
      '`',
    ],
    ...['\0', '<!--[if mso]>', '<![endif]-->', '+ADw-', 'é', '<td style="color:red;width:1px">'],
  ),
);

test('gives any page a form that the next disarm finds safe and does not change', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 22 }), async (pieces) => {
      const { html } = await run(pieces.join(''));
      expect(await run(html)).toEqual({ outcome: 'already_safe', html });
    }),
    { numRuns: roundsOf(1_500) },
  );
});
