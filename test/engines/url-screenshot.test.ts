import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { findChromium } from '../../lib/engines/url/visit/find-chromium.ts';
import { pictureOf } from '../../lib/engines/url/visit/screenshot.ts';
import { testWith } from '../programs.ts';
import { handlerServer } from '../service/handler-server.ts';
import { sendHtml, site, visited } from './visit-fixture.ts';

const path = process.env.AIRLOCK_CHROMIUM ?? findChromium();
const isRoot = process.getuid?.() === 0;
/** Chromium has no sandbox when root runs it. The pages of these tests are harmless. */
const chromium = { path: path ?? '', hasSandbox: !isRoot };
const withChromium = testWith('Chromium', path !== null);

const folder = await mkdtemp(join(tmpdir(), 'airlock-test-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Red, green and blue in the middle of a picture. */
async function middleOf(png: Uint8Array | null): Promise<number[]> {
  const { data, info } = await sharp(png ?? new Uint8Array())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
  return [...data.subarray(at, at + 3)];
}
const [WHITE, RED, GREEN] = [
  [255, 255, 255],
  [255, 0, 0],
  [0, 128, 0],
];

describe('a picture of a page', () => {
  withChromium('shows the page, reaches no network and no file, and runs no script', async () => {
    const server = await handlerServer((_, response) => response.end('body { background: red }'));
    await writeFile(join(folder, 'red.html'), '<body style="background:red">');
    const before = (await readdir(tmpdir())).filter((name) => name.startsWith('airlock-chromium-'));
    const whole = 'style="position:fixed;inset:0;width:100%;height:100%;border:0"';
    const png = await pictureOf(
      `<html><head><link rel=stylesheet href="${server.url}/a.css"><meta http-equiv=refresh content="0;url=${server.url}/b">
        </head><body style="background:green"><script>document.body.style.background = 'red'; fetch('${server.url}/c')</script>
        <iframe ${whole} src="file://${folder}/red.html"></iframe><object ${whole} data="file://${folder}/red.html"></object>
        <img src="${server.url}/d.png" onerror="document.body.style.background='red'"><div ${whole.replace('border:0', 'background:green')}></div>`,
      chromium,
    );
    const behind = await pictureOf(`<body><iframe ${whole} src="file://${folder}/red.html"></iframe>`, chromium);
    await server.close();
    expect(server.heard).toEqual([]);
    expect(await sharp(png ?? new Uint8Array()).metadata()).toMatchObject({
      format: 'png',
      width: 1_280,
      height: 800,
    });
    expect(await middleOf(png)).toEqual(GREEN);
    expect(await middleOf(behind)).not.toEqual(RED);
    const after = (await readdir(tmpdir())).filter((name) => name.startsWith('airlock-chromium-'));
    expect(after.filter((name) => !before.includes(name))).toEqual([]);
  });

  withChromium('comes with a visit', async () => {
    const server = await site({ '/': sendHtml('<body bgcolor=white><title>seen</title>') });
    const { visit } = await visited(`http://site.example:${server.port}/`, [server.port], { chromium });
    await server.close();
    expect(visit.page?.title).toBe('seen');
    expect(await middleOf(visit.screenshot)).toEqual(WHITE);
  });

  test('is missing, and nothing else, when the browser does not start', async () => {
    expect(await pictureOf('<p>', { path: join(folder, 'no-such-browser') })).toBeNull();
    const refusing = join(folder, 'refusing');
    await writeFile(refusing, '#!/bin/sh\nexit 3\n');
    await chmod(refusing, 0o700);
    expect(await pictureOf('<p>', { path: refusing })).toBeNull();
  });

  test('does not wait for a browser that hangs, nor leave its children', async () => {
    const hanging = join(folder, 'hanging');
    const pidFile = join(folder, 'child');
    await writeFile(hanging, `#!/bin/sh\nsleep 600 & echo $! > ${pidFile}; wait\n`);
    await chmod(hanging, 0o700);
    expect(await pictureOf('<p>', { path: hanging, timeoutMs: 500 })).toBeNull();
    const { readFile } = await import('node:fs/promises');
    const child = Number(await readFile(pidFile, 'utf8'));
    const state = await readFile(`/proc/${child}/stat`, 'utf8').catch(() => 'gone Z');
    expect(state).toMatch(/ Z|gone/);
  });
});
