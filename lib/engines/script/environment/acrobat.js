/** The other objects of Acrobat's JavaScript that documents act with. */
import { abuse, useApplication } from './acrobat-app.js';
import { useAcrobatDocument } from './acrobat-document.js';
import { blank, com } from './automation.js';
import { fromCodes, Str } from './bridge.js';
import { fromBase64 } from './bytes.js';
import { START } from './clock.js';
import { request } from './requests.js';
import { RealDate, scriptGlobal } from './script-global.js';

export const useAcrobat = (facts) => {
  const doc = scriptGlobal;
  useApplication();
  useAcrobatDocument(facts);
  scriptGlobal.event = {
    target: doc,
    name: 'Open',
    type: 'Doc',
    value: '',
    rc: true,
    change: '',
    source: null,
    targetName: '',
  };
  scriptGlobal.util = com('util', {
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
  scriptGlobal.Collab = com('Collab', {
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
  scriptGlobal.spell = com('spell', {
    customdictionaryopen: (a, b) => {
      abuse('spell.customDictionaryOpen', b);
    },
    available: true,
    check: () => true,
  });
  scriptGlobal.media = com('media', {
    newplayer: (arg) => {
      abuse('media.newPlayer', arg === null ? 'null' : '');
      throw new Error('media.newPlayer');
    },
  });
  doc.media = scriptGlobal.media;
  scriptGlobal.SOAP = com('SOAP', {
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
  scriptGlobal.Net = {
    HTTP: {
      request: (arg) => {
        request((arg && arg.cVerb) || 'GET', arg && arg.cURL, '');
      },
    },
    SOAP: scriptGlobal.SOAP,
  };
  scriptGlobal.Net.SOAP = scriptGlobal.SOAP;
  scriptGlobal.console = { println: () => {}, show: () => {}, clear: () => {}, hide: () => {} };
  scriptGlobal.identity = com('identity', { loginname: 'm.keller', name: 'M. Keller', email: '', corporation: '' });
  scriptGlobal.global = { setPersistent: () => {}, subscribe: () => {} };
  scriptGlobal.security = blank('security');
  scriptGlobal.color = { black: ['G', 0], white: ['G', 1], transparent: ['T'] };
  scriptGlobal.display = { visible: 0, hidden: 1 };
  scriptGlobal.border = {};
  scriptGlobal.font = {};
  scriptGlobal.zoomtype = {};
  scriptGlobal.trans = {};
  scriptGlobal.ADBC = com('ADBC', {
    newconnection: () => {
      abuse('ADBC.newConnection');
      return null;
    },
  });
  scriptGlobal.AFNumber_Format =
    scriptGlobal.AFSimple_Calculate =
    scriptGlobal.AFDate_FormatEx =
    scriptGlobal.AFSpecial_Format =
    scriptGlobal.AFNumber_Keystroke =
    scriptGlobal.AFDate_KeystrokeEx =
    scriptGlobal.AFSpecial_Keystroke =
    scriptGlobal.AFRange_Validate =
    scriptGlobal.AFPercent_Format =
      () => {};
};
