/** Objects that run code or open pages: MSScriptControl and Internet Explorer. */
import { blank, com } from './automation.js';
import { layer, rec, Str } from './bridge.js';
import { request } from './requests.js';
import { realEval, scriptGlobal } from './script-global.js';

export const scriptControl = () => {
  const m = {
    language: 'JScript',
    allowui: false,
    timeout: 10000,
    usesafesubset: false,
    addcode: (code) => {
      run(code);
    },
    executestatement: (code) => {
      run(code);
    },
    eval: (code) => run(code),
    run: (name, ...args) => scriptGlobal[name](...args),
    addobject: (n, o) => {
      scriptGlobal[n] = o;
    },
    reset: () => {},
  };
  const run = (code) => {
    if (/vb/i.test(m.language)) {
      rec('skipped', 'VBScript in ScriptControl', code);
      return undefined;
    }
    return realEval(layer(Str(code), 'ScriptControl'));
  };
  return com('ScriptControl', m);
};
export const explorer = () => {
  const m = {
    visible: true,
    silent: false,
    readystate: 4,
    busy: false,
    locationurl: '',
    quit: () => {},
    stop: () => {},
    navigate: (url) => {
      m.locationurl = Str(url);
      request('GET', url);
    },
    navigate2: (url) => m.navigate(url),
    document: blank('InternetExplorer.document'),
  };
  return com('InternetExplorer.Application', m);
};
