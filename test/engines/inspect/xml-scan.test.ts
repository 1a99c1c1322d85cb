/** The second look's own reading of XML: which elements, attributes and texts it reports, and the words that it counts on the way. */
import { describe, expect, test } from 'vitest';
import { openCount, openTally } from '../../../lib/engines/inspect/word-tally.ts';
import { xmlPlan } from '../../../lib/engines/inspect/xml/plan.ts';
import { scanXml } from '../../../lib/engines/inspect/xml/scan.ts';

const NAMES = { words: 't p', watched: 'seen e', texts: 'f name', skipped: 'hidden', attributes: 'href r' };

function scan(xml: string | Uint8Array, names: Parameters<typeof xmlPlan>[0] = NAMES) {
  const events: string[] = [];
  const bytes = typeof xml === 'string' ? Buffer.from(xml) : xml;
  const counts = [openTally(), openCount()].map((tally) => {
    events.length = 0;
    scanXml(bytes, xmlPlan(names), {
      tally,
      element: (name, attributes) =>
        events.push(`<${name}${[...attributes].map(([key, value]) => ` ${key}=${value}`).join('')}>`),
      attribute: (name, value) => events.push(`${name}=${value}`),
      text: (name, text) => events.push(`${name}: ${text}`),
      declaration: (kind) => events.push(kind),
    });
    return tally.words;
  });
  expect(counts[1], 'the quick count').toBe(counts[0]);
  return { events, words: counts[0] };
}
const eventsOf = (xml: string | Uint8Array) => scan(xml).events;
const wordsOf = (xml: string | Uint8Array) => scan(xml).words;

describe('an element', () => {
  test.each([
    ['<seen/>', ['<seen>']],
    ['<x:Seen a="b" y:C = \'d\' />', ['<seen a=b c=d>']],
    ['<a:b:seen>', ['<seen>']],
    ['<seen\n\ta="1"\r\nb="2">', ['<seen a=1 b=2>']],
    ['<e a="1"></e>', ['<e a=1>']],
    ['<e/>', ['<e>']],
    ['<e>', ['<e>']],
    ['<seen a="&lt;&#65;&amp;lt;">', ['<seen a=<A&lt;>']],
    ['<seen a="x > y" b=\'"\'>', ['<seen a=x > y b=">']],
    ['<seen a b="c">', ['<seen b=c>']],
    ['<seen a=b c="d">', ['<seen c=d>']],
    ['<seens/><see/><xseen/>', []],
    ['<seen', ['<seen>']],
    ['</seen>', []],
    ['<hidden><seen/></hidden>', ['<seen>']],
    ['<!-- <seen/> --><seen/>', ['<seen>']],
    ['<!-- <seen/>', []],
    ['<![CDATA[<seen/>]]><seen/>', ['<seen>']],
  ])('in %j', (xml, events) => expect(eventsOf(xml)).toEqual(events));
});

describe('an attribute', () => {
  test.each([
    ['<a href="b"/>', ['href=b']],
    ["<a x:HREF='b'/>", ['href=b']],
    ['<a r="b"/>', ['r=b']],
    ['<a x="1" y="2" href="b"/>', ['href=b']],
    ['<a hrefs="b" xhref="c"/>', []],
    ['<a x="href=" href="&gt;"/>', ['href=>']],
    ['<seen href="b"/>', ['href=b', '<seen href=b>']],
    ['<a>href="b"</a>', []],
    ['</a href="b">', []],
    ['<a href="b', ['href=b']],
    ['<a href', []],
  ])('in %j', (xml, events) => expect(eventsOf(xml)).toEqual(events));

  test.each([
    ['<a x="1" href="b"/>', ['href=b']],
    ['<a x="href=c" href="b"/>', ['href=b']],
    ['<a xy="1" z=\'2\' href="b"/>', ['href=b']],
  ])('of a plan without short names, in %j', (xml, events) =>
    expect(scan(xml, { ...NAMES, attributes: 'href' }).events).toEqual(events),
  );

  test('is passed over, quoted or not, when none is asked for', () => {
    const plan = { words: 't', watched: '' };
    expect(scan('<t a="one > two" b=\'three > "four\'>five</t>', plan).words).toBe(1);
    expect(scan('<t a="one > two', plan).words).toBe(0);
  });
});

describe('a text', () => {
  test.each([
    ['<f>one</f>', ['f: one']],
    ['<x:F >one</x:F >', ['f: one']],
    ['<f/>', []],
    ['<f></f>', []],
    ['<f>a<!-- b -->c</f>', ['f: ac']],
    ['<f>a<![CDATA[<b>]]>c</f>', ['f: a<b>c']],
    ['<f>a<i>b</i>c</f>', ['f: abc']],
    ['<f>a<f>b</f>c</f>d', ['f: abc']],
    ['<f>a<name>b</name>c</f>', ['f: abc', 'name: abc']],
    ['<f>a<name>b</name><name>c</name></f>', ['f: abc', 'name: abc']],
    ['<f>a', ['f: a']],
    ['<f>a</g>b</f>', ['f: ab']],
    ['<f>&lt;&#x41;&amp;amp;</f>', ['f: <A&amp;']],
    ['<f>a</f><name>b</name>', ['f: a', 'name: b']],
    ['<f>a<f/>b</f>', ['f: ab']],
  ])('in %j', (xml, events) => expect(eventsOf(xml)).toEqual(events));
});

describe('words', () => {
  test.each([
    ['<t>one two</t>', 2],
    ['<w:t xml:space="preserve"> one </w:t>', 1],
    ['<t>one</t>two', 1],
    ['<t/>one', 0],
    ['<q>one</q>', 0],
    ['<t>one<q>two</q>three</t>', 1],
    ['<p>one</p><p>two</p>', 2],
    ['<t>o&#110;e &amp; two</t>', 2],
    ['<t>on&#101;</t>', 1],
    ['<hidden><t>one</t></hidden><t>two</t>', 1],
    ['<hidden><hidden/><t>one</t></hidden><t>two</t>', 1],
    ['<hidden/><t>one</t>', 1],
    ['<hidden><t>one</t></x:hidden ><t>two</t>', 1],
    ['<hidden><t>one</t></hiddens><t>two</t>', 0],
    ['<t><![CDATA[one two]]></t>', 2],
    ['<t>слово два</t>', 2],
    ['<t>one', 1],
    ['<tt>one</tt>', 0],
    ['<T>one</T>', 1],
  ])('in %j: %i', (xml, count) => expect(wordsOf(xml)).toBe(count));

  test('of everything that is not hidden, when all text counts', () => {
    const plan = { skipped: 'hidden', allText: true };
    expect(scan('one<a>two</a><hidden>three</hidden><b>four<![CDATA[ five]]></b>', plan).words).toBe(4);
  });

  test.each([
    'utf-16 with a mark, little end first',
    'big end first',
    'without a mark',
    'big end first, without a mark',
  ])('in %s', (which) => {
    const marked = which.includes('with a mark') || which === 'big end first';
    const bytes = Buffer.from(`${marked ? '\ufeff' : ''}<t>one слово</t>`, 'utf16le');
    expect(wordsOf(which.includes('big') ? bytes.swap16() : bytes)).toBe(2);
  });
});

test('declarations that act are reported, and that of XML itself is not', () => {
  expect(eventsOf('<?xml version="1.0"?><!DOCTYPE a><?x y?><?xmlx ?><a/>')).toEqual([
    'doctype',
    'instruction',
    'instruction',
  ]);
  expect(eventsOf('<?x <seen/> ?><seen/>')).toEqual(['instruction', '<seen>']);
  expect(eventsOf('<!ENTITY a "b"><seen/>')).toEqual(['doctype', '<seen>']);
});
