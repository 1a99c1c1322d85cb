/**
 * Objects by their class ids, and objects that a page or a script file declares. The scripts of a style sheet run when it is applied.
 */
import { blank, com } from './automation.js';
import { layer, lower, rec, replaceText, Str } from './bridge.js';
import { createObject, MAKERS } from './create-object.js';
import { stream } from './data-stream.js';
import { dictionary } from './dictionary.js';
import { arrayList, base64Transform, deserialize, encoding, memoryStream } from './dot-net.js';
import { fileSystem } from './file-system.js';
import { http } from './http.js';
import { browserWindow, console_, office, outlook, shellWindows } from './office.js';
import { scheduler } from './scheduled-tasks.js';
import { realEval, scriptGlobal } from './script-global.js';
import { network, shell, shellApplication } from './shell.js';

export const runSheet = (text) => {
  const script = /<[\w:-]*script\b[^>]*>([\s\S]*?)<\/[\w:-]*script\s*>/gi;
  const body = Str(text);
  for (let m = script.exec(body); m !== null; m = script.exec(body)) {
    const code = replaceText(m[1], /^\s*<!\[CDATA\[|\]\]>\s*$/g, '');
    if (/language\s*=\s*["']?vb/i.test(m[0])) rec('skipped', 'VBScript in a style sheet', code);
    else realEval(layer(code, 'style sheet'));
  }
};

/** @type {[RegExp, (name?: any) => any][]} */
const CLASSES = [
  [/72c24dd5-d70a-438b-8a42-98424b88afb8|f935dc22-1cf0-11d0-adb9-00c04fd58a0b/, shell],
  [/13709620-c279-11ce-a49e-444553540000/, shellApplication],
  [/9ba05972-f6a8-11cf-a442-00a0c90a8f39/, shellWindows],
  [/c08afd90-f2a1-11d1-8455-00a0c91f3880/, browserWindow],
  [/49b2791a-b1ae-4c90-9b8e-e860ba07f889/, console_],
  [/0d43fe01-f093-11cf-8940-00a0c9054228/, fileSystem],
  [/00000566-0000-0010-8000-00aa006d2ea4/, stream],
  [/ee09b103-97e0-11cf-978f-00a02463e06f/, dictionary],
  [
    /f5078f3[25]-c551-11d3-89b9-0000f81fe221|f6d90f16-9c73-11d3-b32e-00c04f990bb4|88d96a0[5a]-f192-11d4-a65f-0040963251e5|afba6b42-5692-48ea-8141-dc517dcf0ef1|2087c2f4-2cef-4953-a8ab-66779b670495/,
    () => http('XMLHTTP'),
  ],
  [/093ff999-1ea0-4079-9525-9614c3504b74/, network],
  [/0f87369f-a4e5-4cfc-bd3e-73e6154572dd/, scheduler],
];
export const ofClass = (id) => {
  const low = lower(Str(id));
  for (const [pattern, make] of CLASSES) if (pattern.test(low)) return make();
  return null;
};
MAKERS.push(
  [/^mmc20\.application/, console_],
  [/^schedule\.service/, scheduler],
  [/^outlook\.application/, outlook],
  [/^(excel|word|powerpoint)\.application/, office],
  [/^system\.text\.\w*encoding/, encoding],
  [/^system\.io\.memorystream/, memoryStream],
  [
    /^system\.runtime\.serialization\.formatters\.binary\.binaryformatter/,
    () => com('BinaryFormatter', { deserialize, deserialize_2: deserialize }),
  ],
  [/^system\.security\.cryptography\.frombase64transform/, base64Transform],
  [/^system\.collections\.arraylist/, arrayList],
  [/^scriptlet\.typelib/, () => com('TypeLib', { guid: '{5F2C0C3E-7C61-4B0A-9B7E-6A1D5A0F3C11}' })],
  [/^new:|^\{?[0-9a-f]{8}-/, () => blank('class')],
);
// An object that a page or a script file declares with a name is a variable of its scripts.
export const declareObjects = (elements) => {
  for (const { tag, attributes } of elements)
    if (tag === 'object' && attributes.id) {
      const made = attributes.progid
        ? createObject(attributes.progid)
        : ofClass(attributes.classid || attributes.clsid);
      if (made) scriptGlobal[attributes.id] = made;
    }
};
