/** `navigator`, `screen` and the size of the window. */
import { rec } from './bridge.js';
import { native } from './native-functions.js';
import { look, place } from './place.js';
import { define } from './realms.js';
import { request } from './requests.js';
import { scriptGlobal } from './script-global.js';

const DESKTOP =
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0',
  PHONE =
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36 (like iPhone)';
// The sizes of the screen and of the window. A script that reads one is noted.
const sizes = () => {
  const [width, height, bar] = place.isPhone ? [390, 844, 0] : [1920, 1080, 40];
  const [innerWidth, innerHeight] = place.isPhone ? [390, 664] : [1280, 720];
  return {
    screen: { width, height, availWidth: width, availHeight: height - bar, colorDepth: 24, pixelDepth: 24 },
    window: {
      innerWidth,
      innerHeight,
      outerWidth: place.isPhone ? width : 1296,
      outerHeight: place.isPhone ? height : 810,
      devicePixelRatio: place.isPhone ? 3 : 1,
    },
  };
};
const watched = (name, value) => {
  let own = value;
  define(theirGlobal, name, {
    get: native(name, 0, () => {
      look('screen');
      return own;
    }),
    set: native(name, 1, (self, args) => {
      own = args[0];
    }),
    enumerable: true,
    configurable: true,
  });
};

export const useNavigator = () => {
  const { language } = place;
  const size = sizes();
  scriptGlobal.navigator = new Proxy(
    {
      userAgent: place.isPhone ? PHONE : DESKTOP,
      appName: 'Netscape',
      appVersion: '5.0 (Windows)',
      platform: place.isPhone ? 'Linux armv81' : 'Win32',
      language,
      languages: language === 'en-US' ? ['en-US', 'en', 'de'] : [language, language.slice(0, 2), 'en'],
      webdriver: false,
      hardwareConcurrency: 8,
      deviceMemory: 8,
      cookieEnabled: true,
      onLine: true,
      vendor: 'Google Inc.',
      maxTouchPoints: place.isPhone ? 5 : 0,
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
      permissions: { query: () => Promise.resolve({ state: 'prompt', addEventListener: () => {} }) },
      getBattery: () =>
        Promise.resolve({ level: 0.83, charging: false, dischargingTime: 9240, addEventListener: () => {} }),
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
        look('navigator');
        return t[k];
      },
    },
  );
  scriptGlobal.screen = new Proxy(
    { ...size.screen, orientation: { type: place.isPhone ? 'portrait-primary' : 'landscape-primary' } },
    {
      get: (t, k) => {
        look('screen');
        return t[k];
      },
    },
  );
  for (const name of Reflect.ownKeys(size.window)) watched(name, size.window[name]);
  Object.assign(scriptGlobal, {
    screenX: 0,
    screenY: 0,
    pageXOffset: 0,
    pageYOffset: 0,
    scrollX: 0,
    scrollY: 0,
    isSecureContext: false,
  });
};
