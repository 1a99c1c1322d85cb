/** `navigator`, `screen` and the size of the window. */
import { rec } from './bridge.js';
import { request } from './requests.js';
import { scriptGlobal } from './script-global.js';

export const useNavigator = () => {
  scriptGlobal.navigator = new Proxy(
    {
      userAgent:
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
      appName: 'Netscape',
      appVersion: '5.0 (Windows)',
      platform: 'Win32',
      language: 'en-US',
      languages: ['en-US', 'en', 'de'],
      webdriver: false,
      hardwareConcurrency: 8,
      deviceMemory: 8,
      cookieEnabled: true,
      onLine: true,
      vendor: 'Google Inc.',
      maxTouchPoints: 0,
      plugins: { length: 5, 0: { name: 'PDF Viewer' } },
      mimeTypes: { length: 2 },
      doNotTrack: null,
      msSaveOrOpenBlob: (blob, name) => {
        rec('download', name || 'download', blob.data, 'msSaveOrOpenBlob');
        return true;
      },
      msSaveBlob: (blob, name) => {
        rec('download', name || 'download', blob.data, 'msSaveBlob');
        return true;
      },
      sendBeacon: (url, body) => {
        request('POST', url, body);
        return true;
      },
      javaEnabled: () => false,
      clipboard: {
        writeText: (t) => {
          rec('clipboard', t);
          return Promise.resolve();
        },
      },
      permissions: { query: () => Promise.resolve({ state: 'prompt' }) },
      geolocation: { getCurrentPosition: () => {} },
      serviceWorker: {
        register: (url) => {
          request('GET', url);
          return Promise.resolve({ active: { postMessage: () => {} }, update: () => {} });
        },
        ready: Promise.resolve({ active: { postMessage: () => {} } }),
        addEventListener: () => {},
        controller: null,
      },
    },
    {
      get: (t, k) => {
        if (
          typeof k === 'string' &&
          /userAgent|webdriver|plugins|hardwareConcurrency|deviceMemory|language|platform/.test(k)
        )
          rec('asked', 'navigator.' + k, t[k]);
        return t[k];
      },
    },
  );
  scriptGlobal.screen = {
    width: 1920,
    height: 1080,
    availWidth: 1920,
    availHeight: 1040,
    colorDepth: 24,
    pixelDepth: 24,
    orientation: { type: 'landscape-primary' },
  };
  Object.assign(scriptGlobal, {
    innerWidth: 1280,
    innerHeight: 720,
    outerWidth: 1296,
    outerHeight: 810,
    devicePixelRatio: 1,
    screenX: 0,
    screenY: 0,
    pageXOffset: 0,
    pageYOffset: 0,
    scrollX: 0,
    scrollY: 0,
    isSecureContext: false,
  });
};
