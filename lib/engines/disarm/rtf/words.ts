/**
 * The vocabulary of a disarmed RTF document (specification 1.9.1): the control words that only describe the look of text, the destinations
 * with text, and the treatment of all others. A word that is not listed here does not reach the output.
 */

/** Formatting of characters, paragraphs, tables, lists, sections and the document, and special characters. None of it loads or runs. */
const FORMATTING =
  // Characters
  'plain b i ul ulc uld uldash uldashd uldashdd uldb ulhwave ulldash ulnone ulth ulthd ulthdash ulthdashd ulthdashdd ' +
  'ulthldash ululdbwave ulw ulwave strike striked super sub nosupersub up dn caps scaps v outl shad embo impr expnd expndtw ' +
  'kerning charscalex f fs cf cb highlight chcbpat chcfpat chshdng chbrdr lang langfe langnp langfenp noproof animtext accnone ' +
  'acccomma accdot acccircle accunderdot cchs webhidden cs rtlch ltrch loch hich dbch af afs ab ai acaps acf adn aexpnd alang ' +
  'aoutl ascaps ashad astrike aul auld auldb aulnone aulw aup fcs horzvert fittext gridtbl revised deleted ' +
  // Special characters
  'par line tab page column sect emdash endash emspace enspace qmspace bullet lquote rquote ldblquote rdblquote chdate chdpl ' +
  'chdpa chtime chpgn sectnum chftn chatn chftnsep chftnsepc cell row nestcell nestrow softpage softcol softline zwj zwnj zwbo ' +
  'zwnbo ltrmark rtlmark lbr ' +
  // Paragraphs
  'pard s ds ts hyphpar itap keep keepn level noline nowidctlpar widctlpar outlinelevel pagebb sbys intbl qc qj ql qr qd qk qt fi ' +
  'cufi li lin culi ri rin curi adjustright indmirror sb sa sbauto saauto lisb lisa sl slmult nosnaplinegrid contextualspace ' +
  'rtlpar ltrpar nocwrap nowwrap nooverflow aspalpha aspnum faauto fahang facenter faroman favar fafixed ls ilvl ' +
  'tx tb tqr tqc tqdec tldot tlmdot tlhyph tlul tlth tleq brdrt brdrb brdrl brdrr brdrbtw brdrbar box brdrs brdrth brdrsh ' +
  'brdrdb brdrdot brdrdash brdrhair brdrinset brdrdashsm brdrdashd brdrdashdd brdroutset brdrtriple brdrtnthsg brdrthtnsg ' +
  'brdrtnthtnsg brdrtnthmg brdrthtnmg brdrtnthtnmg brdrtnthlg brdrthtnlg brdrtnthtnlg brdrwavy brdrwavydb brdrdashdotstr ' +
  'brdremboss brdrengrave brdrframe brdrw brdrcf brsp brdrnil brdrnone brdrtbl shading bghoriz bgvert bgfdiag bgbdiag bgcross ' +
  'bgdcross bgdkhoriz bgdkvert bgdkfdiag bgdkbdiag bgdkcross bgdkdcross cfpat cbpat ' +
  // Frames
  'absw absh phmrg phpg phcol posx posnegx posxc posxi posxo posxl posxr pvmrg pvpg pvpara posy posnegy posyt posyil posyb ' +
  'posyc posyin posyout abslock nowrap dxfrtext dfrmtxtx dfrmtxty overlay wrapdefault wraparound wraptight wrapthrough dropcapli ' +
  'dropcapt frmtxlrtb frmtxtbrl frmtxbtlr frmtxlrtbv frmtxtbrlv ' +
  // Tables
  'trowd trgaph trleft trrh trql trqc trqr trhdr trkeep trkeepfollow trautofit trwWidth trftsWidth trwWidthB trftsWidthB ' +
  'trwWidthA trftsWidthA trpaddl trpaddt trpaddb trpaddr trpaddfl trpaddft trpaddfb trpaddfr trspdl trspdt trspdb trspdr ' +
  'trspdfl trspdft trspdfb trspdfr trbrdrt trbrdrl trbrdrb trbrdrr trbrdrh trbrdrv trcbpat trcfpat trpat trshdng trbghoriz ' +
  'irow irowband lastrow ltrrow rtlrow taprtl tabsnoovrlp tdfrmtxtBottom tdfrmtxtLeft tdfrmtxtRight tdfrmtxtTop tblind ' +
  'tblindtype tbllkborder tbllkshading tbllkfont tbllkcolor tbllkbestfit tbllkhdrrows tbllklastrow tbllkhdrcols tbllklastcol ' +
  'tbllknorowband tbllknocolband tphcol tphmrg tphpg tposnegx tposnegy tposx tposxc tposxi tposxl tposxo tposxr tposy ' +
  'tposyb tposyc tposyil tposyin tposyout tposyt tpvmrg tpvpara tpvpg clmgf clmrg clvmgf clvmrg clvertalt clvertalc clvertalb ' +
  'clbrdrt clbrdrl clbrdrb clbrdrr cldglu cldgll clcbpat clcfpat clshdng clbghoriz clbgvert cltxlrtb cltxtbrl cltxbtlr ' +
  'cltxlrtbv cltxtbrlv clFitText clNoWrap clwWidth clftsWidth clpadl clpadt clpadb clpadr clpadfl clpadft clpadfb clpadfr ' +
  'clhidemark clcbpatraw clcfpatraw clshdngraw clshdrawnil cellx tscellwidth tscellwidthfts tscellpaddt tscellpaddl tscellpaddr ' +
  'tscellpaddb tscellpaddft tscellpaddfl tscellpaddfr tscellpaddfb tsrowd tsvertalt tsvertalc tsvertalb tsbrdrt tsbrdrb tsbrdrl ' +
  'tsbrdrr tsbrdrh tsbrdrv tsbrdrdgl tsbrdrdgr tscbandsh tscbandsv ' +
  // Styles
  'additive sbasedon snext slink sautoupd shidden ssemihidden sunhideused slocked spriority sqformat spersonal ' +
  // Lists
  'listtemplateid listsimple listhybrid listrestarthdn listid levelnfc levelnfcn leveljc leveljcn levelfollow levelstartat ' +
  'lvltentative levelindent levelspace levelold levelprev levelprevspace levellegal levelnorestart leveltemplateid ' +
  'listoverridestartat listoverrideformat listoverridecount fbias jclisttab pnlvl pnlvlblt pnlvlbody pnlvlcont pnnumonce ' +
  'pnacross pnhang pncard pndec pnucltr pnucrm pnlcltr pnlcrm pnord pnordt pnbidia pnbidib pnb pni pncaps pnscaps pnul pnuld ' +
  'pnuldb pnulnone pnulw pnstrike pncf pnf pnfs pnindent pnsp pnprev pnstart pnqc pnql pnqr pnrestart ' +
  // Sections
  'sectd endnhere binfsxn binsxn sectdefaultcl sectunlocked cols colsx colno colsr colw linebetcol sbknone sbkcol sbkpage ' +
  'sbkeven sbkodd linemod linex linestarts linerestart lineppage linecont pgwsxn pghsxn marglsxn margrsxn margtsxn margbsxn ' +
  'guttersxn margmirsxn lndscpsxn titlepg headery footery pgnstarts pgncont pgnrestart pgnx pgny pgndec pgnucrm pgnlcrm pgnucltr ' +
  'pgnlcltr pgnhn pgnhnsh pgnhnsp pgnhnsc pgnhnsm pgnhnsn vertalt vertalb vertalc vertalj stextflow sectexpand sectlinegrid ' +
  'sectspecifycl sectspecifyl sectspecifygen rtlsect ltrsect pgbrdrhead pgbrdrfoot pgbrdrt pgbrdrb pgbrdrl pgbrdrr brdrart ' +
  'pgbrdropt pgbrdrsnap sftnbj sftntj sftnstart sftnrestart sftnrstpg sftnrstcont sftnnar sftnnalc sftnnauc sftnnrlc sftnnruc ' +
  'sftnnchi saftnstart saftnrestart saftnrstcont saftnnar saftnnalc saftnnauc saftnnrlc saftnnruc saftnnchi ds ' +
  // Document
  'deff adeff stshfdbch stshfloch stshfhich stshfbi deflang deflangfe adeflang deftab hyphhotz hyphconsec hyphcaps hyphauto ' +
  'linestart fracwidth paperw paperh psz margl margr margt margb facingp gutter margmirror landscape pgnstart widowctrl ' +
  'viewkind viewscale viewzk fet ftnsep endnotes ftntj ftnbj enddoc endnhere aendnotes aenddoc aftntj aftnbj ftnstart ' +
  'aftnstart ftnrstpg ftnrestart ftnrstcont aftnrestart aftnrstcont ftnnar ftnnalc ftnnauc ftnnrlc ftnnruc ftnnchi aftnnar ' +
  'aftnnalc aftnnauc aftnnrlc aftnnruc aftnnchi ftnalt revisions jcompress jexpand lnongrid ltrdoc rtldoc rtlgutter horzdoc vertdoc ' +
  'dghspace dgvspace dghorigin dgvorigin dghshow dgvshow dgmargin dgsnap gutterprl formshade noxlattoyen expshrtn noultrlspc ' +
  'dntblnsbdb nospaceforul lytcalctblwd lytexcttp lytprtmet lyttblrtgr nocolbal nolead nobrkwrptbl noextrasprl noqfpromote ' +
  'notabind prcolbl sprsbsp sprslnsp sprsspbf sprstsm sprstsp swpbdr transmf truncex wpsp wptab wrppunct wraptrsp bdbfhdr ' +
  'bdrrlswsix newtblstyruls nogrowautofit nolnhtadjtbl snaptogridincell rempersonalinfo useltbaln alntblind allowfieldendsel ' +
  'mnor msty mscr mlit brkfrm cvmme dntultrlspc hwelev htmautsp yr mo dy hr min sec';

/** Words that put the following text on a new line. */
export const ENDS_PARAGRAPH: ReadonlySet<string> = new Set(
  'par line cell nestcell row nestrow sect page column'.split(' '),
);

export const FORMATTING_WORDS: ReadonlySet<string> = new Set(FORMATTING.split(' '));

/** Words of a time. */
export const TIME_WORDS: ReadonlySet<string> = new Set('yr mo dy hr min sec'.split(' '));

/** Words for the sizes and crops of a picture, which stay with its pixels. */
export const PICTURE_WORDS: ReadonlySet<string> = new Set(
  'picw pich picwgoal pichgoal picscalex picscaley piccropt piccropb piccropl piccropr'.split(' '),
);

/** The handling of a destination. */
export type Destination =
  /** Its text stays, in a group that starts with `prefix`. */
  | {
      readonly mode: 'text';
      readonly prefix: string;
      readonly isList?: 'list' | 'level' | 'override' | 'bytes' | 'time';
      readonly staysEmpty?: true;
    }
  | { readonly mode: 'object' | 'shape' | 'field' | 'instruction' | 'picture' | 'fonts' | 'colors' | 'alternative' }
  /** It is removed with its content. `kind` is null for layout hints and identifiers, whose loss is not reported. */
  | { readonly mode: 'drop'; readonly kind: string | null };

const DESTINATIONS = new Map<string, Destination>();
const add = (words: string, make: (word: string) => Destination) => {
  for (const word of words.split(' ')) DESTINATIONS.set(word, make(word));
};

add(
  'stylesheet header headerl headerr headerf footer footerl footerr footerf footnote listtext pntext pntxta pntxtb',
  (word) => ({ mode: 'text', prefix: `{\\${word}` }),
);
add(
  'listtable listoverridetable bkmkstart bkmkend ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn annotation nesttableprops pn',
  (word) => ({ mode: 'text', prefix: `{\\*\\${word}` }),
);
add('list', (word) => ({ mode: 'text', prefix: `{\\${word}`, isList: 'list' }));
add('listoverride', (word) => ({ mode: 'text', prefix: `{\\${word}`, isList: 'override' }));
add('listlevel lfolevel', (word) => ({ mode: 'text', prefix: `{\\${word}`, isList: 'level' }));
add('leveltext levelnumbers', (word) => ({ mode: 'text', prefix: `{\\${word}`, isList: 'bytes' }));
// The time of a comment: one number, or the words of a time.
add('atndate atntime', (word) => ({ mode: 'text', prefix: `{\\*\\${word}`, isList: 'time' }));
// Groups around content that stays: a picture, or the Unicode form of a text.
add('shppict ud', () => ({ mode: 'text', prefix: '{' }));
// Formulas (specification, "Math") consist of runs of text and of groups with one short value. Empty parts have a meaning, too.
add('moMath moMathPara moMathParaPr', (word) => ({ mode: 'text', prefix: `{\\*\\${word}` }));
add(
  'mmath mr mf mnum mden mrad mdeg me mnary msub msup msSub msSup msSubSup mPre msPre md mfunc mfName macc mbar mbox ' +
    'mborderBox mgroupChr mlimLow mlimUpp mlim mm mmr meqArr mphant mfPr mtype mradPr mdegHide mnaryPr mchr mgrow mlimLoc ' +
    'msubHide msupHide mdPr mbegChr msepChr mendChr mshp maccPr mbarPr mpos mgroupChrPr mvertJc meqArrPr mmPr mbaseJc ' +
    'mplcHide mmcs mmc mmcPr mcount mmcJc mjc',
  (word) => ({ mode: 'text', prefix: `{\\${word}`, staysEmpty: true }),
);
DESTINATIONS.set('object', { mode: 'object' });
add('shp shpinst shpgrp do', () => ({ mode: 'shape' }));
DESTINATIONS.set('field', { mode: 'field' });
DESTINATIONS.set('fldinst', { mode: 'instruction' });
DESTINATIONS.set('pict', { mode: 'picture' });
DESTINATIONS.set('fonttbl', { mode: 'fonts' });
DESTINATIONS.set('colortbl', { mode: 'colors' });
DESTINATIONS.set('upr', { mode: 'alternative' });

const drop = (kind: string | null, words: string) => add(words, () => ({ mode: 'drop', kind }));
drop(
  'embedded object',
  'objdata objclass objname objalias objupdate objocx objhtml objautlink objlink objemb objsub objpub objicemb objsect objtime oleclsid',
);
drop('external template', 'template');
drop('data store', 'datastore');
drop('custom XML data', 'xmlopen xmlname xmlattrname xmlattrvalue xmlclose xmlattr xmlnstbl factoidname');
drop('mail merge source', 'mailmerge mmconnectstr mmdatasource mmheadersource mmodso mmquery');
drop('linked file', 'filetbl file nextfile linkval hlinkbase hlloc hlsrc hlfr windowcaption');
drop('embedded font', 'fontemb fontfile');
drop('document variable', 'docvar');
drop('document properties', 'info userprops generator revtbl company manager atnid atnauthor atnref atnparent');
drop('password hash', 'passwordhash password writereservation writereservhash protusertbl protstart protend');
drop('encapsulated HTML', 'htmltag mhtmltag htmlbase');
drop('form field code', 'formfield ffentrymcr ffexitmcr ffname ffdeftext ffformat ffhelptext ffstattext ffl datafield');
drop('drawing property', 'sp sn sv svb');
drop('embedded theme', 'themedata colorschememapping');
drop('page background', 'background');
drop('picture of a bullet', 'listpicture');
drop('hidden entry', 'xe tc tcn rxe txe');
drop(
  null,
  'panose falt fname listname rsidtbl latentstyles mmathPr pgdsctbl pgdsc wgrffmtfilter pnseclvl nonesttables nonshppict ' +
    'shprslt picprop blipuid fchars lchars hsv mctrlPr mmathPict atrfstart atrfend atnicn oldcprops oldpprops ' +
    'oldtprops oldsprops ebcstart ebcend pnaseq ' +
    'mfuncPr mborderBoxPr mboxPr mlimLowPr mlimUppPr mphantPr msPrePr msSubPr msSubSupPr msSupPr mrPr margPr mctrlPr defchp defpap staticval propname',
);

/** Properties of the document that stay when the caller asks to keep them. */
const PROPERTIES = new Set(
  'info title subject author manager company operator category keywords doccomm comment creatim revtim printim'.split(
    ' ',
  ),
);

/**
 * Returns the destination that a control word starts; null when it starts none. Readers differ about case, so a destination is known in any
 * case.
 */
export function destinationOf(word: string, keepMetadata: boolean): Destination | null {
  if (keepMetadata && PROPERTIES.has(word)) return { mode: 'text', prefix: `{\\${word}` };
  const exact = DESTINATIONS.get(word);
  if (exact !== undefined) return exact;
  const lower = word.toLowerCase();
  if (lower === word) return null;
  const folded = DESTINATIONS.get(lower);
  return folded !== undefined && folded.mode === 'drop' ? folded : null;
}

/** Returns true for the words that start a row of the style sheet with a star. They are not destinations. */
export function isStyleKind(word: string): boolean {
  return word === 'cs' || word === 'ts' || word === 'ds';
}

/** The values that some words may have. Others made readers write past the end of a table. */
const VALUES: Readonly<Record<string, (value: number) => boolean>> = {
  listoverridecount: (value) => value === 0 || value === 1 || value === 9,
  ilvl: (value) => value >= 0 && value <= 8,
  ls: (value) => value >= 0 && value <= 2_000,
  f: (value) => value >= 0 && value <= 0x7fff,
};

/** Returns true when a formatting word may have this parameter. */
export function isSafeParameter(word: string, parameter: number | null): boolean {
  if (parameter === null) return true;
  if (Number.isNaN(parameter)) return false;
  return Object.hasOwn(VALUES, word) ? (VALUES[word]?.(parameter) ?? true) : true;
}

const CODE_PAGES: ReadonlyMap<string, number> = new Map([
  ['ansi', 1252],
  ['mac', 10000],
  ['pc', 437],
  ['pca', 850],
]);

/** Returns the code page that a word of the header names; undefined for other words. */
export function codePageOfWord(word: string): number | undefined {
  return CODE_PAGES.get(word);
}
