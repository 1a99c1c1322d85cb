/** The script host: `WScript`, and the functions by which scripts and applications create objects. */
import { com } from './automation.js';
import { join, Num, rec } from './bridge.js';
import { advance } from './clock.js';
import { createObject, getObject } from './create-object.js';
import { SCRIPT } from './disk.js';
import { scriptGlobal } from './script-global.js';
import { textOut } from './shell.js';

// A loop of short waits must not fill the recording.
const SLEEPS = 500;
let sleeps = 0;
export const useWsh = (withHost) => {
  scriptGlobal.ActiveXObject = function (name) {
    return createObject(name);
  };
  scriptGlobal.GetObject = getObject;
  if (!withHost) return;
  scriptGlobal.CreateObject = createObject;
  const args = com(
    'WshArguments',
    {
      count: () => 0,
      length: 0,
      item: () => {
        throw new Error('Range');
      },
      named: com('Named', { exists: () => false, item: () => '', count: 0 }),
      unnamed: com('Unnamed', { count: 0, length: 0, item: () => '' }),
      showusage: () => {},
    },
    () => {
      throw new Error('Range');
    },
  );
  const members = {
    echo: (...texts) => {
      rec('message', 'Windows Script Host', join(texts, ' '));
    },
    quit: (code) => {
      rec('quit', code === undefined ? 0 : code);
      throw new Error('quit');
    },
    sleep: (ms) => {
      advance(Num(ms));
      sleeps++;
      rec(sleeps > SLEEPS ? 'work' : 'sleep', ms);
    },
    createobject: createObject,
    getobject: getObject,
    arguments: args,
    scriptfullname: SCRIPT.path,
    scriptname: SCRIPT.name,
    path: 'C:\\Windows\\System32',
    fullname: 'C:\\Windows\\System32\\wscript.exe',
    name: 'Windows Script Host',
    version: '5.812',
    buildversion: '16384',
    interactive: true,
    timeout: 0,
    stdout: textOut(),
    stderr: textOut(),
    stdin: textOut(),
    connectobject: () => {},
    disconnectobject: () => {},
  };
  scriptGlobal.WScript = com('WScript', members, undefined, 'Windows Script Host');
  scriptGlobal.WSH = scriptGlobal.WScript;
};
