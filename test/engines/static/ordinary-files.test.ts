import { expect, test } from 'vitest';
import { analyseUrl } from '../../../lib/engines/url/analyse-url.ts';
import { zipOf } from '../zip-fixture.ts';
import { verdictOn } from './analyse.ts';

/** Ordinary files that resemble attacks, by what they hold. None of them may be suspicious. */
const ORDINARY: readonly (readonly [what: string, name: string, content: string])[] = [
  ['a word that ends like a download command', 'setup.py', '# does not confirm the promotion\nvalue = 1\n'],
  ['a script of the shell that fetches a file', 'fetch.sh', '#!/bin/sh\ncurl -O https://files.example/key.gpg\n'],
  ['a launcher of PowerShell', 'tool.ps1', '$a = "x.js"\nInvoke-Expression "& `"node`" `"$a`" $args"\n'],
  ['a batch file that opens a window', 'tool.bat', '@echo off\r\nstart /B "Server" server %1\r\n'],
  [
    'a question to the system',
    'util.vbs',
    'Set w = GetObject("winmgmts:")\r\nw.ExecQuery "SELECT * FROM Win32_Processor"\r\n',
  ],
  [
    'names of languages in capitals and small',
    'names.js',
    'var n = eval("1");\nvar l = ["powershell", "batch", "applescript"];\n',
  ],
  [
    'a drawing with labels',
    'flow.svg',
    '<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><div xmlns="http://www.w3.org/1999/xhtml">Start</div></foreignObject></svg>',
  ],
  [
    'a drawing with short names for namespaces',
    'logo.svg',
    '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;"><path d="M0 0"/></svg>',
  ],
  [
    'a page with a drawing and a script',
    'page.html',
    '<!DOCTYPE html><html><body><svg><path d="M0 0"/></svg><p>Text</p><script>var theme = 1;</script></body></html>',
  ],
  ['measurements with exponents', 'sinus.csv', '+3,-1.5e-3,+2E10,-inf,+nan,+/-0.5\r\n'],
  ['a note that only ends like a link', 'teams.url', 'https://www.example.org/team/index.html\n'],
  ['a theme of icons', 'index.theme', '# icons\n[Icon Theme]\nName=Plain\nInherits=base\n'],
  [
    'a library that saves files and holds a page as text',
    'library.js',
    `${'var value = 1;\n'.repeat(5_000)}var p = "<html>"; var b = new Blob([p]); a.download = n; atob(t);`,
  ],
];

test.each(ORDINARY)('nothing suspicious is said of %s', async (_, name, content) => {
  expect(await verdictOn(Buffer.from(content), name)).toMatch(/^(?:benign|unknown)/);
});

const source = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`tool-1.0/lib/part${index}.py`, `value = ${index}\n`]),
  );
const library = { content: Buffer.concat([Buffer.from('\x7fELF'), Buffer.alloc(200, 1)]) };

/** Ordinary archives and documents: what they hold. */
const PACKED: readonly (readonly [what: string, name: string, bytes: Buffer])[] = [
  [
    'a package of Python',
    'tool.whl',
    zipOf({ ...source(30), 'tool-1.0/lib/fast/core.so': library, 'tool-1.0/lib/run/launch.exe': library }),
  ],
  ['a small package of Python', 'tool.zip', zipOf({ 'foo/one.py': 'value = 1\n', 'setup.py': 'value = 1\n' })],
  [
    'the source of a program',
    'source.zip',
    zipOf({ ...source(30), 'tool-1.0/build.bat': 'rem build\r\n', 'tool-1.0/index.js': 'var value = 1;\n' }),
  ],
  [
    'a saved page',
    'page.zip',
    zipOf({
      'page.html': '<p>text',
      'page_files/a.css': 'p{}',
      'page_files/b.txt': 'x',
      'page_files/c.js': 'var a = 1;\n',
    }),
  ],
  [
    'a small package with a compiled part',
    'hash.whl',
    zipOf({ 'hash.cpython-311.so': library, 'hash.pyi': 'x: int\n' }),
  ],
  [
    'a picture with a closing byte too many',
    'dot.gif',
    Buffer.from('GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x01D\0;;', 'latin1'),
  ],
  [
    'data that holds the marks of a disk image',
    'reader.bin',
    Buffer.concat([Buffer.alloc(4_000, 1), Buffer.from('conectix\0 .exe\0'), Buffer.alloc(4_000, 1)]),
  ],
  [
    'a template whose manifest names its description and whose events do nothing',
    'letter.ott',
    zipOf({
      mimetype: 'application/vnd.oasis.opendocument.text-template',
      'content.xml':
        '<office:document-content><office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load" xlink:href=""/></office:event-listeners></office:document-content>',
      'META-INF/manifest.xml':
        '<!DOCTYPE manifest:manifest PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "Manifest.dtd"><manifest:manifest/>',
    }),
  ],
];

test.each(PACKED)('nothing suspicious is said of %s', async (_, name, bytes) => {
  expect(await verdictOn(bytes, name)).toMatch(/^(?:benign|unknown)/);
});

const filler = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`data/${index}.txt`, `text ${index}`]));
const program = { content: Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100, 1)]) };

/** The same kinds with what an attack makes of them. */
test.each<[string, string, Buffer, string]>([
  ['a script alone in a folder', 'a.zip', zipOf({ 'order/order.js': 'var a = 1;\n' }), 'archive-executable'],
  [
    'a script beside a note',
    'a.zip',
    zipOf({ 'note.txt': 'x', 'order/order.js': 'var a = 1;\n' }),
    'archive-executable',
  ],
  ['a program at the top of many files', 'a.zip', zipOf({ ...filler, 'start.exe': program }), 'archive-executable'],
  ['a program by its bytes at the top', 'a.zip', zipOf({ ...filler, start: program }), 'archive-executable'],
  ['a program among few files', 'a.zip', zipOf({ 'a/b/c.scr': program, 'd/e.txt': 'x' }), 'archive-executable'],
  [
    'a disguised program among many files',
    'a.zip',
    zipOf({ ...filler, 'data/b/c.pdf.exe': program }),
    'double-extension',
  ],
  ['a formula with an exponent', 'a.csv', Buffer.from('a,=1e5+cmd\r\n'), 'text-formula'],
  ['a number with a call behind it', 'a.csv', Buffer.from("a,-1e3+cmd|' /C calc'!A0\r\n"), 'text-formula'],
  ['a theme that Windows applies', 'a.theme', Buffer.from('[Icon Theme]\n[Theme]\nDisplayName=x\n'), 'shortcut'],
  [
    'an event that runs a macro',
    'a.odt',
    zipOf({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml':
        '<a><script:event-listener script:event-name="dom:load" xlink:href="vnd.sun.star.script:a.b"/></a>',
    }),
    'office-custom-code',
  ],
])('%s is still found', async (_, name, bytes, expected) => {
  expect(await verdictOn(bytes, name)).toContain(expected);
});

test.each([
  'https://ελλάδα.gr/',
  'https://www.net-a-porter.com/en-de/',
  'https://www.jstor.org.proxy.library.example/stable/1',
  'https://shop.example/unsubscribe?email=jane%40example.org',
])('nothing is said against %s', (url) => {
  expect(analyseUrl(url)).toMatchObject({ outcome: 'completed', level: 'benign' });
});
