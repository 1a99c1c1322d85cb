/**
 * Tells macros that only calculate and format from those that could act. A macro is plain when nothing starts it by itself and it names nothing
 * by which code leaves the document: no program, no file, no network, no other code. The words are those of VBA and of LibreOffice Basic. A word
 * in a comment counts, too: it costs an ordinary macro nothing but a higher level.
 */
import { anyOf, oneOf } from '../../../formats/patterns.ts';
import { AUTO_RUN } from '../scripts/code-patterns.ts';

/** Objects, functions and statements that reach out, and those by which code is put together, hidden or started. */
const REACHES = anyOf(
  [
    new RegExp(
      String.raw`\b${oneOf(`
        declare lib alias createobject getobject callbyname shell shellexecute environ sendkeys appactivate kill filecopy mkdir rmdir chdir chdrive
        setattr savesetting getsetting deletesetting freefile fileopen filesystemobject adodb xmlhttp winhttp wscript scripting powershell
        execute executeexcel4macro executemso ontime onkey onaction followhyperlink hyperlinks addfromstring addfromfile vbproject vbcomponents
        vbe registerxll querytables connections addpicture loadpicture insertfile evaluate ddeinitiate ddeexecute ddepoke ddeterminate
        outlook sendmail sendforreview mailenvelope routingslip customxmlparts strreverse virtualalloc rtlmovememory
        saveas savecopyas saveastext exportasfixedformat storetourl storeasurl storeself loadcomponentfromurl executedispatch dispatchhelper
        createunoservicewithargs getprocessservicemanager createscriptservice basiclibraries dialoglibraries loadlibrary scriptprovider
        systemshellexecute simplefileaccess inputstream outputstream macroexecute runcommand autoexec import attachedtemplate
      `)}\b`,
    ),
    // Methods, and statements on files: `Open name For Output As #1`.
    /\.\s{0,3}(?:run|open|opentext|openxml|send|export|exportimage|import|load|insertdocumentfromurl|execute|invoke|dispatch)\b/,
    /\b(?:open|print|write|put|get|input|close)\s{1,9}[^\r\n]{0,300}(?:\bfor\s{1,9}(?:output|input|append|binary|random)\b|#)/,
    // Programs, addresses, and texts that are put together of numbers.
    /\.(?:exe|dll|bat|cmd|vbs|js|hta|ps1|scr|lnk|xll|docm|xlsm)\b|cmd\s{0,9}\/|https?:|ftp:|file:|\\\\/,
    /\bchr[bw]?\$?\s{0,3}\([^()]{1,20}\)\s{0,3}[&+]\s{0,3}_?\s{0,9}chr/,
    /\bcreateuno(?:service|struct|dialog|listener)\s{0,3}\(\s{0,3}(?!"com\.sun\.star\.(?:drawing|sheet|table|text|style|util\.(?:numberformat|date|time))\b)/,
    /&h[0-9a-f]{2}[^\r\n]{0,40}&h[0-9a-f]{2}[^\r\n]{0,40}&h[0-9a-f]{2}[^\r\n]{0,40}&h[0-9a-f]{2}/,
  ],
  'i',
);

/** The longest source that is called plain. Macros of that size carry data, or more than a person wrote. */
const MAX_PLAIN = 256 * 1024;

/** True for the source of a macro that nothing starts by itself, and that names nothing by which code leaves the document. */
export function isPlainMacro(untrustedSource: string): boolean {
  // A line may go on behind an underscore.
  const joined = untrustedSource.replace(/[ \t]_[ \t]{0,9}\r?\n/g, ' ');
  return joined.length <= MAX_PLAIN && !AUTO_RUN.test(joined) && !REACHES.test(joined);
}
