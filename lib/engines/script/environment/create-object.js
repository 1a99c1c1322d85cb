/** Makes the object for a name or a moniker. */
import { blank, com } from './automation.js';
import { lower, rec, replaceText, Str } from './bridge.js';
import { ofClass } from './class-ids.js';
import { stream } from './data-stream.js';
import { dictionary } from './dictionary.js';
import { fileSystem } from './file-system.js';
import { http } from './http.js';
import { request } from './requests.js';
import { explorer, scriptControl } from './script-control.js';
import { scriptGlobal } from './script-global.js';
import { network, shell, shellApplication } from './shell.js';
import { wmi, wmiClass } from './wmi.js';
import { xmlDocument } from './xml-document.js';

/** @type {[RegExp, (name?: any) => any][]} */
export const MAKERS = [
  [/^wscript\.shell/, shell],
  [/^scripting\.filesystemobject/, fileSystem],
  [/^adodb\.stream/, stream],
  [/xmlhttp|^winhttp\./, () => http('XMLHTTP')],
  [/^shell\.application/, shellApplication],
  [/^scripting\.dictionary/, dictionary],
  [/^wbemscripting\.swbemlocator/, wmi],
  [/^wscript\.network/, network],
  [/domdocument|xmldom/, xmlDocument],
  [/scriptcontrol/, scriptControl],
  [/^internetexplorer\.application/, explorer],
  [
    /^htmlfile/,
    () =>
      scriptGlobal.document ||
      com('htmlfile', { write: () => {}, close: () => {}, parentwindow: scriptGlobal, open: () => {} }),
  ],
];
export const createObject = (name) => {
  const id = lower(Str(name));
  rec('object', name);
  const known = ofClass(id);
  if (known) return known;
  for (const [pattern, make] of MAKERS) if (pattern.test(id)) return make(Str(name));
  if (/^(excel|word|outlook|powerpoint|schedule|wia|adodb|msxml2|microsoft|system)\./.test(id)) return blank(Str(name));
  throw new Error("Automation server can't create object");
};
export const getObject = (moniker) => {
  const text = Str(moniker);
  rec('object', 'GetObject ' + text);
  if (/^winmgmts:/i.test(text)) {
    const cls = /:(win32_\w+)\s*$/i.exec(text);
    return cls ? wmiClass(cls[1]) : wmi();
  }
  if (/^script(let)?:/i.test(text)) {
    request('GET', replaceText(text, /^script(let)?:/i, ''));
    return blank('scriptlet');
  }
  const known = ofClass(text);
  if (known) return known;
  if (/^(?:https?|ftp|ldap|file):|^\\\\/i.test(text)) request('GET', text);
  const app = /^(excel|word|powerpoint|outlook)\.application|^mmc20/i.test(text) ? createObject(text) : null;
  return app || blank(text);
};
