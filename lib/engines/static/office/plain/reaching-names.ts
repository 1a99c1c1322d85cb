/** Names that reach out of a document. They are searched even where the lists of harmless names would let them pass. */
import { anyOf, oneOf } from '../../../../formats/patterns.ts';

/**
 * Names that no macro may declare, because the compiled code may mean the function, object or procedure of that name. Some are followed by
 * versions.
 */
export const REACHING_NAME = new RegExp(
  `^${oneOf(String.raw`
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
    application run dialogs? dir curdir filelen filedatetime getattr help changefileopendirectory mountvolume fileconverters tasks system
    macrocontainer customizationcontext altstartuppath startuppath defaultfilepath defaulttemplate\w* templates documents
    printout open close put write seek width load onwindow onsheet\w* oncalculate onsave onslideshow\w*
  `)}$`,
);

/** Procedures of events, of which many come without a click. */
export const EVENT =
  /\b(?:document|workbook|worksheet|chart|presentation|slideshow|userform|app\w{0,20})_\w+\s*\(|\bwithevents\b/i;

/** Texts of programs, addresses and commands, and texts that are put together of numbers. */
export const REACHING_TEXT = anyOf(
  [
    /\.(?:exe|dll|com|bat|cmd|vbs|vbe|js|jse|wsf|hta|ps1|scr|lnk|xll|xlam|dotm|docm|xlsm|msi|jar|url)\b/,
    /\bcmd\b|powershell|https?:|ftp:|file:|mhtml:|\\\\|\|/,
  ],
  'i',
);

/** Dialogues and listeners of LibreOffice, and characters that are chained. */
export const REACHING_CALL = anyOf(
  [/\bcreateuno(?:dialog|listener)\s*\(/, /\bchr[bw]?\$?\s*\((?!1[03]\))[^()]{1,20}\)\s*[&+][\s_]*chr/],
  'i',
);

/**
 * Names that are harmless on a click only. A macro that begins by itself would change other open documents with them, print, or put a text of the
 * document into the clipboard, where a reader may be told to paste it into a command line.
 */
export const ONLY_ON_CLICK = new RegExp(
  `^${oneOf(`
    workbooks windows activewindow cut putinclipboard settext dataobject printout printpreview close
  `)}$`,
);
