/**
 * The names by which a macro calculates, shows and formats, and by which nothing leaves the document: words of VBA and LibreOffice Basic,
 * their functions, and the names in the object models of Word, Excel, PowerPoint and LibreOffice for cells, text, shapes and their looks.
 * Any other name may do anything.
 */

import { anyOf, oneOf } from '../../../../formats/patterns.ts';
import { isSheetFunction } from '../../findings/sheet-functions.ts';

const listOf = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

/**
 * Words of the language. Not among them: those of files (`Open`, `Put`, `Name … As`), of libraries (`Declare`), and of addresses of code.
 */
export const LANGUAGE = listOf(`
  and as attribute base binary boolean byref byte byval call case classmodule compare compatible const currency date debug decimal defbool defbyte
  defcur defdate defdbl defint deflng defobj defsng defstr defvar dim do double each else elseif empty empty0 end endif endwith enum eqv erase
  error event exit explicit false for friend function get global go gosub goto if imp in integer is let like local long longlong longptr loop lset
  me mod module new next not nothing null object on option optional or paramarray preserve print private property public raiseevent redim rem
  resume return rset select set single static step stop string sub text then to true type typeof until variant vbasupport wend while with xor
`);

/** Functions of the language, which only return a value or show it. */
export const FUNCTIONS = listOf(`
  abs array asc ascw atn basic beep cbool cbyte ccur cdate cdatefromiso cdatetoiso cdbl cdec choose chr chrw cint clng clnglng clngptr constants
  conversion cos createunoservice createunostruct csng cstr cvar cvdate cverr date dateadd datediff datepart dateserial datetime datevalue day ddb
  doevents
  equalunoobjects erl err exp filter financial fix format formatcurrency formatdatetime formatnumber formatpercent fv hasunointerfaces hex hour iif
  information inputbox instr instrrev int interaction ipmt irr isarray isdate isempty iserror ismissing isnull isnumeric isobject isuncontrolled
  join lbound lcase left len lenb log ltrim math mid minute mirr month monthname msgbox now nper npv oct partition pmt ppmt print pv qbcolor
  randomize rate replace rgb right rnd round rtrim second sgn sin sln space spc split sqr str strcomp strconv string strings switch syd tab tan
  time timer timeserial timevalue trim typename ubound ucase val vartype vba wait weekday weekdayname year
`);

/** The first objects: the open documents of Office and LibreOffice. Also the libraries that every project names, and types of variables. */
export const OBJECTS = listOf(`
  activecell activechart activedocument activepresentation activesheet activewindow activeworkbook application axes axis bookmark bookmarks border
  borders calculate cell cells chart chartobject chartobjects charts checkbox collection column columns combobox commandbutton comment comments
  control dataobject document excel font frame hpagebreak hpagebreaks image interior intersect label legend listbox msforms msoshape multipage name
  names office optionbutton pagesetup pane paragraph paragraphs pivotfield pivotitem pivottable point powerpoint presentation range ranges
  returnboolean returneffect returninteger returnlong returnsingle returnstring row rows scrollbar section selection sentence series
  seriescollection shape shapes sheets slide slides spinbutton style styles table textbox textframe textrange thiscomponent thisdocument
  thisworkbook togglebutton union userform vpagebreak vpagebreaks window windows word workbook workbooks worksheet worksheetfunction worksheets
`);

/** Constants of Office by their first letters. Constants of old macro sheets, of dialogues and of buttons for help are not on the list. */
export const CONSTANT = anyOf([
  /^xl(?!excel4|dialog|intl|external|oleverb|verb)[a-z]\w{0,60}$/,
  /^wd(?!dialog|field(?:dde|include|link|import|macro|embed|data|print))[a-z]\w{0,60}$/,
  /^pp(?!action|mouse)[a-z]\w{0,60}$/,
  /^mso(?!button|filedialog)[a-z]\w{0,60}$/,
  /^vb(?!msgboxhelp|method|get|let|set|project|component|e$)[a-z]\w{0,60}$/,
  /^fm[a-z]\w{0,60}$/,
]);

/** Members of objects: of cells and sheets, text and its looks, shapes, windows, controls of forms, and the properties of all of these. */
const MEMBERS = listOf(`
  activate activecell activechart activedocument activepane activepresentation activesheet activewindow activeworkbook addcomment addindent additem
  addline address addshape addtextbox alignment allcaps allowfiltering allowsorting application areas assert autofill autofilter autofiltermode
  autofit autooutline autosize axes axistitle backcolor backcolour background backstyle beep bold bookmarks border borderaround borders borderstyle
  bottom bottommargin bottomrightcell build calculate calculation caller cancel caption cell cells center centerfooter centerheader
  centerhorizontally centervertically characters chart chartarea chartobjects charttitle charttype checkbox checkboxes clear clearall clearcomments
  clearcontents clearformats clearformatting clearoutline codename col collapse color colorindex colors column columncount columnhidden columns
  columnwidth columnwidths comment comments controlformat controls copy count countlarge creator crlf currentpage currentregion cursor cut
  cutcopymode datalabels date default defaultcolumnwidth delete description deselect displayalerts displayformulabar displayfullscreen
  displaygridlines displayheadings displayhorizontalscrollbar displayoutline displaypagebreaks displaystatusbar displayverticalscrollbar
  displayworkbooktabs displayzeros drawingobjects draworder dropdown dropdowns duplicate enableautofilter enablecalculation enabled enableevents
  enableoutlining enableselection end endkey entirecolumn entirerow expand extend fileformat fill fillcolor filldown fillleft fillright fillup find
  findnext findprevious firstpagenumber fittopagestall fittopageswide font fontbold fontname fontsize fontstyle footermargin footnotes forecolor
  foreground format formatting formfields formula formulaarray formulahidden formulalocal formular1c1 formular1c1local forward freezepanes fullname
  gotfocus goto group hasarray hasaxis hasdatalabels hasformula haslegend hastitle headermargin height hidden hide highlight homekey horizontal
  horizontalalignment hpagebreaks icon id indent indentlevel index indexof insert insertafter insertbefore insertindent insertparagraph
  insertparagraphafter insertparagraphbefore insideheight insidewidth interior intersect isempty italic item items key largescroll largesttype
  layout leader left leftfooter leftheader leftmargin legend line lines linestyle lineweight list listcount listentries listindex listrows
  liststyle location lock lockaspectratio locked locktext margin matchallwordforms matchcase matchentry matchsoundslike matchwholeword
  matchwildcards max maximum maxlength merge mergearea mergecells min minimum month movedown moveend moveleft moveright movestart moveuntil moveup
  movewhile multiline multiselect name namelocal names next nextpage number numberformat numberformatlocal offset optionbuttons order orientation
  outlinefont outlinelevel pagebreak pages pagesetup panes papersize paragraphformat paragraphs parent paste pastespecial path pattern patterncolor
  patterncolorindex patterntintandshade plotarea points position prefixcharacter presentation previous print printarea printgridlines printheadings
  printorder printpreview printquality printtitlecolumns printtitlerows protect protectcontents protectdrawingobjects protectionmode protectiontype
  protectscenarios raise range readonly referstorange remove removeitem replace replaceall replacement reset resetcolors resize result rgb right
  rightfooter rightheader rightmargin rotation row rowheight rows saved schemecolor screenupdating scroll scrollarea scrollcolumn scrollrow section
  sections select selected selectedindex selectedsheets selection sentences series seriescollection setfocus setrange setsourcedata shadow shape
  shaperange shapes sheets show showall showalldata showdetail shrinktofit size slide slideindex slides smallscroll solid sort source specialcells
  spinbuttons split splitcolumn splithorizontal splitrow splitvertical standardwidth start startof state statusbar strikethrough style subscript
  superscript tabindex tables tabstop text textalign textboxes textcolumn textframe textrange themecolor thisworkbook tickers tintandshade title
  toggle togglebutton top topindex topleftcell topmargin transparency transpose type typebackspace typeparagraph typetext underline ungroup union
  unprotect usedrange username usestandardheight usestandardwidth value value2 values vbcrlf version vertical verticalalignment view visible
  visiblerange volatile vpagebreaks wait weight whole width windows windowstate word words wordwrap workbooks worksheet worksheetfunction
  worksheets wrap wraptext xvalues zoom zorder zordercombo dashstyle formatconditions incrementleft incrementrotation incrementtop selectall
  boldbi colorindexbi italicbi nameascii namebi namefareast nameother sizebi twocolorgradient brightness colortype contrast goalseek incrementbrightness incrementcontrast pictureformat pathseparator returnboolean
  returneffect returninteger returnlong returnsingle returnstring unmerge
`);

/** The names of LibreOffice for the same. Names that open, store, send, dispatch, or set a property by a name are not on the list. */
const UNO_MEMBERS = listOf(`
  celladdress cellbackcolor cellrange charcolor charfontname charheight charposture charunderline charweight clearcontents copyrange createcursor
  createtextcursor createtextcursorbyrange currentcontroller currentselection dataarray date day dbg_methods dbg_properties dbg_supportedinterfaces
  drawpage drawpages elementnames endcolumn endrow forms getactivesheet getbyindex getbyname getcelladdress getcellbyposition getcellrangebyname
  getcellrangebyposition getcolumns getcount getcurrentcontroller getcurrentselection getdataarray getdrawpage getdrawpages getelementnames
  getforms getmodel getname getrangeaddress getrows getsheets getstring gettext getvalue gotoend gotoendofusedarea gotostart gotostartofusedarea
  hasbyname horijustify hours implementationname insertbyindex insertcontrolcharacter insertstring istextwrapped isvisible minutes month moverange
  absolutename anchortype cellformatranges currencysymbol generateformat getbykey getviewcursor referencefieldpart sequencenumber thousandsseparator
  addactionlock addnewbyname addrangeaddress charts computefunction country createreplacedescriptor createsearchdescriptor findall
  findfirst frame fromdescriptor inserttextcontent ismodified language numberformat numberformats querykey rangeaddresses removeactionlock
  removebyname replaceall replacestring searchcasesensitive searchregularexpression searchstring searchwords setmodified createenumeration dispose
  getpresentation getreferredcells getstylefamilies gettextfields haselements hasmoreelements isinuse
  namedranges nextelement stylefamilies
  nanoseconds optimalheight optimalwidth rangeaddress removebyindex removerange seconds select selecteditem setactivesheet setdataarray setstring
  setvalue sheet startcolumn startrow string supportedservicenames supportsservice vertjustify x y year
`);

/** Arguments by name. Names of files and templates, and types of sheets, are not on the list. */
const ARGUMENTS = listOf(`
  after allowdeletingcolumns allowdeletingrows allowfiltering allowformattingcells allowformattingcolumns allowformattingrows allowinsertingcolumns
  allowinsertingrows allowsorting allowusingpivottables before buttons cancel cell collate color colorindex columnabsolute columns columnsize
  contents copies copyorigin count criteria1 criteria2 dataoption1 dataoption2 dataoption3 datatype date default description destination direction down
  drawingobjects end extend external field findformat format from header height item key key1 key2 key3 left length linestyle lookat lookin
  matchbyte matchcase microscroll number operation operator order order1 order2 order3 ordercustom orientation password paste plotby preview prompt
  reference referencestyle relativeto replace replaceformat replacement rowabsolute rows rowsize savechanges scenarios scroll searchdirection
  searchformat searchorder shift skipblanks sortmethod source start step stop structure text title to toleft top toright transpose trend unit up
  upto userinterfaceonly visibledropdown weight what which width windows xpos ypos
`);

/** Names of controls of forms and of sheets, as the programs give them. They are declared outside of the source. */
export const GIVEN_NAME = new RegExp(
  `^${oneOf(`
    textbox combobox commandbutton checkbox optionbutton listbox label frame image scrollbar spinbutton togglebutton multipage userform
    sheet tabelle feuil hoja foglio planilha plan blad chart diagramm
  `)}\\d{1,4}$`,
);

export const isMember = (name: string): boolean =>
  MEMBERS.has(name) || isSheetFunction(name) || UNO_MEMBERS.has(name) || CONSTANT.test(name);
export const isArgument = (name: string): boolean => ARGUMENTS.has(name);
