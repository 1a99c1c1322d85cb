/** Links whose pieces only the style of the page puts together: style attributes, sheets, and tables in cells. */
import { describe, expect, test } from 'vitest';
import { findUrls } from '../../lib/message/urls/find.ts';

const LINK = 'http://bank.example@evil.example/x';
const [FIRST, LAST] = ['http://bank.example', '@evil.example/x'] as const;
const found = (html: string) => findUrls(html, 'html', { urlLength: 8192 }).map(({ normalised }) => normalised);

const BLOCKS = ['div', 'p', 'li', 'h1', 'center', 'address', 'blockquote', 'pre', 'form', 'ul', 'section'];
const APART = ['block', 'flow-root', 'list-item', 'flex', 'grid', 'table', 'initial', 'unset', 'revert', 'inherit'];
const IN_LINE = ['inline', 'contents', 'inline-block', 'INLINE !important'];

describe.each(BLOCKS)('an element %s', (tag) => {
  test.each(IN_LINE)('in the line of its neighbours (display: %s)', (display) => {
    const style = `color:red; display : ${display};margin:0`;
    expect(found(`<td>${FIRST}<${tag} style="${style}">${LAST}</${tag}>`)).toContain(LINK);
    expect(found(`<td><${tag} style="${style}">${FIRST}</${tag}>${LAST}`)).toContain(LINK);
    const rule = `<style>a, b > .y, ${tag}, u{color:red;display:${display}}</style>`;
    expect(found(`${rule}<${tag}>${FIRST}</${tag}><${tag}>${LAST}</${tag}>`)).toContain(LINK);
  });

  test('that is not shown', () => {
    for (const attribute of ['hidden', 'style="display:none"', 'style="DISPLAY:NONE"'])
      expect(found(`<td>${FIRST}<${tag} ${attribute}>words <${tag}>more</${tag}></${tag}>${LAST}`)).toContain(LINK);
  });

  test('on its own line stays apart from its neighbours', () => {
    for (const display of ['', ...APART.map((value) => `display:${value}`), 'color:red'])
      expect(found(`<td>${FIRST}<${tag} style="${display}">${LAST}</${tag}>`)).not.toContain(LINK);
  });
});

describe('a style sheet', () => {
  test('is read where it stands also behind letters whose small form is longer', () => {
    const page = `${'\u0130'.repeat(60)}<style>i{display:none}</style><p>${FIRST}<i> words </i>${LAST}</p>`;
    expect(found(page)).toContain(LINK);
  });

  test.each([
    ['by a class', '.q{display:none}', '<i class="a Q b"> words </i>'],
    ['by an id', '#q{color:red;display:none}', '<i id=q> words </i>'],
    ['by a name', 'br{display:none}', '<br>'],
    ['by the last name of a selector', 'td .x > i.q:hover, p{display:none}', '<i class=q> words </i>'],
    ['under a condition', '@media screen{a{b:c}.q{display:none}}', '<i class=q> words </i>'],
    ['with an escape', '.\\71{d\\69splay:none}', '<i class=q> words </i>'],
    ['with a comment', '.q/**/{display/**/:/**/none}', '<i class=q> words </i>'],
    ['in a nested rule', 'td{& .q{display:none}}', '<i class=q> words </i>'],
    ['in capitals', '.Q{DISPLAY:NONE}', '<i class=q> words </i>'],
    ['behind a number', '.q{margin:0;display:none}', '<i class=q> words </i>'],
    ['behind another rule', 'p{margin:0}.q{display:none}', '<i class=q> words </i>'],
  ])('hides what cuts a link %s', (_, sheet, cut) => {
    expect(found(`<style>${sheet}</style><td>${FIRST}${cut}${LAST}`)).toContain(LINK);
    expect(found(`<td>${FIRST}${cut}${LAST}<style>${sheet}</style>`)).toContain(LINK);
  });

  test('without an end is read to the end of the page', () => {
    expect(found(`<td>${FIRST}<i class=q> words </i>${LAST}<style>.q{display:none}`)).toContain(LINK);
  });

  test.each([
    ['of an earlier rule', '.a{color:red}.q{display:none}'],
    ['whose name is a value of an earlier rule', '.b{font-family:i}.q{display:none}'],
    ['in front of a combinator', '.a>.q{display:none}'],
    ['in front of a space', '.a .q{display:none}'],
  ])('hides no element %s', (_, sheet) => {
    expect(found(`<style>${sheet}</style><td>${FIRST}<i class=a> words </i>${LAST}`)).not.toContain(LINK);
  });

  test('that may not apply hides no link', () => {
    expect(found(`<style>@media print{.q{display:none}}</style><p>${FIRST}<b class=q>${LAST}</b>`)).toContain(LINK);
  });
});

describe('a table in a cell', () => {
  const inCell = (html: string) => `<table><tr><td>${FIRST}${html}</td></tr></table>`;

  test.each([
    ['in a row', `<table><tr>${LAST}<td>words</td></tr></table>`],
    ['behind a cell', `<table><tr><td>words</td>${LAST}</tr></table>`],
    ['behind a row', `<table><tr><td>words</td></tr>${LAST}</table>`],
    [
      'behind a cell of a third table',
      `<table><tr><td><table><tr><td>words</td></tr></table></td>${LAST}</tr></table>`,
    ],
  ])('whose text stands outside of any cell %s is moved in front of it', (_, table) => {
    expect(found(inCell(table))).toContain(LINK);
  });

  test('keeps its cells apart from the text around it, and its rows from each other', () => {
    expect(found(inCell(`<table><tr><td>${LAST}</td></tr></table>`))).not.toContain(LINK);
    expect(found(inCell(`<table><tr><td>words</td></tr></table>${LAST}`))).not.toContain(LINK);
    expect(found(`<table><tr><td>${FIRST}</td></tr><tr><td>${LAST}</td></tr></table>`)).not.toContain(LINK);
  });
});
