/** Makes findings of a recording. Each check is for one behaviour, and its evidence is the first event that shows it. */

import { anyOf, oneOf } from '../../formats/patterns.ts';
import type { BehaviourEvent } from '../behaviour.ts';
import type { Finding } from '../engine.ts';
import { type BehaviourRuleId, behaviour } from './findings.ts';
import { HIDDEN_HOST, PLAIN_CODE } from './host-calls.ts';
import { cannotReach } from './reach.ts';
import type { Recorder } from './recorder.ts';
import type { ScriptFile, ScriptObjects } from './script-file.ts';

const TOOLS = new RegExp(
  `(?:^|[\\\\/"'\\s])${oneOf(`
    cmd powershell pwsh mshta rundll32 regsvr32 wscript cscript certutil bitsadmin msiexec schtasks wmic curl msbuild
    installutil regasm cmstp forfiles explorer hh conhost reg net vssadmin wevtutil netsh attrib
  `)}(?:\\.exe)?(?=["'\\s]|$)`,
  'i',
);
const PROGRAM_NAME =
  /\.(?:exe|dll|scr|com|pif|cpl|js|jse|vbs|vbe|wsf|hta|ps1|bat|cmd|msi|lnk|jar|chm|url|sct|ocx|xll|reg)$/i;
const CARRIER_NAME = /\.(?:zip|rar|7z|iso|img|vhdx?|cab|gz|tar|ace|arj|one|docm|xlsm|xlsb|xlam)$/i;
const STARTUP = anyOf(
  [
    /\\currentversion\\(?:run|runonce|policies\\explorer\\run|winlogon)/,
    /\\programs\\startup\\/,
    /\\start menu\\programs\\startup/,
    /\\image file execution options\\/,
    /\\environment\\userinitmprlogonscript/,
  ],
  'i',
);
const SURVEY =
  /win32_|antivirus|computer ?name|user ?name|domain|logonserver|machineguid|productname|service |system information/i;
const EVASION = anyOf(
  [
    /virtual|vmware|vbox|qemu|xen|sandbox|wireshark|procmon|fiddler|sbie|bios/,
    /computersystem|videocontroller|diskdrive|win32_process\b/,
    /navigator\.(?:webdriver|plugins|hardwareConcurrency|deviceMemory)/,
  ],
  'i',
);
const COMMAND = /powershell|mshta|cmd(?:\.exe)?\s*\/c|curl\s|iex\b|invoke-|wscript|rundll32|certutil/i;
/** The first bytes of a program, a zip, a RAR, a 7-Zip archive and a shortcut. */
const HEADS = ['MZ', 'PK\x03\x04', 'Rar!', '7z\xbc\xaf', 'L\0\0\0'];
/** The user's files on the emulated machine (environment/used-machine.js). */
const DOCUMENTS = /^c:\\users\\m\.keller\\(?:documents|desktop|pictures)\\[^\\]+\.(?:docx|xlsx|pdf|jpg|txt|lnk)$/i;
const DESTROYED_DOCUMENTS = 3;
const LONG_WAIT_MS = 60_000;

interface Scene {
  readonly recorder: Recorder;
  readonly objects: ScriptObjects;
  /** Returns the first event of an operation whose target or detail matches. */
  first(operation: string | readonly string[], fits?: RegExp): BehaviourEvent | undefined;
}

/** Returns all findings of the recording of a file. */
export function judge(recorder: Recorder, { objects, text }: Pick<ScriptFile, 'objects' | 'text'>): Finding[] {
  const first: Scene['first'] = (operation, fits) =>
    recorder.events.find(
      (event) =>
        (typeof operation === 'string' ? event.operation === operation : operation.includes(event.operation)) &&
        (fits === undefined || fits.test(event.target) || fits.test(event.detail)),
    );
  const scene: Scene = { recorder, objects, first };
  const findings = [
    ...processFindings(scene),
    ...fileFindings(scene),
    ...networkFindings(scene),
    ...systemFindings(scene),
    ...codeFindings(scene),
    ...boundaryFindings(scene),
    ...(recorder.asPage === null ? [] : pageFindings(recorder.asPage.recording)),
  ];
  return findings.length > 0 ? findings : withoutHarm(scene, text);
}

const found = (id: BehaviourRuleId, event: BehaviourEvent | undefined): Finding[] =>
  event === undefined ? [] : [seen(id, event.detail === '' ? event.target : `${event.target}: ${event.detail}`, event)];

/** Returns a finding with its event, and the process that did it. */
const seen = (id: BehaviourRuleId, evidence: string, event: BehaviourEvent | undefined): Finding => ({
  ...behaviour(id, evidence),
  ...(event && { seenIn: { pids: [event.pid], eventIds: [event.id] } }),
});

function processFindings({ recorder, first }: Scene): Finding[] {
  const commands = recorder.processes.slice(1).map(({ commandLine }) => commandLine);
  if (commands.length === 0) return [];
  const findings: Finding[] = [];
  const isStarted = (path: string) => {
    const name = path.slice(path.search(/[^\\/]*$/)).toLowerCase();
    return name.length > 2 ? commands.find((line) => line.toLowerCase().includes(name)) : undefined;
  };
  for (const event of recorder.events) {
    if (event.operation !== 'file-write') continue;
    const command = isStarted(event.target);
    if (command === undefined) continue;
    const id = event.detail.includes('emulated network') ? 'behaviour-runs-download' : 'behaviour-runs-dropped-file';
    findings.push(seen(id, `${event.target}, then ${command}`, event));
    break;
  }
  const tool = commands.find((line) => TOOLS.test(line));
  if (tool !== undefined) {
    const started = recorder.events.find(({ operation, target }) => operation === 'process-start' && target === tool);
    findings.push(seen('behaviour-starts-interpreter', tool, started));
  } else findings.push(...found('behaviour-starts-program', first('process-start')));
  return findings;
}

function fileFindings({ recorder, first, objects }: Scene): Finding[] {
  const findings: Finding[] = [];
  const stored = first('file-write', /from an answer of the emulated network/);
  findings.push(...found('behaviour-stores-download', stored));
  const writes = ['file-write', 'file-copy', 'file-move'];
  const program = recorder.events.find(
    ({ operation, target }) => operation === 'file-write' && PROGRAM_NAME.test(target),
  );
  findings.push(...found('behaviour-writes-program', program));
  if (!stored && !program) findings.push(...found('behaviour-writes-file', first(writes)));
  findings.push(
    ...found('behaviour-persistence', first([...writes, 'registry-write'], STARTUP) ?? first('task-register')),
  );
  findings.push(...found('behaviour-destroys-documents', destroyed(recorder)));
  const itself = recorder.host.commandLine.toLowerCase();
  const removed = recorder.events.find(
    ({ operation, target }) => operation === 'file-delete' && itself.includes(target.toLowerCase()),
  );
  findings.push(...found('behaviour-deletes-itself', removed));
  const exported = first('export-attachment');
  if (exported) {
    const runs = Number(exported.detail) > 0;
    findings.push(...found(runs ? 'behaviour-pdf-runs-attachment' : 'behaviour-pdf-saves-attachment', exported));
  }
  const save = first('download');
  if (save && objects !== 'acrobat') {
    const isProgram = recorder.files.some(
      ({ kind, untrustedName, bytes }) => kind === 'downloaded_file' && carries(untrustedName, bytes),
    );
    findings.push(...found(isProgram ? 'behaviour-smuggled-program' : 'behaviour-smuggled-file', save));
  }
  return findings;
}

/** Returns the event that destroys one document more than a script may have made itself. */
function destroyed({ events }: Recorder): BehaviourEvent | undefined {
  const read = new Set(
    events.filter(({ operation }) => operation === 'file-read').map(({ target }) => target.toLowerCase()),
  );
  const lost = events.filter(({ operation, target }) => {
    if (!DOCUMENTS.test(target)) return false;
    return /^file-(?:delete|move)$/.test(operation) || (operation === 'file-write' && read.has(target.toLowerCase()));
  });
  return new Set(lost.map(({ target }) => target.toLowerCase())).size >= DESTROYED_DOCUMENTS ? lost[0] : undefined;
}

/** Returns true for a program, an archive or a shortcut, by its name or its first bytes. */
function carries(untrustedName: string, bytes: Uint8Array): boolean {
  if (PROGRAM_NAME.test(untrustedName) || CARRIER_NAME.test(untrustedName)) return true;
  const head = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  return HEADS.some((start) => head.startsWith(start));
}

function networkFindings({ recorder, first, objects }: Scene): Finding[] {
  const request = recorder.requests[0];
  const findings: Finding[] = [];
  if (request) {
    const id = objects === 'page' ? 'behaviour-page-request' : 'behaviour-contacts-host';
    findings.push(seen(id, `${request.method} ${request.url}`, first('http-request')));
  }
  const drive = first('network-drive');
  if (!request) findings.push(...found('behaviour-contacts-host', drive));
  const hidden = recorder.events.find(
    ({ operation, detail }) => operation === 'http-request' && detail.endsWith(HIDDEN_HOST),
  );
  if (objects === 'page') findings.push(...found('behaviour-hidden-address', hidden));
  findings.push(...found('behaviour-redirect', first('navigate', /^\s*(?:https?:|\/\/|file:|ms-|search-ms:|\\\\)/i)));
  findings.push(...found('behaviour-pdf-opens-url', first('launch-url')));
  findings.push(
    ...found(
      'behaviour-sends-form',
      first('form-submit', objects === 'acrobat' ? undefined : /password|pass|^https?:/i),
    ),
  );
  findings.push(...found('behaviour-sends-mail', first('mail')));
  return findings;
}

function systemFindings({ first, recorder, objects }: Scene): Finding[] {
  const asked = ['environment-query', 'wmi-query', 'registry-read'];
  const findings: Finding[] = [];
  const startup = first('registry-write', STARTUP);
  if (!startup) findings.push(...found('behaviour-registry-write', first(['registry-write', 'registry-delete'])));
  const evasion = objects === 'page' ? undefined : first(asked, EVASION);
  findings.push(...found('behaviour-evades-analysis', evasion));
  if (objects !== 'page') findings.push(...found('behaviour-system-survey', first(asked, SURVEY)));
  const waits = recorder.events.filter(({ operation }) => operation === 'sleep' || operation === 'timer');
  const long = waits.find((event) => Number(event.operation === 'sleep' ? event.target : event.detail) >= LONG_WAIT_MS);
  const slept = waits.reduce(
    (sum, { operation, target }) => sum + (operation === 'sleep' ? Number(target) || 0 : 0),
    0,
  );
  if (objects !== 'page' && (long || slept >= LONG_WAIT_MS))
    findings.push(behaviour('behaviour-long-delay', `${long ? long.target : slept} ms`));
  return findings;
}

function codeFindings({ first, objects }: Scene): Finding[] {
  const decoded = objects === 'page' ? 'behaviour-page-decoded-code' : 'behaviour-decoded-code';
  return [
    ...found(decoded, first(['code-decoded', 'markup-decoded'])),
    ...found('behaviour-loads-assembly', first('assembly-load')),
    ...found('behaviour-exploit-call', first('exploit-call')),
    ...found('behaviour-clipboard-command', first('clipboard-write', COMMAND)),
  ];
}

/** Returns the findings about a script file that ran as the script of a page. It may have ended early there, which says nothing. */
const pageFindings = (page: Recorder): Finding[] =>
  judge(page, { objects: 'page', text: '' }).filter(
    ({ id }) => !id.startsWith('behaviour-limit') && id !== 'behaviour-incomplete',
  );

/**
 * Finds scripts for Windows that did nothing harmful. Such a script exists to act. It may have noticed the emulation, done something
 * harmless, and stopped. So no harmless act makes it benign. A script file is benign when it asked for nothing, ran to its end as the
 * script of a page, and its text holds no way to act in Windows (reach.ts).
 */
function withoutHarm({ recorder, objects }: Scene, text: string): Finding[] {
  if (objects !== 'host' && objects !== 'application') return [];
  const asked = recorder.events.filter(
    ({ operation, detail }) => operation !== 'code-evaluated' || !PLAIN_CODE.test(detail),
  ).length;
  const page = recorder.asPage?.isWhole ? recorder.asPage.recording : null;
  const isIdle = page !== null && asked === 0 && (page.isNewerCode || recorder.looks.size === 0);
  if (isIdle && cannotReach(text, page.isNewerCode)) return [];
  return [behaviour('behaviour-no-effect', `${recorder.events.length} events, none that tells what it is for`)];
}

function boundaryFindings({ recorder }: Scene): Finding[] {
  const { limits, errors, missing, skipped } = recorder;
  const gaps = [
    ...errors.map((error) => `error: ${error}`),
    ...[...missing].map((name) => `not emulated: ${name}`),
    ...[...skipped].map((reason) => `not run: ${reason}`),
  ];
  return [
    ...[...limits].map((limit) => behaviour('behaviour-limit-reached', limit)),
    ...(gaps.length > 0 ? [behaviour('behaviour-incomplete', gaps.slice(0, 10).join('; '))] : []),
  ];
}
