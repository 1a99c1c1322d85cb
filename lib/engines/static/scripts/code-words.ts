/** Words in lower case that show the abilities of code, by language. They are searched in code that was made readable first. */

import type { FindingId } from '../findings/findings.ts';
import type { Language } from './code-language.ts';

export interface Capability {
  readonly id: FindingId;
  /** The languages in which the words mean this. */
  readonly in: readonly Language[];
  /** The code must hold one of these words. */
  readonly any: readonly string[];
  /** It must also hold one of these, where the words above alone are ordinary. */
  readonly and?: readonly string[];
  /** It must not hold this. */
  readonly not?: string;
}

const COM: readonly Language[] = ['javascript', 'basic', 'macro', 'host'];
const SHELLS: readonly Language[] = ['powershell', 'batch', 'other'];
const ALL: readonly Language[] = [...COM, ...SHELLS];
const NOT_JAVASCRIPT: readonly Language[] = ['basic', 'macro', 'host', ...SHELLS];

/** The class that starts processes. Scripts for inventories ask for classes with similar names about processors. */
const PROCESS_CLASS = [
  'win32_process"',
  "win32_process'",
  'win32_process)',
  'win32_process.',
  'win32_process -',
  'win32_processstartup',
];

export const CAPABILITIES: readonly Capability[] = [
  {
    id: 'code-executes',
    in: COM,
    any: [
      '.run',
      '.exec(',
      '.exec ',
      '["run"]',
      "['run']",
      '["exec"]',
      "['exec']",
      '.shellexecute',
      '["shellexecute"]',
    ],
    and: [
      'wscript.shell',
      'shell.application',
      '{f935dc22-1cf0-11d0-adb9-00c04fd58a0b}',
      '72c24dd5-d70a-438b-8a42-98424b88afb8',
      'getobject("new:',
    ],
  },
  { id: 'code-executes', in: COM, any: ['getobject("script:', "getobject('script:"] },
  { id: 'code-executes', in: ['javascript'], any: ['eval('], and: ['bin.base64', 'scriptfullname'] },
  { id: 'code-downloads', in: COM, any: ['getobject("script:http', "getobject('script:http"] },
  { id: 'code-executes', in: COM, any: PROCESS_CLASS, and: ['winmgmts', '.create', 'getobject'] },
  {
    id: 'code-executes',
    in: ['macro'],
    any: [
      'shellexecute',
      'winexec',
      'createprocess',
      'shell.application',
      'wscript.shell',
      'shell.explorer',
      'mshta',
      'rundll32',
      'regsvr32',
      'powershell',
      'cmd.exe',
      'cmd /c',
      'schedule.service',
    ],
  },
  {
    id: 'code-executes',
    in: ['basic', 'host'],
    any: ['powershell', 'mshta ', 'mshta.exe', 'rundll32', 'regsvr32', 'executeglobal'],
  },
  {
    id: 'code-executes',
    in: ['powershell', 'other'],
    any: ['wscript.shell', 'shell.application', 'win32_process', 'rundll32', 'regsvr32', 'mshta'],
  },
  {
    id: 'code-starts-command',
    in: ['powershell', 'other'],
    any: [
      'invoke-expression',
      'start-process',
      '|iex',
      '| iex',
      'iex(',
      'iex (',
      'iex $',
      'iex ',
      'scriptblock]::create',
      'invoke-item',
      'diagnostics.process]::start',
      'saps ',
    ],
  },
  {
    id: 'code-executes',
    in: ['batch', 'other'],
    any: [
      'powershell -',
      'powershell.exe',
      'powershell "',
      'mshta',
      'rundll32',
      'regsvr32',
      'wmic process call',
      'forfiles',
    ],
  },
  {
    id: 'code-starts-command',
    in: ['batch', 'other'],
    any: ['wscript ', 'cscript ', 'wscript.exe', 'cscript.exe', 'start /b', 'start /min', 'start ""', '.exe'],
  },
  {
    id: 'code-downloads',
    in: NOT_JAVASCRIPT,
    any: [
      'msxml2.xmlhttp',
      'microsoft.xmlhttp',
      'msxml2.serverxmlhttp',
      'winhttp.winhttprequest',
      'urldownloadtofile',
      'internetopenurl',
      'internetreadfile',
      'net.webclient',
      'downloadstring',
      'downloadfile',
      'downloaddata',
      'invoke-webrequest',
      'invoke-restmethod',
      'start-bitstransfer',
      'net.http.httpclient',
      'net.sockets.tcpclient',
      'certutil -urlcache',
      'urlcache -split',
      '-urlcache -f',
      '-urlcache',
      'bitsadmin',
      'irm http',
      'iwr http',
      'iwr -',
      'irm ',
      'curl http',
      'curl -',
      'curl.exe',
      'wget http',
      'wget -',
    ],
  },
  {
    id: 'code-downloads',
    in: ['javascript'],
    any: ['msxml2.xmlhttp', 'microsoft.xmlhttp', 'msxml2.serverxmlhttp', 'winhttp.winhttprequest'],
    and: ['adodb.stream', 'wscript.shell', 'wscript.'],
  },
  // An ordinary page that uses this object also uses XMLHttpRequest, for all other browsers.
  {
    id: 'code-downloads',
    in: ['javascript'],
    any: ['msxml2.xmlhttp', 'msxml2.serverxmlhttp'],
    and: ['eval(', 'function('],
    not: 'xmlhttprequest',
  },
  {
    id: 'code-executes',
    in: ['javascript'],
    any: ['msxml2.xmlhttp', 'msxml2.serverxmlhttp'],
    and: ['.responsetext)', "['responsetext'])", '["responsetext"])'],
    not: 'xmlhttprequest',
  },
  {
    id: 'code-obfuscated',
    in: ['powershell', 'other'],
    any: ['frombase64string', 'securestringtobstr', 'deflatestream', 'gzipstream', 'getresponsestream', '-bxor'],
    and: ['iex', 'invoke-expression', 'scriptblock]::create', 'assembly]::load'],
  },
  {
    id: 'code-writes-file',
    in: COM,
    any: ['adodb.stream', 'createtextfile', '.savetofile', 'opentextfile', 'copyfile'],
  },
  {
    id: 'code-writes-file',
    in: ['macro'],
    any: [' for output', ' for binary', 'writeallbytes', '.saveas', 'filecopy'],
  },
  {
    id: 'code-writes-file',
    in: ['powershell', 'other'],
    any: ['writeallbytes', 'writealltext', 'set-content', 'out-file', 'add-content'],
  },
  {
    id: 'code-persists',
    in: ALL,
    any: [
      'currentversion\\run',
      'currentversion\\\\run',
      'schtasks /create',
      'schtasks.exe /create',
      'register-scheduledtask',
      'new-scheduledtask',
      '\\start menu\\programs\\startup',
      'specialfolders("startup")',
      "specialfolders('startup')",
      'schedule.service',
      '__eventfilter',
    ],
  },
  {
    id: 'code-loads-memory',
    in: ['macro', 'powershell', 'other', 'basic', 'host'],
    any: [
      'virtualalloc',
      'rtlmovememory',
      'createthread',
      'ntallocatevirtualmemory',
      'writeprocessmemory',
      'enumsystemlocales',
      'queueuserapc',
      'reflection.assembly]::load',
      'assembly]::load(',
      '[appdomain]::currentdomain.load',
      'getdelegateforfunctionpointer',
      'binaryformatter',
      'dynamicwrapperx',
    ],
  },
  {
    id: 'code-disables-defence',
    in: ALL,
    any: [
      'amsiutils',
      'amsiinitfailed',
      'amsiscanbuffer',
      'set-mppreference -disable',
      'add-mppreference -exclusion',
      'delete shadows',
      'shadowcopy delete',
      'wevtutil cl ',
      'bcdedit /set {default} recoveryenabled no',
      'bcdedit /set recoveryenabled',
      'disableantispyware',
      'wbadmin delete',
      'netsh advfirewall set allprofiles state off',
    ],
  },
];

/** Words of at most this length are parts of ordinary words: `confirm ` ends in `irm `. */
const SHORT = 6;

/** Returns true when code in lower case has the word. No letter may be in front of a short word. */
export function isIn(lower: string, word: string): boolean {
  if (word.length > SHORT || !/^\w/.test(word)) return lower.includes(word);
  for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + 1)) {
    if (at === 0 || !/[\w-]/.test(lower.charAt(at - 1))) return true;
  }
  return false;
}

/**
 * Words of the script host, which make JavaScript a program for Windows. Without one, it belongs to a page or a server and reaches nothing.
 */
export const SCRIPT_HOST = ['activexobject', 'wscript', 'getobject(', 'createobject'];
