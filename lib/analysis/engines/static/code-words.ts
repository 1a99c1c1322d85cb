/** Lower-case words by which code shows what it is able to do, by language. A word counts in code that was made readable first. */
import type { Language } from './code-language.ts';
import type { FindingId } from './findings.ts';

export interface Capability {
  readonly id: FindingId;
  /** Languages in which the words mean this. */
  readonly in: readonly Language[];
  /** One of these. */
  readonly any: readonly string[];
  /** And one of these, where the words alone are ordinary. */
  readonly and?: readonly string[];
}

const COM: readonly Language[] = ['javascript', 'basic', 'macro', 'host'];
const SHELLS: readonly Language[] = ['powershell', 'batch', 'other'];
const ALL: readonly Language[] = [...COM, ...SHELLS];
const NOT_JAVASCRIPT: readonly Language[] = ['basic', 'macro', 'host', ...SHELLS];

export const CAPABILITIES: readonly Capability[] = [
  {
    id: 'code-executes',
    in: COM,
    any: ['.run', '.exec', '["run"]', "['run']", '["exec"]', "['exec']", '.shellexecute', '["shellexecute"]'],
    and: [
      'wscript.shell',
      'shell.application',
      '{f935dc22-1cf0-11d0-adb9-00c04fd58a0b}',
      '72c24dd5-d70a-438b-8a42-98424b88afb8',
    ],
  },
  { id: 'code-executes', in: COM, any: ['win32_process'], and: ['winmgmts', '.create', 'getobject'] },
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
    any: [
      'invoke-expression',
      'start-process',
      '|iex',
      '| iex',
      'iex(',
      'iex (',
      'iex $',
      'invoke-item',
      '[diagnostics.process]::start',
      'diagnostics.process]::start',
      'wscript.shell',
      'shell.application',
      'win32_process',
      'saps ',
      'rundll32',
      'regsvr32',
      'mshta',
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
      'wscript ',
      'cscript ',
      'wscript.exe',
      'cscript.exe',
      'wmic process call',
      'forfiles',
      'start /b',
      'start /min',
    ],
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

/** Procedures that Office calls by itself, and events of controls that appear with the document. */
export const AUTO_RUN =
  /\b(?:auto_?(?:open|exec|close|exit|new)|document_?(?:open|close|new|beforeclose)|workbook_?(?:open|activate|beforeclose|deactivate)|worksheet_(?:activate|calculate|change)|presentation_open|slideshow_?begin|on(?:slideshowpagechange|load|connect)|\w{1,40}_(?:layout|painted|painting|gotfocus|mousehover|mousemove|resize|beforenavigate2|navigatecomplete2|documentcomplete|onconnecting|propertychange))\s{0,3}\(/i;

/** A call of VBA's own Shell at the place of a statement or an expression, which prose does not have. */
export const SHELL_CALL =
  /(?:^|[=:(,]|\bcall\b|\bthen\b|\belse\b)[ \t]{0,8}(?:vba\.|interaction\.)?shell[$!]?[ \t]{0,3}(?:\(|"|[a-z_]\w{0,60}[ \t]{0,3}(?:[,&\r\n]|$))/im;

/** Hosts beside which JavaScript is a program. Without one of them it is a page's or a server's, and reaches nothing. */
export const SCRIPT_HOST = ['activexobject', 'wscript', 'getobject(', 'createobject'];
