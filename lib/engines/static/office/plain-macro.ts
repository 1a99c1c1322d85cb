/**
 * Tells macros that only calculate and format from those that could act. A macro is plain when nothing starts it by itself and it names nothing
 * by which code leaves the document: no program, no file, no network, no other code. The words are those of VBA and of LibreOffice Basic. A word
 * in a comment counts, too: it costs an ordinary macro nothing but a higher level.
 */
import { anyOf, oneOf } from '../../../formats/patterns.ts';
import { AUTO_RUN } from '../scripts/code-patterns.ts';

/** Objects, methods and functions that reach out, and those by which code is put together, hidden or started. Versions stand behind some. */
const REACHING_NAMES = oneOf(String.raw`
  declare lib alias createobject getobject callbyname shell\w* wshshell\w* environ sendkeys appactivate activatemicrosoftapp kill filecopy mkdir rmdir
  chdir chdrive setattr savesetting getsetting getallsettings deletesetting freefile fileopen filesystemobject adodb xmlhttp\w* winhttp\w* wscript
  iwshruntimelibrary msxml\d? shdocvw internetexplorer scripting powershell macscript applescripttask withevents
  execute\w* exec navigate\d? ontime onkey onrepeat onundo ondoubleclick onentry ondata onaction follow hyperlinks? followhyperlink
  addfromstring addfromfile vbproject vbcomponents vbe registerxll registerfunction addins\d? comaddins wordbasic organizercopy organizerrename
  querytables? queries connections? connectionstring commandtext enableconnections oledbconnection odbcconnection opendatasource openheadersource createdatasource
  opendatabase listobjects pivotcaches changelink updatelink openlinks refreshall xmlmaps xmlimport\w* importxml\w* insertxml transformdocument schemareferences
  addpicture\d? addoleobject addolecontrol addmediaobject\d? addwebvideo add3dmodel loadpicture insertfile insertfromfile importfromfile insertautotext
  userpicture usertextured setbackgroundpicture applytemplate applytheme loadbuildingblocks attachedtemplate normaltemplate doverb verb oleformat oleobjects
  evaluate webservice rtd ddeinitiate ddeexecute ddepoke ddeterminate xlexcel4\w* excel4\w* runautomacros keybindings privateprofilestring profilestring
  outlook sendmail sendfax\w* sendforreview sendfaxoverinternet mailenvelope maillogon routingslip routedocument customxmlparts
  strreverse virtualalloc rtlmovememory saveas\w* savecopyas\w* exportasfixedformat\w* exportxml printtofile prttofilename outputfilename createvideo
  publish publishobjects publishslides storetourl storeasurl storeself loadcomponentfromurl executedispatch dispatchhelper
  createunoservicewithargs getprocessservicemanager createscriptservice basiclibraries dialoglibraries loadlibrary scriptprovider
  systemshellexecute simplefileaccess inputstream outputstream macroexecute runcommand autoexec import
`);

/** The same in the places where they stand. White space has no limit, because an attacker can write more of it than any. */
const REACHES = anyOf(
  [
    new RegExp(String.raw`\b${REACHING_NAMES}\b`),
    // Methods that open, send, start and load, and those that make a document of a template or a file.
    /\.\s*(?:run|open\w*|send|export|exportimage|import|load\w*|insertdocumentfromurl|invoke|dispatch)\b/,
    /\b(?:workbooks|documents|presentations|templates)\s*\.\s*(?:add|item)\b[ \t]*[^\s)]/,
    // Objects of other libraries.
    /\b(?:new|implements)\s+(?!\s|collection\b)/,
    // Statements on files: `Open name For Output As #1`, `Name "a" As "b"`.
    /\bfor\s+(?:output|input|append|binary|random)\b/,
    /\b(?:print|write|put|get|input|close|lock|seek)\s*#/,
    /(?:^|:|\bthen\b|\belse\b)[ \t]*name[ \t]+(?!as\b)[^\s=]/,
    // Programs, addresses, DDE of a formula, and texts that are put together of numbers.
    /\.(?:exe|dll|com|bat|cmd|vbs|vbe|js|jse|wsf|hta|ps1|scr|lnk|xll|xlam|dotm|docm|xlsm|msi|jar|url)\b|\bcmd\b|https?:|ftp:|file:|mhtml:|\\\\/,
    /=[^\r\n|]{0,300}\||\bchrw?\$?\s*\(\s*124\b/,
    /\bchr[bw]?\$?\s*\([^()]{1,20}\)\s*[&+][\s_]*chr/,
    /\bcreateuno(?:service|struct|dialog|listener)\s*\(\s*(?!"com\.sun\.star\.(?:drawing|sheet|table|text|style|util\.(?:numberformat|date|time))\b)/,
    /&h[0-9a-f]{2}[^\r\n]{0,40}&h[0-9a-f]{2}[^\r\n]{0,40}&h[0-9a-f]{2}[^\r\n]{0,40}&h[0-9a-f]{2}/,
    // What a bracket calculates: `[CALL("a")]`.
    /\[[\s=]*\w+\s*\(/,
    // Procedures of events, of which many come without a click, and a line that goes on where it was not joined.
    /\b(?:document|workbook|worksheet|chart|presentation|slideshow|userform|app\w{0,20})_\w+\s*\(/,
    /[ \t]_[ \t]*[\r\n]/,
  ],
  'im',
);

/** The longest source that is called plain. Macros of that size carry data, or more than a person wrote. */
const MAX_PLAIN = 256 * 1024;

/** True for the source of a macro that nothing starts by itself, and that names nothing by which code leaves the document. */
export function isPlainMacro(untrustedSource: string): boolean {
  // A line may go on behind an underscore.
  const joined = untrustedSource.replace(/[ \t]_[ \t]{0,9}(?:\r\n|[\r\n])/g, ' ');
  return joined.length <= MAX_PLAIN && !AUTO_RUN.test(joined) && !REACHES.test(joined);
}
