/** Codes that a text or a page draws without a picture. */
import { afterAll, describe, expect, test } from 'vitest';
import { createCodeReader } from '../../lib/formats/codes/reader.ts';
import { qrModules } from '../fixtures/build-codes.ts';
import { search } from './search-rig.ts';

const reader = createCodeReader();
afterAll(() => reader.close());

const EVIL = 'https://evil.example/qr';
const MODULES = await qrModules(EVIL);
type Modules = readonly (readonly boolean[])[];

const rowsAs = (dark: string, light: string, modules: Modules = MODULES) =>
  modules.map((row) => row.map((isDark) => (isDark ? dark : light)).join(''));
const at = (x: number, y: number) => MODULES[y]?.[x] === true;
const every = (step: number) => Array.from({ length: Math.ceil(MODULES.length / step) }, (_, index) => index * step);
const halfBlocks = () =>
  every(2).map((y) =>
    every(1)
      .map((x) => ' ▀▄█'.charAt((at(x, y) ? 1 : 0) + (at(x, y + 1) ? 2 : 0)))
      .join(''),
  );
const DOTS = [
  [0, 0],
  [0, 1],
  [0, 2],
  [1, 0],
  [1, 1],
  [1, 2],
  [0, 3],
  [1, 3],
] as const;
const braille = () =>
  every(4).map((y) =>
    every(2)
      .map((x) =>
        String.fromCharCode(
          0x2800 + DOTS.reduce((bits, [dx, dy], dot) => bits | (at(x + dx, y + dy) ? 1 << dot : 0), 0),
        ),
      )
      .join(''),
  );
/** Runs of one colour in a row. */
const runsOf = (row: readonly boolean[]) =>
  [
    ...row
      .map((isDark) => (isDark ? '1' : '0'))
      .join('')
      .matchAll(/1+|0+/g),
  ].map(([run]) => ({ isDark: run[0] === '1', length: run.length }));

const table = (cell: (isDark: boolean) => string) =>
  `<table cellspacing=0>${MODULES.map((row) => `<tr>${row.map(cell).join('')}</tr>\n`).join('')}</table>`;
const rects = (fill: string) =>
  MODULES.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`<rect x="${x}" y="${y}" width="1" height="1"${fill}/>`] : [])),
  ).join('');

const find = async (text: string, type: string) => {
  let asked = 0;
  const readCodes: typeof reader.read = (request) => {
    asked++;
    return reader.read(request);
  };
  const { urls, notSearched } = await search(
    text,
    { detectedType: type, declaredType: type, charset: 'utf-8' },
    { readCodes },
  );
  return {
    codes: urls.filter(({ where }) => where === 'code').map(({ normalised }) => normalised),
    notSearched,
    asked,
  };
};

describe('a text draws a code', () => {
  test.each([
    ['with two characters for a module', rowsAs('##', '  ')],
    ['with two letters', rowsAs('XX', '..')],
    ['with blocks', rowsAs('██', '  ')],
    [
      'with light blocks on a dark screen',
      ['', ...rowsAs('  ', '██'), ''].map((row) => `████${row || '█'.repeat(MODULES.length * 2)}████`),
    ],
    ['with half blocks', halfBlocks()],
    ['with Braille', braille()],
    ['with squares of double width', rowsAs('⬛', '⬜')],
    ['in a quoted mail', halfBlocks().map((row) => `> ${row}`)],
  ])('%s', async (_, rows) => {
    expect(await find(`Scan this:\r\n\r\n${rows.join('\r\n')}\r\n\r\nBye\r\n`, 'text/plain')).toMatchObject({
      codes: [EVIL],
    });
  });
});

describe('a page draws a code', () => {
  test.each([
    ['with cells', table((isDark) => `<td width=5 height=5 bgcolor="${isDark ? '#000' : '#fff'}"></td>`)],
    [
      'with cells that have no end',
      table((isDark) => `<td bgcolor=${isDark ? 'black' : 'white'}>`).replaceAll('</tr>', ''),
    ],
    [
      'with cells of many dark colours',
      table((isDark) => `<td style="background:${isDark ? 'rgb(9,30,7)' : 'transparent'}">&nbsp;</td>`),
    ],
    [
      'with classes',
      `<style>td.d{background-color:#123}</style>${table((isDark) => `<td class="${isDark ? 'c d' : 'c'}"></td>`)}`,
    ],
    [
      'with cells over several columns',
      `<table>${MODULES.map(
        (row) =>
          `<tr>${runsOf(row)
            .map(({ isDark, length }) => `<td colspan=${length} bgcolor=${isDark ? '#000' : '#fff'}></td>`)
            .join('')}</tr>`,
      ).join('')}</table>`,
    ],
    [
      'with bars of many widths',
      MODULES.map(
        (row) =>
          `<div>${runsOf(row)
            .map(({ isDark, length }) => `<i style="width:${length * 4}px;background:${isDark ? '#000' : '#fff'}"></i>`)
            .join('')}</div>`,
      ).join('\n'),
    ],
    [
      'with elements that style breaks into rows',
      `<div style="width:200px">${MODULES.flat()
        .map((isDark) => `<b style="float:left;background:${isDark ? 'navy' : '#eee'}"></b>`)
        .join('')}</div>`,
    ],
    ['with kept lines', `<pre>${halfBlocks().join('\n')}</pre>`],
    ['with lines of entities', halfBlocks().join('<br>').replaceAll('█', '&#9608;')],
    [
      'with colours of letters',
      table((isDark) => `<font color=${isDark ? 'black' : 'white'}>██</font>`).replace(
        /<(?!\/?(?:font|tr))[^>]*>/g,
        '',
      ),
    ],
    ['with an SVG in it', `<p>Scan</p><svg viewBox="0 0 40 40"><g fill="#000">${rects('')}</g></svg>`],
  ])('%s', async (_, drawing) => {
    expect(await find(`<html><body><p>Scan this:</p>${drawing}</body></html>`, 'text/html')).toMatchObject({
      codes: [EVIL],
    });
  });
});

describe('an SVG draws a code', () => {
  const size = MODULES.length;
  const strokes = MODULES.map((row, y) => {
    let moves = `M0 ${y + 0.5}`;
    for (const { isDark, length } of runsOf(row)) moves += isDark ? `h${length}` : `m${length} 0`;
    return moves;
  }).join('');
  const squares = MODULES.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x},${y}h1v1h-1z`] : []))).join(
    '',
  );
  test.each([
    ['with rectangles', `<rect width="${size}" height="${size}" fill="white"/>${rects(' fill="#000"')}`],
    ['with rectangles in a scaled group', `<g transform="translate(3,4) scale(2)">${rects('')}</g>`],
    ['with strokes', `<path stroke="#000" d="${strokes}"/>`],
    ['with one path of squares', `<path d="${squares}"/>`],
    [
      'with one shape that is used again',
      `<defs><rect id="m" width="1" height="1"/></defs>${MODULES.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`<use xlink:href="#m" x="${x}" y="${y}"/>`] : []))).join('')}`,
    ],
  ])('%s', async (_, shapes) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}">${shapes}</svg>`;
    expect(await find(svg, 'image/svg+xml')).toMatchObject({ codes: [EVIL] });
  });

  test('of more shapes than are drawn is not searched to its end', async () => {
    const { notSearched } = await find(`<svg>${'<rect/>'.repeat(100_001)}${rects('')}</svg>`, 'image/svg+xml');
    expect(notSearched).toEqual(['the drawings of a page or a text to their end, for codes']);
  });
});

describe('the reader of codes is not asked about', () => {
  const rows = Array.from({ length: 30 }, (_, row) => row);
  test.each([
    ['a letter', 'text/plain', 'Dear Ana,\n\nthe report is ready.\n\n-- \nBob\n'.repeat(40)],
    ['a list of lines', 'text/plain', `${'='.repeat(60)}\n`.repeat(30)],
    ['a table of numbers', 'text/plain', rows.map((row) => `${row} | ${row * 7} | ${row * 11}`).join('\n')],
    ['a chart of bars', 'text/plain', rows.map((row) => `Day ${row} ${'█'.repeat(row)}`).join('\n')],
    [
      'a layout with empty cells',
      'text/html',
      `<table>${rows.map(() => `<tr><td width=20></td><td>Text</td><td bgcolor=#000></td></tr>`).join('')}</table>`.repeat(
        9,
      ),
    ],
    [
      'a page of empty light cells',
      'text/html',
      `<table>${rows.map(() => `<tr>${'<td bgcolor=#fff></td>'.repeat(30)}</tr>`).join('')}</table>`,
    ],
  ])('%s', async (_, type, text) => {
    expect(await find(text, type)).toEqual({ codes: [], notSearched: [], asked: 0 });
  });
});
