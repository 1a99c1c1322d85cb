/** The host itself: `WScript`, and what scripts and applications create objects with. */
import { com } from './automation.js';
import { join, Num, rec } from './bridge.js';
import { advance } from './clock.js';
import { createObject, getObject } from './create-object.js';
import { SCRIPT } from './disk.js';
import { G } from './script-global.js';
import { textOut } from './shell.js';

// A loop of short waits is one thing to tell, not the end of the recording.
const SLEEPS = 500;
let sleeps = 0;
export const useWsh = (withHost) => {
  G.ActiveXObject = function (name) {
    return createObject(name);
  };
  G.GetObject = getObject;
  if (!withHost) return;
  G.CreateObject = createObject;
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
  G.WScript = com('WScript', members, undefined, 'Windows Script Host');
  G.WSH = G.WScript;
};
