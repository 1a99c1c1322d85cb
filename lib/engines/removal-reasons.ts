/** Why a disarm removes each kind of content. Each reason completes a line of the form "<kind>: <reason>". */

/** First match counts. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/macro file type/i, 'programs would still take it for a file with macros'],
  [
    /^(?:picture set|background picture)$/,
    'it is loaded from another server, and this tells the sender that the page was opened',
  ],
  [/^workbook in XML$/, 'spreadsheet programs load and calculate what is in it; what its sheets show is kept as xlsx'],
  [
    /^workbook of an old version$/,
    'its records are of another form than those of Excel 97; what its sheets show is written as xlsx',
  ],
  [/^binary workbook$/, 'its records cannot be filtered one by one; what its sheets show is written as xlsx'],
  [/^document in XML$/, 'Word keeps more in it than a text; what the document shows is kept as docx'],
  [/^package in XML$/, 'it is the same document in one file; the package in it takes its place'],
  [/^misleading name$/, 'a program would open it as a file of another kind'],
  [
    /^data (?:behind the end|between frames)$/,
    'players skip it, and another program could open it as a file of another kind',
  ],
  [/^media track$/, 'it is neither sound nor pictures that can be checked here, or it is fetched from elsewhere'],
  [
    /^media metadata$/,
    'it can hold names, places, addresses and pictures that do not belong to the film or the recording',
  ],
  [/^name of a program$/, 'a double click would start it; under its new name it is opened as a text'],
  [/^page style$/, 'it can fetch files, hide text or cover other content'],
  [/^page comment$/, 'no reader sees it, and some programs act on it'],
  [/^data attribute$/, 'no reader sees it, and only code reads it'],
  [/^incomplete link$/, 'each program completes it in its own way, so the address that it leads to cannot be checked'],
  [/^document of Apple$/, 'only the programs of Apple can open it; the preview in it takes its place'],
  [/^page in a map$/, 'programs show it as a web page; its words stay as plain text'],
  [/^model of a building$/, 'its file is for another program, and may be loaded from elsewhere'],
  [/^automatic tour$/, 'it moves the view and plays sounds by itself'],
  [/^record that does not draw$/, 'it is meant for a printer or another program, and nobody sees it'],
  [/^text encoding$/, 'few programs know UTF-32, and others show something else; the text comes in UTF-8'],
  [/^template$/, 'it holds markup that is not shown until code activates it'],
  [/^rich text$/, 'it is a separate page, and the plain text says the same'],
  [/HTML description/i, 'it is a separate web page, and the plain description says the same'],
  [/very hidden sheet/i, 'no menu would show it; now it is an ordinary hidden sheet'],
  [/defined name/i, 'it can stand for a macro, or for data of another file'],
  [
    /selectable text/i,
    'the pages were turned into pictures, because the file could not be made safe in any other way; the words behind them are those that its fonts claim, and a font can claim other letters than it shows',
  ],
  [/^text beyond the limit of words$/, 'so many words behind the pictures would take too long; the pictures show them'],
  [/^markup$|optional part/i, 'only the text was kept, because the file could not be made safe in any other way'],
  [/pivot data/i, 'it can hold data that no sheet shows, or load it from outside'],
  [/more of the kinds/i, 'the list ends here; the rest was treated in the same way'],
  [/macro|VBA|XLM|Auto_/i, 'it runs as a program when the file is opened'],
  [/\bDDE\b|command|launch/i, 'it starts another program'],
  [/formula/i, 'a spreadsheet program would calculate it, and it can send data away'],
  [/header field/i, 'it names servers that the message passed, or tells programs what to do with the message'],
  [/script|event handler|animation|timer/i, 'it runs code on the computer that shows the file'],
  [/alarm|automatic action|slide action|^action$|unknown action|field update/i, 'it acts without a click'],
  [/field code|field data/i, 'it fetches or calculates something when the document is updated'],
  [
    /redirect|base address|frame\b|form submission|form import|^form$|XFA/i,
    'it leads to another place, or sends what is typed to another place',
  ],
  [
    /active style|style sheet|foreign markup|unparsed markup|unknown (?:markup|element|attribute|style|metadata|linked file|comment|declaration)|unclosed tag|XHTML|active attribute|comment with active content/i,
    'programs read it in different ways, and some run what is in it',
  ],
  [
    /template|external|remote|linked|link to a file|data source|connection|query|mail merge|web publishing|publish/i,
    'it loads something from outside when the file is opened',
  ],
  [/link/i, 'it opens something other than a web page, an email or a telephone call'],
  [/cannot be made safe/i, 'no safe form of it exists'],
  [
    /embedded|object|package|ActiveX|control$|attachment|media|part of a web archive/i,
    'it can carry a program that a click starts',
  ],
  [/document type|processing instruction/i, 'it makes programs load or repeat other content'],
  [/charset|control characters/i, 'different programs read it as different text'],
  [
    /hidden|contradictory|disguised|trailing|appended|unreached|unused|ambiguous|damaged|dangling|before the document|after the document|misplaced|unsafe part name|foreign type|unusual structure|raw binary|other frames/i,
    'different programs would see different contents, and something can hide there',
  ],
  [/signature/i, 'it would no longer match the changed file'],
  [/encryption/i, 'encrypted content cannot be checked'],
  [/metafile/i, 'it is drawn by commands, and some of them are unknown, damaged or harmful'],
  [/vector picture|PostScript/i, 'it is drawn by commands that cannot be checked here'],
  [/picture|image/i, 'its file can hold more than the picture, or reveal who looks at it'],
  [
    /metadata|propert|author|thumbnail|printer settings|reader requirements|private|document variables|smart tag|program information|generator/i,
    'it holds data about people and their computers, and programs act on some of it',
  ],
  [/font/i, 'its file is a program that draws letters'],
  [
    /custom XML|custom user interface|web extension|web archive|web capture/i,
    'it can add content or buttons that run something',
  ],
];

const OTHERS = 'it is on no list of content that is known to be safe';

/** Returns why content of a kind is removed: half a sentence, without a capital and without a full stop. */
export function reasonFor(kind: string): string {
  return REASONS.find(([pattern]) => pattern.test(kind))?.[1] ?? OTHERS;
}
