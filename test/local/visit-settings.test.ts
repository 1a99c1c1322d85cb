import { describe, expect, test } from 'vitest';
import { visitSettings } from '../../lib/local/session/visit-settings.ts';

const settings = (
  options: Parameters<typeof visitSettings>[1],
  env: Readonly<Record<string, string>> = {},
  isRoot = false,
) => visitSettings({ env: { AIRLOCK_CHROMIUM: 'none', ...env } }, options, isRoot);

describe('visits to URLs', () => {
  test('are off unless they are asked for', () => {
    expect(settings({})).toBeNull();
  });

  test('go out directly, or through the given proxy', () => {
    expect(settings({ online: true })).toEqual({ proxy: null, chromium: null });
    expect(settings({ online: true, proxy: 'http://me:pass@proxy.example:3128' })?.proxy).toBe(
      'http://me:pass@proxy.example:3128',
    );
  });

  test.each([
    'proxy.example:3128',
    'https://proxy.example',
    'socks5://proxy.example',
    'http://',
    'http://proxy.example/path',
    '',
  ])('refuse %j as a proxy', (proxy) => {
    expect(() => settings({ online: true, proxy })).toThrow(/--proxy takes http:\/\/host:port/);
  });

  test('refuse a proxy without visits', () => {
    expect(() => settings({ proxy: 'http://proxy.example:3128' })).toThrow(/--online/);
  });

  test('draw with the given Chromium, in its sandbox unless that is switched off', () => {
    const env = { AIRLOCK_CHROMIUM: process.execPath };
    expect(settings({ online: true }, env)?.chromium).toEqual({ path: process.execPath, hasSandbox: true });
    expect(settings({ online: true }, { ...env, AIRLOCK_CHROMIUM_SANDBOX: 'off' })?.chromium?.hasSandbox).toBe(false);
    expect(() => settings({ online: true }, { AIRLOCK_CHROMIUM: '/no/such/browser' })).toThrow(/cannot be started/);
    expect(() => settings({ online: true }, env, true)).toThrow(/AIRLOCK_CHROMIUM_SANDBOX=off/);
    expect(settings({ online: true }, { AIRLOCK_CHROMIUM: '' }, true)?.chromium).toBeNull();
  });
});
