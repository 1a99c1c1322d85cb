/** Why each kind of content that a disarm takes out is better gone, in words that complete "…: it …". */

/** First match counts. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/macro file type/i, 'programs would still take it for a file with macros'],
  [
    /^(?:picture set|background picture)$/,
    'it is fetched from elsewhere, and tells the sender that the page was opened',
  ],
  [/^workbook in XML$/, 'spreadsheet programs load and calculate what is in it; its values are kept as tables'],
  [/^misleading name$/, 'a program would open it as a file of another kind'],
  [/^page style$/, 'it can fetch files, hide text or cover other content'],
  [/^page comment$/, 'no reader sees it, and some programs act on it'],
  [/^data attribute$/, 'no reader sees it, and only code reads it'],
  [/^incomplete link$/, 'programs complete it, each in its own way, to an address that nobody looked at'],
  [/^template$/, 'it holds markup that is not shown until code brings it to life'],
  [/^rich text$/, 'it is a page of its own, and the plain text says the same'],
  [/HTML description/i, 'it is a web page of its own, and the plain description says the same'],
  [/very hidden sheet/i, 'no menu would show it; now it is an ordinary hidden sheet'],
  [/defined name/i, 'it can stand for a macro, or for data of another file'],
  [/selectable text/i, 'the pages were made into pictures, because the file they came from was not safe otherwise'],
  [/^markup$|optional part/i, 'only text was taken over, because the rest of the file was not safe otherwise'],
  [/pivot data/i, 'it can hold data that no sheet shows, or load it from outside'],
  [/more of the kinds/i, 'the list ends here, and all of it was treated the same way'],
  [/macro|VBA|XLM|Auto_/i, 'it runs as a program when the file is opened'],
  [/\bDDE\b|command|launch/i, 'it starts another program'],
  [/formula/i, 'a spreadsheet program would calculate it, and it can send data away'],
  [/header field/i, 'it names machines on the way, or tells programs what to do with the message'],
  [/script|event handler|animation|timer/i, 'it runs code on the computer that shows the file'],
  [/alarm|automatic action|slide action|^action$|unknown action|field update/i, 'it acts without a click'],
  [/field code|field data/i, 'it fetches or calculates something when the document is updated'],
  [
    /redirect|base address|frame\b|form submission|form import|^form$|XFA/i,
    'it leads to, or sends what is typed to, another place',
  ],
  [
    /active style|style sheet|foreign markup|unparsed markup|unknown (?:markup|element|attribute|style|metadata|linked file|comment|declaration)|unclosed tag|XHTML|active attribute|comment with active content/i,
    'programs read it in different ways, and some run what is in it',
  ],
  [
    /template|external|remote|linked|link to a file|data source|connection|query|mail merge|web publishing|publish/i,
    'it loads something from outside when the file is opened',
  ],
  [/link/i, 'it opens something other than a web page, a mail or a telephone call'],
  [/cannot be made safe/i, 'no safe form of it exists'],
  [
    /embedded|object|package|ActiveX|control$|attachment|media|part of a web archive/i,
    'it can carry a program that a click starts',
  ],
  [/document type|processing instruction/i, 'it makes readers load or repeat other content'],
  [/charset|control characters/i, 'programs read it as different text'],
  [
    /hidden|contradictory|disguised|trailing|appended|unreached|unused|ambiguous|damaged|dangling|before the document|after the document|misplaced|unsafe part name|foreign type|unusual structure|raw binary|other frames/i,
    'different programs would see different contents, and something can hide there',
  ],
  [/signature/i, 'it would no longer match the changed file'],
  [/encryption/i, 'what nobody can read, nobody can check'],
  [/metafile/i, 'it is drawn by commands, and not every one of them is known here, sound and harmless'],
  [/vector picture|PostScript/i, 'it is drawn by commands, for which no reader here is sound'],
  [/picture|image/i, 'its file can hold other things than the picture, or tell who looks at it'],
  [
    /metadata|propert|author|thumbnail|printer settings|reader requirements|private|document variables|smart tag|program information|generator/i,
    'it tells about people and their machines, and programs act on some of it',
  ],
  [/font/i, 'its file is a program that draws letters'],
  [
    /custom XML|custom user interface|web extension|web archive|web capture/i,
    'it can bring content or buttons that act',
  ],
];

const OTHERS = 'it is on no list of what is known to be safe';

/** Why content of a kind is dangerous, or was taken out all the same; half a sentence that starts with "it", "a" or "no". */
export function reasonFor(kind: string): string {
  return REASONS.find(([pattern]) => pattern.test(kind))?.[1] ?? OTHERS;
}
