/** `app` of Acrobat's JavaScript. */
import { blank, com } from './automation.js';
import { layer, rec, Str } from './bridge.js';
import { realEval, scriptGlobal } from './script-global.js';
import { addTimer, dropTimer } from './timers.js';

export const option = (args, name, at) => (args[0] !== null && typeof args[0] === 'object' ? args[0][name] : args[at]);
const launch = (args) => {
  rec('launch-url', option(args, 'cURL', 0), 'app.launchURL');
};
export const abuse = (name, detail) => {
  rec('exploit', name, detail === undefined ? '' : detail);
};
// Runs what a button or a menu entry does when it is chosen.
const uponClick = (code) => {
  if (code !== undefined && code !== null) realEval(layer(Str(code), 'chosen'));
};

export const useApplication = () => {
  const doc = scriptGlobal;
  scriptGlobal.app = com('app', {
    viewerversion: 21.007,
    viewertype: 'Reader',
    viewervariation: 'Reader',
    platform: 'WIN',
    language: 'ENU',
    formsversion: 21.007,
    get plugins() {
      rec('asked', 'app.plugIns', '3 plug-ins');
      return [
        { name: 'EScript', version: 21, loaded: true },
        { name: 'Annots', version: 21, loaded: true },
        { name: 'AcroForm', version: 21, loaded: true },
      ];
    },
    doc,
    activedocs: [doc],
    fs: {},
    toolbar: true,
    calculate: true,
    launchurl: (...args) => launch(args),
    alert: (...args) => {
      rec('message', 'app.alert', option(args, 'cMsg', 0));
      return 1;
    },
    response: (...args) => {
      rec('message', 'app.response', option(args, 'cQuestion', 0));
      return '';
    },
    beep: () => {},
    opendoc: (...args) => {
      rec('launch-url', option(args, 'cPath', 0), 'app.openDoc');
      return doc;
    },
    newdoc: () => doc,
    execmenuitem: (name) => {
      rec('asked', 'app.execMenuItem', name);
    },
    mailmsg: (...args) => {
      rec('mail', option(args, 'cTo', 1), option(args, 'cMsg', 5));
    },
    mailgetaddrs: () => blank('addresses'),
    popupmenu: () => null,
    popupmenuex: () => null,
    execdialog: (d) => {
      rec('message', 'app.execDialog', '');
      if (d && d.initialize) d.initialize(blank('dialog'));
      return 'ok';
    },
    trustedfunction: (f) => f,
    beginpriv: () => {
      rec('asked', 'app.beginPriv', 'refused');
    },
    endpriv: () => {},
    trustpropagatorfunction: (f) => f,
    addmenuitem: (...args) => {
      uponClick(option(args, 'cExec', 4));
    },
    addtoolbutton: (...args) => {
      uponClick(option(args, 'cExec', 1));
    },
    goback: () => {},
    goforward: () => {},
    settimeout: (code, ms) => addTimer(code, ms, []),
    setinterval: (code, ms) => addTimer(code, ms, [], true),
    cleartimeout: dropTimer,
    clearinterval: dropTimer,
    getpath: () => '/C/Users/m.keller/Documents',
    browsefordoc: () => null,
    getstring: () => '',
    hidemenuitem: () => {},
    media: blank('app.media'),
  });
};
