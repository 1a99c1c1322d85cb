/** Do newsletters and letters keep their looks? Pictures of bodies in Chromium, as they came and as they are delivered. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import PostalMime from 'postal-mime';
import sharp from 'sharp';
import { DEFAULT_POLICY } from '../../lib/pipeline/policy/policy.ts';
import { programPath } from '../checkers/tools.ts';
import { type Airlock, openAirlock } from '../hostile/attack/airlock-run.ts';
import { count, type Measured, type Part, type Progress } from './figure.ts';
import { type Template, templates } from './looks-templates.ts';
import { likeness } from './ssim.ts';

/** From here on people do not see a difference at a glance. */
const ALIKE = 0.98;
/** A window on a desk, and a telephone. */
const WIDTHS = [760, 390] as const;
/** What shops add to orders for the search of Gmail. It is no markup that a body may keep, so the body is written anew. */
const SCHEMA =
  '<script type="application/ld+json">{"@context":"http://schema.org","@type":"Order","orderNumber":"7"}</script>';
/** Where `--only looks` leaves its pictures when this names a folder, to look at them. */
const FOLDER = 'BENCH_LOOKS_FOLDER';

interface Look {
  readonly name: string;
  readonly form: string;
  readonly likeness: number;
}

export const looks: Part = {
  name: 'looks',
  title: 'Looks of bodies',
  async measure(progress: Progress): Promise<Measured> {
    const executablePath = programPath('chromium');
    if (executablePath === null) throw new Error('Chromium is needed to draw pages: apt-get install chromium');
    const browser = await chromium.launch({
      executablePath,
      args: ['--host-resolver-rules=MAP * ~NOTFOUND', '--disable-gpu'],
      chromiumSandbox: false,
    });
    const airlock = await openAirlock();
    try {
      const page = await browser.newPage();
      await serveStubs(page);
      const quiet = airlock.under({ ...DEFAULT_POLICY, told: { ...DEFAULT_POLICY.told, banner: 'off' } });
      const all: Look[] = [];
      for (const template of templates()) {
        progress(template.name);
        all.push(...(await looksOf(page, quiet, template)));
      }
      return report(all);
    } finally {
      await Promise.all([browser.close(), airlock.close()]);
    }
  },
};

/** Answers every question of the page itself: pictures with one of a few colours, fonts and style sheets with nothing. */
async function serveStubs(page: Page): Promise<void> {
  const background = { r: 90, g: 140, b: 190, alpha: 1 };
  const stub = await sharp({ create: { width: 120, height: 60, channels: 4, background } })
    .composite([
      { input: Buffer.from('<svg width="120" height="60"><circle cx="40" cy="30" r="22" fill="#fff"/></svg>') },
    ])
    .png()
    .toBuffer();
  await page.route('**', (route) =>
    route.request().resourceType() === 'image'
      ? route.fulfill({ body: stub, contentType: 'image/png' })
      : route.abort('blockedbyclient'),
  );
}

async function looksOf(page: Page, airlock: Airlock, template: Template): Promise<Look[]> {
  const forms = [
    { form: 'as sent', html: template.html },
    { form: 'written anew', html: withSchema(template.html) },
  ];
  const found: Look[] = [];
  for (const { form, html } of forms) {
    const delivered = await deliveredPage(airlock, html);
    for (const width of WIDTHS) {
      const [before, after] = [await shot(page, html, width), await shot(page, delivered, width)];
      const name = `${template.name}, ${width} wide`;
      found.push({ name, form, likeness: await likeness(before, after) });
      await keep(`${name} ${form}`, before, after);
    }
  }
  return found;
}

const withSchema = (html: string) =>
  /<body[^>]*>/.test(html) ? html.replace(/<body[^>]*>/, (body) => `${body}${SCHEMA}`) : `${SCHEMA}${html}`;

async function deliveredPage(airlock: Airlock, html: string): Promise<string> {
  const email = [
    'From: News <news@news.example>',
    'To: Bob <bob@recipient.example>',
    'Subject: News',
    'Date: Fri, 20 Nov 2026 12:00:00 +0000',
    'Message-ID: <1@news.example>',
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(html).toString('base64').replace(/.{76}/g, '$&\r\n'),
    '',
  ].join('\r\n');
  const { message, state, why } = await airlock.scan(email, 'news.eml');
  if (message === null) throw new Error(`a template was not delivered: ${state}: ${why}`);
  return (await PostalMime.parse(message)).html ?? '';
}

async function shot(page: Page, html: string, width: number): Promise<Buffer> {
  await page.setViewportSize({ width, height: 400 });
  await page.setContent(html, { waitUntil: 'load' });
  return page.screenshot({ fullPage: true, animations: 'disabled' });
}

async function keep(name: string, before: Buffer, after: Buffer): Promise<void> {
  const folder = process.env[FOLDER];
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  const file = name.replace(/[^\w]+/g, '-');
  await writeFile(join(folder, `${file}-before.png`), before);
  await writeFile(join(folder, `${file}-after.png`), after);
}

function report(all: readonly Look[]): Measured {
  const forms = [...new Set(all.map(({ form }) => form))];
  const figures = forms.map((form) => {
    const own = all.filter((look) => look.form === form);
    const different = own.filter((look) => look.likeness < ALIKE).length;
    const name = `${form}: of 100 pictures, less than ${ALIKE} alike`;
    return { name, measured: count((100 * different) / own.length), atMost: 5, baselines: [] };
  });
  const worst = [...all].sort((one, other) => one.likeness - other.likeness).slice(0, 12);
  const rows = worst.map(({ name, form, likeness: alike }) => [name, form, alike.toFixed(4)]);
  return {
    figures,
    tables: [{ title: 'The least alike', columns: ['body', 'form', 'SSIM'], rows }],
    notes: [
      `${all.length} pairs of pictures: ${templates().length} bodies of our own in the shapes of public templates, ${WIDTHS.join(' and ')} points wide, in Chromium. Nothing is loaded: each picture of another server is the same stub on both sides.`,
      'Written anew: with an order for the search of Gmail in the body, which is a script element. The banner is off.',
    ],
  };
}
