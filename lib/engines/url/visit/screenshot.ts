/**
 * Makes pictures of pages. Chromium draws the downloaded bytes. It has no network: no name resolves, everything goes to a proxy that does
 * not exist, and every request fails before it starts. It runs no script of the page. The page comes over a pipe into an empty document,
 * which reaches no file. At the end, the whole process group is killed and the profile is removed.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Devtools, devtools } from './devtools-pipe.ts';

export interface ChromiumSettings {
  readonly path: string;
  /** False starts Chromium without its sandbox, which does not work for root and in most containers. @default true */
  readonly hasSandbox?: boolean;
  /** @default SCREENSHOT_MS */
  readonly timeoutMs?: number;
}

/** The most time for a picture. Some pages never finish drawing. */
const SCREENSHOT_MS = 20_000;
/** The size of the window in pixels. */
const SIZE = { width: 1_280, height: 800 };
/** The largest picture. A page of noise makes a large one. */
const PNG_BYTES = 8 * 1024 * 1024;
/** The discard port, on which nothing answers. */
const DEAD_PROXY = 'http://127.0.0.1:9';

const argumentsOf = (profile: string, hasSandbox: boolean): string[] => [
  '--headless=new',
  '--remote-debugging-pipe',
  `--user-data-dir=${profile}`,
  `--window-size=${SIZE.width},${SIZE.height}`,
  '--host-resolver-rules=MAP * ~NOTFOUND',
  `--proxy-server=${DEAD_PROXY}`,
  '--proxy-bypass-list=<-loopback>',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  '--disable-sync',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-features=IsolateSandboxedIframes,Translate,MediaRouter,OptimizationHints,AutofillServerCommunication',
  '--dns-prefetch-disable',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--blink-settings=scriptEnabled=false',
  '--no-first-run',
  '--no-default-browser-check',
  '--mute-audio',
  '--hide-scrollbars',
  '--renderer-process-limit=1',
  ...(hasSandbox ? [] : ['--no-sandbox']),
  'about:blank',
];

/** Draws a page. Returns null when Chromium could not start, did not end in time, or made too large a picture. Never rejects. */
export async function pictureOf(
  html: string,
  { path, hasSandbox = true, timeoutMs = SCREENSHOT_MS }: ChromiumSettings,
): Promise<Uint8Array | null> {
  const profile = await mkdtemp(join(tmpdir(), 'airlock-chromium-')).catch(() => null);
  if (profile === null) return null;
  // Chromium has its own process group, so that all of it can be killed, and gets none of our environment variables.
  const child = spawn(path, argumentsOf(profile, hasSandbox), {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    env: { HOME: profile, TMPDIR: profile, PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' },
  });
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  const stop = () => killGroup(child.pid);
  const timer = setTimeout(stop, timeoutMs);
  try {
    const gone = ended.then(() => null);
    return await Promise.race([drawn(devtools(child.stdio[3], child.stdio[4]), html), gone]);
  } catch {
    // A visit without a picture is still a visit, for any reason of Chromium.
    return null;
  } finally {
    clearTimeout(timer);
    stop();
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }).catch(() => undefined);
  }
}

/** The page is in a frame without any rights, so that it cannot even redirect without a click (HTML, sandboxed automatic features). */
const FRAME =
  '<body style="margin:0"><iframe sandbox="" referrerpolicy="no-referrer" style="display:block;border:0;width:100vw;height:100vh">';

interface FrameTree {
  readonly frame: { readonly id: string };
  readonly childFrames?: readonly FrameTree[];
}
const framesOf = async (tools: Devtools, session: string) =>
  (await tools.ask('Page.getFrameTree', {}, session)).frameTree as FrameTree;

async function drawn(tools: Devtools, html: string): Promise<Uint8Array | null> {
  const { targetInfos } = await tools.ask('Target.getTargets', {});
  const pages = targetInfos as readonly { readonly type: string; readonly targetId: string }[];
  const targetId = pages.find(({ type }) => type === 'page')?.targetId;
  const { sessionId } = await tools.ask('Target.attachToTarget', { targetId, flatten: true });
  const session = String(sessionId);
  await tools.ask('Emulation.setScriptExecutionDisabled', { value: true }, session);
  await tools.ask('Network.enable', {}, session);
  await tools.ask(
    'Network.emulateNetworkConditions',
    { offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0 },
    session,
  );
  await tools.ask(
    'Network.setBlockedURLs',
    { urls: ['http://*', 'https://*', 'ws://*', 'wss://*', 'file://*', 'ftp://*'] },
    session,
  );
  await tools.ask('Emulation.setDeviceMetricsOverride', { ...SIZE, deviceScaleFactor: 1, mobile: false }, session);
  const root = (await framesOf(tools, session)).frame.id;
  await tools.ask('Page.setDocumentContent', { frameId: root, html: FRAME }, session);
  const frameId = (await framesOf(tools, session)).childFrames?.[0]?.frame.id;
  await tools.ask('Page.setDocumentContent', { frameId, html }, session);
  const { data } = await tools.ask('Page.captureScreenshot', { format: 'png' }, session);
  const png = Buffer.from(String(data), 'base64');
  return png.byteLength > 0 && png.byteLength <= PNG_BYTES ? new Uint8Array(png) : null;
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}
