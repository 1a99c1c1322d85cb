/** The other objects of Acrobat's JavaScript that documents act with. */
import { abuse, useApplication } from './acrobat-app.js';
import { useAcrobatDocument } from './acrobat-document.js';
import { blank, com } from './automation.js';
import { fromCodes, Str } from './bridge.js';
import { fromBase64 } from './bytes.js';
import { START } from './clock.js';
import { request } from './requests.js';
import { G, RealDate } from './script-global.js';

export const useAcrobat = (facts) => {
  const doc = G;
  useApplication();
  useAcrobatDocument(facts);
  G.event = { target: doc, name: 'Open', type: 'Doc', value: '', rc: true, change: '', source: null, targetName: '' };
  G.util = com('util', {
    printf: (format, ...args) => {
      const big = /%[-+ 0#,]*(\d{3,})/.exec(Str(format));
      if (big) abuse('util.printf', Str(format));
      return Str(format);
    },
    printd: (format) => Str(format),
    scand: () => new RealDate(START),
    printx: (f, s) => Str(s),
    bytetochar: (code) => fromCodes(code),
    stringfromstream: (s) => Str(s),
    streamfromstring: (s) => Str(s),
    spansToXML: () => '',
    iconstreamfromicon: () => '',
  });
  G.Collab = com('Collab', {
    collectemailinfo: (arg) => {
      const text = Str((arg && arg.msg) || '');
      abuse('Collab.collectEmailInfo', text.length + ' characters');
    },
    geticon: (name) => {
      const text = Str(name);
      if (text.length > 100) abuse('Collab.getIcon', text.length + ' characters');
      return null;
    },
    user: 'm.keller',
    addstatestolist: () => {},
    newwrstreamtocosobj: () => {
      abuse('Collab.newWrStreamToCosObj');
    },
    documenttostream: () => '',
    swconnect: () => true,
    isdocaction: false,
  });
  G.spell = com('spell', {
    customdictionaryopen: (a, b) => {
      abuse('spell.customDictionaryOpen', b);
    },
    available: true,
    check: () => true,
  });
  G.media = com('media', {
    newplayer: (arg) => {
      abuse('media.newPlayer', arg === null ? 'null' : '');
      throw new Error('media.newPlayer');
    },
  });
  doc.media = G.media;
  G.SOAP = com('SOAP', {
    request: (arg) => {
      request('POST', arg && arg.cURL, '');
      return {};
    },
    connect: (url) => {
      request('GET', url);
      return blank('SOAP');
    },
    stringfromstream: (s) => Str(s),
    streamdecode: (s, how) => (/64/.test(Str(how)) ? fromBase64(Str(s)) : Str(s)),
    streamencode: (s) => Str(s),
  });
  G.Net = {
    HTTP: {
      request: (arg) => {
        request((arg && arg.cVerb) || 'GET', arg && arg.cURL, '');
      },
    },
    SOAP: G.SOAP,
  };
  G.Net.SOAP = G.SOAP;
  G.console = { println: () => {}, show: () => {}, clear: () => {}, hide: () => {} };
  G.identity = com('identity', { loginname: 'm.keller', name: 'M. Keller', email: '', corporation: '' });
  G.global = { setPersistent: () => {}, subscribe: () => {} };
  G.security = blank('security');
  G.color = { black: ['G', 0], white: ['G', 1], transparent: ['T'] };
  G.display = { visible: 0, hidden: 1 };
  G.border = {};
  G.font = {};
  G.zoomtype = {};
  G.trans = {};
  G.ADBC = com('ADBC', {
    newconnection: () => {
      abuse('ADBC.newConnection');
      return null;
    },
  });
  G.AFNumber_Format =
    G.AFSimple_Calculate =
    G.AFDate_FormatEx =
    G.AFSpecial_Format =
    G.AFNumber_Keystroke =
    G.AFDate_KeystrokeEx =
    G.AFSpecial_Keystroke =
    G.AFRange_Validate =
    G.AFPercent_Format =
      () => {};
};
