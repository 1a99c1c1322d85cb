/** Words that occur in many files of ordinary formats and languages. A string of such words does not identify a sample. */

export const ORDINARY_WORDS: ReadonlySet<string> = new Set(
  (
    'the and for you are not with this that from have your will can all was our one has been more about other which ' +
    'their when there what html head body title meta link style script div span table class width height color font ' +
    'family size border padding margin none block inline left right center top bottom background solid http https ' +
    'www com org net schemas openxmlformats officedocument relationships microsoft office word excel powerpoint ' +
    'xmlns xml version encoding utf standalone yes document settings theme core properties app docprops rels ' +
    'content types styles numbering fonttable websettings sheet worksheet workbook shared strings slide slides ' +
    'layout master presentation drawing image media png jpeg jpg gif object stream endobj endstream obj catalog ' +
    'pages page kids count parent resources mediabox contents length filter flatedecode fontdescriptor basefont ' +
    'type subtype procset pdf text imageb imagec imagei xobject producer creator creationdate moddate author ' +
    'keywords subject trailer root info startxref xref function return var let const new null true false else while ' +
    'break case switch default throw catch try typeof instanceof undefined string number boolean array prototype ' +
    'push slice concat indexof replace split join math date json parse stringify window export import module ' +
    'require exports error console log promise async await value name key data index result options callback event ' +
    'element node child program cannot run dos mode rdata rsrc reloc kernel user advapi shell msvcrt getprocaddress ' +
    'loadlibrary exitprocess getmodulehandle dim set end sub public private attribute global option explicit next ' +
    'then loop each createobject application activedocument thisdocument received message transfer quoted printable ' +
    'base64 multipart boundary charset iso mime plain alternative mixed attachment filename adobe photoshop exif ' +
    'icc profile srgb xpacket begin rdf description stevt xmp gimp libreoffice openoffice writer calc impress ' +
    'normal arial times helvetica courier verdana calibri cambria symbol wingdings roman bold italic regular sans ' +
    'serif mono light medium accent major minor latin'
  ).split(' '),
);
