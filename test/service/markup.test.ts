/** The runtime of JSX: what a page can be made of. Types refuse most of this already; here nothing checks types. */
import { describe, expect, test } from 'vitest';
import {
  documentText,
  Fragment,
  jsx,
  jsxs,
  NOTHING,
  ownStyle,
  shown,
} from '../../lib/service/server/markup/jsx-runtime.ts';
import {
  attribute,
  fieldText,
  outsideAddress,
  ownAddress,
  ownText,
  titleText,
  toPage,
} from '../../lib/service/server/markup/values.ts';

const HOSTILE = '<b>\u202ehttp://evil.example</b>';
const INERT = '&lt;b&gt;<i class="mark">U+202E</i>hxxp://evil[.]example&lt;/b&gt;';
/** As a page that nobody checked would call it. */
const made = jsx as (type: string, props: Record<string, unknown>) => { readonly markup: string };

describe('a text in an element', () => {
  test('a plain string is cut, defanged, marked and escaped', () => {
    expect(jsx('p', { children: HOSTILE }).markup).toBe(`<p>${INERT}</p>`);
    expect(jsxs('p', { children: ['a ', HOSTILE] }).markup).toBe(`<p>a ${INERT}</p>`);
    expect(jsx(Fragment, { children: HOSTILE }).markup).toBe(INERT);
    const braille = '<i class="mark">U+2800</i>';
    expect(jsx('p', { children: 'a.pdf\u2800\u2800.exe' }).markup).toBe(`<p>a.pdf${braille}${braille}.exe</p>`);
    const blanks = '<i class="mark">U+3000</i>'.repeat(4);
    expect(jsx('p', { children: `a.pdf${'\u3000'.repeat(30)}.exe` }).markup).toBe(
      `<p>a.pdf${blanks}<i class="mark">+26</i>.exe</p>`,
    );
    const ordinary = `\u5c71\u7530\u3000\u592a\u90ce ${'\u00a0'.repeat(9)}1\u202f234\u00a0\u20ac \u2764\ufe0f`;
    expect(jsx('p', { children: ordinary }).markup).toBe(`<p>${ordinary}</p>`);
    expect(jsx('p', { children: 'a'.repeat(401) }).markup).toBe(
      `<p>${'a'.repeat(400)}<span class="cut"> … 1 more characters</span></p>`,
    );
  });

  test('a component gets what is given, and its strings are inert, too', () => {
    const Title = ({ name }: { readonly name?: unknown }) => jsx('h1', { children: name });
    expect(jsx(Title, { name: HOSTILE }).markup).toBe(`<h1>${INERT}</h1>`);
  });

  test('a title, a field and a choice hold characters only', () => {
    expect(jsx('title', { children: HOSTILE }).markup).toBe('<title>&lt;b&gt;hxxp://evil[.]example&lt;/b&gt;</title>');
    expect(jsx('textarea', { children: fieldText('</textarea>', 20) }).markup).toBe(
      '<textarea>\n&lt;/textarea&gt;</textarea>',
    );
    expect(() => made('option', { children: shown('a') })).toThrow('characters only');
  });

  test('items of a list stand one a line, and numbers are written for people', () => {
    const items = [jsx('b', { children: 1_234 }), jsx(Fragment, {}), jsx('b', { children: null })];
    expect(jsx('p', { children: items }).markup).toBe('<p><b>1\u202f234</b>\n<b></b></p>');
  });

  test('nothing inside is nothing', () => {
    expect([jsx(Fragment, { children: [null, ''] }).isEmpty, jsx('p', {}).isEmpty]).toEqual([true, false]);
  });
});

test.each([
  ['an object that says that it is escaped', { isEscaped: true, toString: (): string => '<script>' }],
  ['a string object that says so', Object.assign(new String('<script>'), { isEscaped: true })],
  ['an object with the fields of markup', { markup: '<script>', isEmpty: false }],
  ['an element of hono/jsx by its fields', { tag: 'script', props: {}, children: [] }],
  ['the prototype of markup', Object.create(Object.getPrototypeOf(shown('a')))],
  ['a promise', Promise.resolve('a')],
  ['a function', () => 'a'],
  ['true', true],
])('markup is only what the runtime made: %s is refused', (_, child) => {
  expect(() => made('p', { children: child })).toThrow('Only texts, numbers and markup');
  expect(() => made('p', { children: ['a', [child]] })).toThrow('Only texts, numbers and markup');
});

test.each([
  ['a', { href: 'javascript:alert(1)' }],
  ['a', { href: attribute('/mails') }],
  ['a', { href: { toString: (): string => '/mails' } }],
  ['a', { onclick: ownText('alert(1)') }],
  ['a', { ping: ownAddress('/mails') }],
  ['p', { style: ownText('position:fixed') }],
  ['p', { dangerouslySetInnerHTML: { __html: '<script>' } }],
  ['p', { class: 'verdict" onclick="alert(1)' }],
  ['p', { class: 'of-a-mail' }],
  ['p', { title: 'a plain string' }],
  ['p', { __proto__x: ownText('a') }],
  ['p', { constructor: ownText('a') }],
  ['input', { type: 'image' }],
  ['input', { value: 'a plain string' }],
  ['input', { maxlength: Number.NaN }],
  ['iframe', { srcdoc: ownText('<script>') }],
  ['iframe', { sandbox: 'allow-scripts' }],
  ['form', { formaction: toPage`/mails` }],
  ['meta', { content: 'a plain string' }],
])('an element %s cannot have %o', (name, props) => {
  expect(() => made(name, props)).toThrow(TypeError);
});

test.each(['style', 'object', 'base', 'template', 'math', 'constructor', 'toString', 'b onclick', ''])(
  'a page has no element %s',
  (name) => expect(() => made(name, {})).toThrow(TypeError),
);

describe('a value of an attribute', () => {
  test('ends with its quotes', () => {
    const props = { name: 'name', required: true, maxlength: 60, value: attribute('"><script>\'&') };
    expect(jsx('input', props).markup).toBe(
      '<input name="name" required="" maxlength="60" value="&quot;&gt;&lt;script&gt;&#39;&amp;"/>',
    );
    expect(jsx('option', { selected: false, value: attribute('') }).markup).toBe('<option value=""></option>');
  });

  test('that people see has no links and nothing that acts', () => {
    expect(jsx('p', { title: titleText(HOSTILE, 100) }).markup).toBe(
      '<p title="&lt;b&gt;hxxp://evil[.]example&lt;/b&gt;"></p>',
    );
  });
});

describe('an address', () => {
  test('is ours, and what is put in is one segment or one value', () => {
    const id = '../x?a=1&b#"<//evil.example';
    expect(jsx('a', { href: toPage`/mails/${id}/parts/${'1.2'}?n=${7}` }).markup).toBe(
      '<a href="/mails/..%2Fx%3Fa%3D1%26b%23%22%3C%2F%2Fevil.example/parts/1.2?n=7"></a>',
    );
    for (const up of ['', '.', '..']) expect(() => toPage`/mails/${up}`).toThrow(TypeError);
  });

  test.each(['//evil.example', '/\\evil.example', '/\n/evil.example', 'https://evil.example', 'mails', '/a b', ''])(
    'that was put together elsewhere is refused when it leads away: %j',
    (address) => expect(() => ownAddress(address)).toThrow(TypeError),
  );

  test('elsewhere is a web address', () => {
    expect(jsx('a', { href: outsideAddress('https://desk.example/a?b&c') }).markup).toBe(
      '<a href="https://desk.example/a?b&amp;c"></a>',
    );
    for (const url of ['javascript:alert(1)', 'data:text/html,a', 'file:///etc/passwd'])
      expect(() => outsideAddress(url)).toThrow(TypeError);
  });
});

test('a style cannot end itself, and a page begins with its type', () => {
  expect(() => ownStyle('</style><script>')).toThrow(TypeError);
  expect(documentText(jsx('html', { children: ownStyle('a > b { content: "c" }') }))).toBe(
    '<!doctype html>\n<html><style>a > b { content: "c" }</style></html>\n',
  );
});

test('a piece that was weighed stands in a page as it would without', () => {
  const piece = shown('<b> http://evil.example/a');
  const before = jsx('p', { children: piece }).markup;
  expect(piece.markup).toBe('&lt;b&gt; hxxp://evil[.]example/a');
  expect(piece.markup).toBe('&lt;b&gt; hxxp://evil[.]example/a');
  expect(jsx('p', { children: piece }).markup).toBe(before);
  expect(NOTHING.markup).toBe('');
  expect(NOTHING.isEmpty).toBe(true);
});
