import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { defangedAddress, defangedText } from '../../lib/service/server/markup/inert-text.ts';
import { shown } from '../../lib/service/server/markup/jsx-runtime.ts';
import { htmlReport } from '../../lib/service/server/report-page/report-page.tsx';
import { SCREENSHOT_BYTES } from '../../lib/service/server/report-page/url.tsx';
import { scheduledReport } from '../../lib/service/server/store/submissions.ts';
import { testWith } from '../programs.ts';
import { dropperContents, hostileContents, PICTURE, PICTURE_COLOUR, visitedContents } from './hostile-report.ts';
import { storedSubmission } from './stored-submission.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

function elementsOf(page: string): Element[] {
  const all: Element[] = [];
  const walk = (node: Node) => {
    if ('tagName' in node) all.push(node);
    if ('childNodes' in node) node.childNodes.forEach(walk);
  };
  walk(parse(page));
  return all;
}

const textOf = (node: Node): string =>
  'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';

/** The elements of the templates. */
const TAGS =
  'html head meta title style body main header section article footer h1 h2 h3 p b strong small i span br code ul li table thead tbody tr th td div img svg rect'.split(
    ' ',
  );

describe.each([
  ['attacks in every text', async () => hostileContents()],
  ['a dropper that was run', dropperContents],
  ['a URL that was visited, with a picture', visitedContents],
] as const)('the page for %s', (_, contentsOf) => {
  test('has no script, no link, nothing to fetch, and only elements of the templates', async () => {
    const elements = elementsOf(htmlReport(await contentsOf()));
    expect(new Set(elements.map(({ tagName }) => tagName).filter((name) => !TAGS.includes(name)))).toEqual(new Set());
    const attributes = elements.flatMap(({ attrs }) => attrs);
    const allowed = [
      ...['lang', 'charset', 'name', 'content', 'http-equiv', 'class', 'scope', 'alt', 'src'],
      ...['aria-hidden', 'viewBox', 'preserveAspectRatio', 'x', 'y', 'width', 'height'],
    ];
    expect(attributes.map(({ name }) => name).filter((name) => !allowed.includes(name))).toEqual([]);
    const sources = attributes.filter(({ name }) => name === 'src').map(({ value }) => value);
    expect(sources.filter((source) => !/^data:image\/png;base64,[A-Za-z0-9+/]+=*$/.test(source))).toEqual([]);
    const classes = attributes.filter(({ name }) => name === 'class').map(({ value }) => value);
    expect(classes.filter((value) => !/^[a-z ]{1,30}$/.test(value))).toEqual([]);
  });

  test('breaks every long text, so that no column leaves the page', async () => {
    const cells = elementsOf(htmlReport(await contentsOf())).filter(({ attrs }) =>
      attrs.some(({ name, value }) => name === 'class' && value === 'short'),
    );
    expect(cells.length).toBeGreaterThan(0);
    expect(cells.map(textOf).filter((text) => text.length > 24)).toEqual([]);
  });

  test('defangs every address and shows every character that acts', async () => {
    const page = htmlReport(await contentsOf());
    expect(page.match(/https?:|javascript:|evil\.example|delivery\.example|198\.51|a@evil/i)).toBeNull();
    expect(page).toContain('U+202E');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
    expect(page.match(/[\u202a-\u202e\u2066-\u2069\u200b-\u200f\x00-\x08\x0b-\x1f\x7f]/)).toBeNull();
  });

  test('has a policy that forbids everything else', async () => {
    const [policy] = elementsOf(htmlReport(await contentsOf())).filter(({ attrs }) =>
      attrs.some(({ value }) => value === 'Content-Security-Policy'),
    );
    expect(policy?.attrs.at(-1)?.value).toBe(
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    );
  });
});

describe('what an analyst reads', () => {
  test('verdict, hashes, findings with evidence and technique, process tree, requests, registry and IoCs', async () => {
    const contents = await dropperContents();
    const page = htmlReport(contents);
    const { subject } = contents.submission;
    for (const text of [
      'badge malicious',
      subject.type === 'file' ? subject.hashes.sha256 : '',
      'Runs what it downloads',
      'T1105',
      'wscript.exe',
      'powershell -w hidden',
      'hxxp://stage[.]delivery[.]example:8080/update/payload.exe',
      'stage[.]delivery[.]example',
      'CurrentVersion\\Run\\Updater',
      'decoded code',
      'sandbox-',
      '2026-01-05 00:00:00 UTC',
    ]) {
      expect(page).toContain(text);
    }
  });

  test('a failure is plain, an unknown verdict does not look harmless, and a cut list says so', async () => {
    const dropper = htmlReport(await dropperContents());
    expect(dropper).toContain('This report failed</strong>: no module handles JavaScript (unsupported)');
    expect(dropper).toContain('1 of 3 reports failed');
    const submission = storedSubmission({ level: 'unknown' });
    const unknown = htmlReport({ submission, dynamic: null, url: null, screenshot: null });
    expect(unknown).toContain('The verdict is unknown, which does not mean harmless.');
    expect(unknown).toContain('some checks could not be completed');
    const waiting = htmlReport({ submission: storedSubmission({}), dynamic: null, url: null, screenshot: null });
    expect(waiting).toContain('This report is not there yet.');
    const hostile = htmlReport(hostileContents());
    expect(hostile).toContain('200 of 250 are shown');
    expect(hostile).toMatch(/… [\d,]+ more characters/);
  });

  test('a submission of which nothing worked says that nothing worked', () => {
    const error = { code: 'engine_failed', message: 'the engine crashed' } as const;
    const reports = [{ ...scheduledReport('static'), status: 'error', error } as const];
    const page = htmlReport({
      submission: { ...storedSubmission({}), reports },
      dynamic: null,
      url: null,
      screenshot: null,
    });
    expect(page).toContain('1 of 1 reports failed');
    expect(page).toContain('the engine crashed (engine_failed)');
    expect(page).not.toContain('badge benign');
  });
});

describe('the picture of a page', () => {
  const sourceOf = (page: string) =>
    elementsOf(page)
      .filter(({ tagName }) => tagName === 'img')
      .map(({ attrs }) => attrs.find(({ name }) => name === 'src')?.value);

  test('is in the report, byte for byte', () => {
    expect(sourceOf(htmlReport(visitedContents()))).toEqual([
      `data:image/png;base64,${Buffer.from(PICTURE).toString('base64')}`,
    ]);
  });

  test.each([
    ['is no PNG', new TextEncoder().encode('<svg onload="alert(1)">')],
    ['is too large', Buffer.concat([PICTURE, Buffer.alloc(SCREENSHOT_BYTES)])],
    ['is gone', null],
  ])('that %s does not, and the report says where it is', (_, screenshot) => {
    const page = htmlReport({ ...visitedContents(), screenshot });
    expect(sourceOf(page)).toEqual([]);
    expect(page).toContain('the API of the service returns it');
  });
});

test.each([
  ['see https://evil.example/a.b?u=http://b.co.uk/', 'see hxxps://evil[.]example/a.b?u=hxxp://b[.]co[.]uk/'],
  ['FTP://evil.example LDAP://evil.example', 'fxp://evil[.]example LDAP[:]//evil[.]example'],
  ['mailto:a@evil.com', 'mailto[:]a[@]evil[.]com'],
  ['\\\\198.51.100.7\\share\\a.exe', '\\\\198[.]51[.]100[.]7\\share\\a.exe'],
  ['see evil.com. www.evil', 'see evil[.]com. www[.]evil'],
  ['pwww.evil nwww.evil', 'pwww.evil nwww.evil'],
  ['evil.com(1) shell.Run(1)', 'evil[.]com(1) shell.Run(1)'],
  ['C:\\Users\\a\\invoice.docm', 'C:\\Users\\a\\invoice.docm'],
  // `shell` is a top-level domain, and programs link it.
  ['document.write(x); WScript.Shell', 'document.write(x); WScript[.]Shell'],
  ['evil.berlin evil.zip evil.rest evil.онлайн', 'evil[.]berlin evil[.]zip evil[.]rest evil[.]онлайн'],
])('a text is defanged: %s', (text, expected) => {
  expect(defangedText(text)).toBe(expected);
  expect(defangedText(expected)).toBe(expected);
});

test.each([
  ['http://u:p@evil.internals:80/a.b', 'hxxp://u:p[@]evil[.]internals:80/a.b'],
  ['evil.internals', 'evil[.]internals'],
  ['2001:db8::1', '2001[:]db8[:][:]1'],
])('an address is defanged: %s', (value, expected) => expect(defangedAddress(value)).toBe(expected));

test('active characters become marks, many of them become a number, and a text ends at its limit', () => {
  expect(shown('a\u202eb\0\n').markup).toBe('a<i class="mark">U+202E</i>b<i class="mark">NUL</i><i class="mark">↵</i>');
  expect(shown('\u200b'.repeat(300)).markup).toMatch(/<i class="mark">\+296<\/i>$/);
  expect(shown(`z${'\u0301'.repeat(50)}`).markup).not.toMatch(/\u0301/);
  expect(shown('😀'.repeat(300)).markup).toBe(`${'😀'.repeat(200)}<span class="cut"> … 200 more characters</span>`);
});

/** Colours of single points of a picture, each once. */
async function coloursIn(path: string): Promise<readonly string[]> {
  const { data, info } = await sharp(path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const points = Array.from({ length: data.length / info.channels / 97 }, (_, at) => at * 97 * info.channels);
  return [...new Set(points.map((at) => [...data.subarray(at, at + 3)].join()))];
}

const CHROMIUM = process.env.AIRLOCK_CHROMIUM ?? '/usr/bin/chromium';
testWith('Chromium', existsSync(CHROMIUM))(
  'a browser renders the page, and runs and fetches nothing of it',

  async () => {
    const folder = join(import.meta.dirname, '../../coverage/html-report');
    mkdirSync(folder, { recursive: true });
    const profile = mkdtempSync(join(tmpdir(), 'airlock-chromium-'));
    const chromium = (...given: string[]) =>
      execFileSync(
        CHROMIUM,
        [
          '--headless',
          '--no-sandbox',
          '--disable-gpu',
          '--disable-dev-shm-usage',
          '--no-first-run',
          '--hide-scrollbars',
          '--disable-background-networking',
          '--host-resolver-rules=MAP * ~NOTFOUND',
          `--user-data-dir=${profile}`,
          ...given,
        ],
        { stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 1024 * 1024 },
      ).toString();
    try {
      const path = join(folder, 'dropper.html');
      writeFileSync(path, htmlReport(await dropperContents()));
      const picture = join(folder, 'dropper.png');
      rmSync(picture, { force: true });
      chromium('--window-size=1100,3600', `--screenshot=${picture}`, pathToFileURL(path).href);
      expect(readFileSync(picture).subarray(1, 4).toString()).toBe('PNG');
      expect(readFileSync(picture).length).toBeGreaterThan(50_000);
      const visited = join(folder, 'visited.html');
      writeFileSync(visited, htmlReport(visitedContents()));
      const withPicture = join(folder, 'visited.png');
      rmSync(withPicture, { force: true });
      chromium('--window-size=1100,2200', `--screenshot=${withPicture}`, pathToFileURL(visited).href);
      expect(await coloursIn(withPicture)).toContain(PICTURE_COLOUR.join());
      const hostile = join(folder, 'hostile.html');
      writeFileSync(hostile, htmlReport(hostileContents()));
      const rendered = chromium('--dump-dom', pathToFileURL(hostile).href);
      expect(
        elementsOf(rendered)
          .map(({ tagName }) => tagName)
          .filter((name) => !TAGS.includes(name)),
      ).toEqual([]);
      console.info(`the HTML report as Chromium shows it: ${picture}`);
    } finally {
      rmSync(profile, { recursive: true, force: true });
    }
  },
);
