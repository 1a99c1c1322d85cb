/** The emulated machine: its user, its variables, its special folders. */
import { lower, rec, replaceText, Str } from './bridge.js';

export const ENV = {
  appdata: 'C:\\Users\\m.keller\\AppData\\Roaming',
  localappdata: 'C:\\Users\\m.keller\\AppData\\Local',
  temp: 'C:\\Users\\m.keller\\AppData\\Local\\Temp',
  tmp: 'C:\\Users\\m.keller\\AppData\\Local\\Temp',
  userprofile: 'C:\\Users\\m.keller',
  username: 'm.keller',
  userdomain: 'FINANCE',
  userdnsdomain: 'FINANCE.EXAMPLE',
  computername: 'FIN-WS-0417',
  windir: 'C:\\Windows',
  systemroot: 'C:\\Windows',
  systemdrive: 'C:',
  comspec: 'C:\\Windows\\system32\\cmd.exe',
  programfiles: 'C:\\Program Files',
  'programfiles(x86)': 'C:\\Program Files (x86)',
  programdata: 'C:\\ProgramData',
  allusersprofile: 'C:\\ProgramData',
  public: 'C:\\Users\\Public',
  os: 'Windows_NT',
  processor_architecture: 'AMD64',
  number_of_processors: '8',
  logonserver: '\\\\FIN-DC-01',
  path: 'C:\\Windows\\system32;C:\\Windows',
  homedrive: 'C:',
  homepath: '\\Users\\m.keller',
  psmodulepath: 'C:\\Windows\\system32\\WindowsPowerShell\\v1.0\\Modules',
};
export const asked = (what, answer) => {
  rec('asked', what, answer);
  return answer;
};
export const expand = (text) =>
  replaceText(Str(text), /%([^%\r\n]{1,60})%/g, (all, name) => {
    const value = ENV[lower(name)];
    return value === undefined ? all : asked('environment variable ' + name, value);
  });
const SPECIAL = {
  desktop: '\\Desktop',
  startup: '\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup',
  appdata: '\\AppData\\Roaming',
  mydocuments: '\\Documents',
  recent: '\\AppData\\Roaming\\Microsoft\\Windows\\Recent',
  sendto: '\\AppData\\Roaming\\Microsoft\\Windows\\SendTo',
  startmenu: '\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu',
  programs: '\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs',
  favorites: '\\Favorites',
  fonts: '\\Fonts',
  templates: '\\AppData\\Roaming\\Microsoft\\Windows\\Templates',
};
export const specialFolder = (name) =>
  asked('special folder ' + name, ENV.userprofile + (SPECIAL[lower(Str(name))] || '\\Desktop'));
