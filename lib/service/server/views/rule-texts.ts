/**
 * The findings of the YARA rules of this project by their code: name, meaning and techniques of MITRE ATT&CK, in English like reports. A
 * test compares them with the rules.
 */
export const RULE_TEXTS = {
  'pdf-exploit-script': [
    'PDF script of an exploit',
    'A script that fills memory or calls the functions that exploits use.',
    ['T1059.007', 'T1203'],
  ],
  'pdf-launches-system-tool': [
    'PDF starts a system tool',
    'A launch action names a command interpreter.',
    ['T1204.002', 'T1218'],
  ],
  'shortcut-runs-interpreter': [
    'Shortcut that runs a command',
    'A Windows shortcut starts a command interpreter or a loader of scripts.',
    ['T1059', 'T1204.002'],
  ],
  'shortcut-remote-target': [
    'Shortcut to a file server or script',
    'An Internet shortcut opens a file on a server, a script or a search on a server.',
    ['T1187', 'T1204.002'],
  ],
  'onenote-embedded-file': [
    'File inside OneNote',
    'A OneNote section carries a file that a double click opens.',
    ['T1204.002'],
  ],
  'disk-image-program': [
    'Disk image with a program or shortcut',
    'A mounted image takes the programs in it around the checks for downloaded files.',
    ['T1204.002', 'T1553.005'],
  ],
  'program-in-base64': ['Program written as text', 'A Windows program is hidden in base64 text.', ['T1027.009']],
  'folder-settings-remote': [
    'Folder settings that reach another machine',
    "Settings of a folder or a drive fetch an icon or a program from another machine, which gives away the password's hash.",
    ['T1187'],
  ],
  'setup-file-scriptlet': [
    'Setup information that loads a script',
    'A setup information file registers a script from a server.',
    ['T1218'],
  ],
  'console-file-script': [
    'Management console file with a script',
    'A file of the management console runs a script through one of its own pages or transforms.',
    ['T1218.014'],
  ],
  'network-installer': [
    'Description of a program to install',
    'A small file makes the system fetch a program from a server and install or run it.',
    ['T1105', 'T1204.002'],
  ],
  'troubleshooter-command': [
    'Link that runs a command through a troubleshooter',
    'A link of the support diagnostics carries a command in its parameters.',
    ['T1203', 'T1218'],
  ],
  'vba-automatic-run': [
    'Macro that runs programs by itself',
    'A macro starts with the document and calls a program, a script object or the system.',
    ['T1059.005', 'T1204.002'],
  ],
  'vba-download': ['Macro that downloads', 'A macro fetches a file from the network.', ['T1059.005', 'T1105']],
  'excel4-macro-formula': [
    'Excel 4.0 macro that runs programs',
    'A macro sheet calls programs or the system.',
    ['T1059', 'T1204.002'],
  ],
  'dde-command': ['DDE command', 'A field or cell asks another program to run a command.', ['T1559.002']],
  'equation-editor-object': [
    'Equation editor object',
    'Holds a formula for the old equation editor, which runs code from a crafted one (CVE-2017-11882, CVE-2018-0802).',
    ['T1203'],
  ],
  'ole-remote-link': [
    'Object that is loaded from a remote place',
    'An object link points to a web or file server and is updated when the document opens (CVE-2017-0199).',
    ['T1203', 'T1221'],
  ],
  'rtf-self-updating-object': [
    'Object that updates itself',
    'An RTF object is loaded as soon as the document is opened, without a click.',
    ['T1203'],
  ],
  'active-mime': [
    'ActiveMime macro container',
    'A web archive carries a macro project in the form that Word unpacks.',
    ['T1027', 'T1059.005'],
  ],
  'powershell-download-and-run': [
    'PowerShell downloads and runs',
    'Fetches something with PowerShell and runs it in the same breath.',
    ['T1059.001', 'T1105'],
  ],
  'powershell-encoded-command': [
    'PowerShell with an encoded command',
    'Starts PowerShell with a command hidden in base64.',
    ['T1027.010', 'T1059.001'],
  ],
  'powershell-hidden': [
    'Hidden PowerShell',
    'Starts PowerShell without a window and without its safety checks.',
    ['T1059.001', 'T1564.003'],
  ],
  'script-host-dropper': [
    'Script that fetches or writes, and runs',
    'Uses the Windows script host to fetch or write a file and to run programs.',
    ['T1059.005', 'T1105'],
  ],
  'system-tool-abuse': [
    'System tool that loads code',
    'Calls a program of Windows in a way that loads or decodes code from elsewhere.',
    ['T1218'],
  ],
  'javascript-self-decoding': [
    'JavaScript that decodes and runs itself',
    'Builds code from escaped or numeric text and runs it.',
    ['T1027', 'T1059.007'],
  ],
  'vbscript-character-chain': [
    'Text spelled in character codes',
    'A long chain of character codes hides what a script does.',
    ['T1027', 'T1059.005'],
  ],
  'html-smuggling': [
    'Page that assembles a file',
    'Builds a file out of text inside the page and offers it as a download, past every gateway.',
    ['T1027.006'],
  ],
  'svg-script': ['Script in a drawing', 'An SVG drawing carries a script or an event handler.', ['T1059.007']],
  'clipboard-command': [
    'Page that hands over a command',
    'Puts a command on the clipboard and tells the reader to run it, as proof of being human or as a repair.',
    ['T1204.004', 'T1059'],
  ],
  'batch-behind-wide-mark': [
    'Batch file that pretends to be wide text',
    'The mark of UTF-16 stands before plain commands, so that viewers show other characters than the system runs.',
    ['T1027'],
  ],
  'reflection-on-protection': [
    'Reaches into the malware protection',
    'Looks up private fields of the scan interface and overwrites them.',
    ['T1562.001', 'T1620'],
  ],
  'eicar-test-file': ['EICAR test file', 'The standard file that every scanner reports, to prove that it works.', []],
  'eicar-test-string': [
    'EICAR test string',
    'Holds the scanner test string inside other content: not the test file itself, but somebody is testing.',
    [],
  ],
} as const satisfies Readonly<
  Record<string, readonly [name: string, description: string, techniques: readonly string[]]>
>;
