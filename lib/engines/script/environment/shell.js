/** WScript.Shell with its registry and environment, Shell.Application and WScript.Network. */
import { com, listing } from './automation.js';
import { lower, rec, Str } from './bridge.js';
import { baseOf, started, writeFile } from './disk.js';
import { asked, ENV, expand, specialFolder } from './machine.js';

const registry = Object.create(null);
// Keys of Windows exist. A key of the script's own only exists after the script has written it.
const KNOWN_KEYS =
  /^(hklm|hkey_local_machine)\\(software\\(wow6432node\\)?microsoft|system|hardware)\\|^(hkcu|hkey_current_user)\\(control panel|software\\microsoft\\(windows\\currentversion|internet explorer|office))\\|^(hkcr|hkey_classes_root)\\/;
const shellEnvironment = (kind) =>
  com(
    'Environment',
    {
      item: (n) => asked('environment variable ' + n, ENV[lower(Str(n))] || ''),
      item_put: (n, v) => {
        ENV[lower(Str(n))] = Str(v);
        rec('environment-set', n, v);
      },
      get count() {
        return 31;
      },
      remove: () => {},
    },
    (n) => asked('environment variable ' + n, ENV[lower(Str(n))] || ''),
  );
export const shell = () =>
  com('WScript.Shell', {
    run: (command) => started(command, undefined, 'WScript.Shell.Run'),
    exec: (command) => {
      started(command, undefined, 'WScript.Shell.Exec');
      return com('WshExec', {
        status: 1,
        exitcode: 0,
        processid: 4388,
        stdout: textOut(),
        stderr: textOut(),
        stdin: textOut(),
        terminate: () => {},
      });
    },
    expandenvironmentstrings: expand,
    environment: shellEnvironment,
    specialfolders: com('SpecialFolders', { item: specialFolder, count: 18 }, specialFolder),
    regread: (key) => {
      const low = lower(Str(key));
      rec('registry-read', key, low in registry ? registry[low] : 'plausible answer');
      if (low in registry) return registry[low];
      if (/currentversion\\productname/.test(low)) return 'Windows 10 Pro';
      if (/machineguid/.test(low)) return '5f2c0c3e-7c61-4b0a-9b7e-6a1d5a0f3c11';
      if (/\\run|uninstall|vmware|virtualbox|vbox/.test(low)) throw new Error('Unable to open registry key');
      if (!KNOWN_KEYS.test(low)) throw new Error('Unable to open registry key');
      return '';
    },
    regwrite: (key, value, type) => {
      registry[lower(Str(key))] = value;
      rec('registry-write', key, value, type || 'REG_SZ');
    },
    regdelete: (key) => {
      rec('registry-delete', key);
    },
    popup: (text, wait, title) => {
      rec('message', title || 'Windows Script Host', text);
      return 1;
    },
    sendkeys: (keys) => {
      rec('send-keys', keys);
    },
    appactivate: (t) => true,
    logevent: () => true,
    currentdirectory: ENV.userprofile + '\\Downloads',
    createshortcut: (path) => {
      const link = {
        targetpath: '',
        arguments: '',
        windowstyle: 1,
        iconlocation: '',
        description: '',
        workingdirectory: '',
        hotkey: '',
        fullname: Str(path),
        save: () => writeFile(path, 'shortcut to ' + link.targetpath + ' ' + link.arguments, 'shortcut'),
      };
      return com('Shortcut', link);
    },
  });
export const textOut = () =>
  com('StdStream', {
    readall: () => '',
    readline: () => '',
    read: () => '',
    atendofstream: true,
    write: (t) => {
      rec('message', 'standard output', t);
    },
    writeline: (t) => {
      rec('message', 'standard output', t);
    },
    close: () => {},
  });
const shellFolder = (path) =>
  com('Folder', {
    items: () => listing([]),
    copyhere: (what) => {
      rec('file-copy', what, path);
    },
    parsename: (name) =>
      com('FolderItem', {
        path: path + '\\' + name,
        invokeverb: (verb) => started(path + '\\' + name, undefined, 'InvokeVerb ' + (verb || 'open')),
        invokeverbex: (verb) => started(path + '\\' + name, undefined, 'InvokeVerb ' + (verb || 'open')),
      }),
    self: com('FolderItem', { path: Str(path) }),
    title: baseOf(path),
  });
export const shellApplication = () =>
  com('Shell.Application', {
    shellexecute: (file, args, dir, verb) => {
      started(file, args, 'ShellExecute ' + (verb || 'open'));
    },
    namespace: (path) =>
      shellFolder(typeof path === 'number' ? specialFolder(path === 7 ? 'startup' : 'desktop') : Str(path)),
    open: (path) => {
      started(path, undefined, 'Shell.Application.Open');
    },
    explore: (path) => {
      started(path, undefined, 'Shell.Application.Explore');
    },
    windows: () =>
      listing([
        com('window', {
          document: com('document', {
            application: com('application', {
              get shellexecute() {
                return shellApplication().ShellExecute;
              },
            }),
          }),
        }),
      ]),
    minimizeall: () => {},
    isservicerunning: (n) => asked('service ' + n, false),
    getsysteminformation: (n) => asked('system information ' + n, 8),
    canstartstopservice: () => false,
  });
export const network = () =>
  com('WScript.Network', {
    get username() {
      return asked('user name', 'm.keller');
    },
    get computername() {
      return asked('computer name', 'FIN-WS-0417');
    },
    get userdomain() {
      return asked('domain', 'FINANCE');
    },
    enumnetworkdrives: () => listing([]),
    enumprinterconnections: () => listing([]),
    mapnetworkdrive: (letter, path) => {
      rec('network-drive', path);
    },
  });
