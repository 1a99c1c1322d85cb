/**
 * The names with which the script of a form calculates, checks, formats and shows, and with which nothing leaves the document. They are
 * words of the language, its functions, and the names of the JavaScript of Acrobat for fields, dates, dialogues and printing. Any other
 * name may do anything.
 */

const listOf = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

export const WORDS = listOf(`
  var let const if else for while do switch case default break continue return function new true false null undefined typeof in try catch finally
  this NaN Infinity
`);

/** Functions that may be called by themselves: functions of forms and of the language. Each only calculates, checks or formats. */
export const CALLED = listOf(`
  AFNumber_Format AFNumber_Keystroke AFPercent_Format AFPercent_Keystroke AFDate_Format AFDate_Keystroke AFDate_FormatEx AFDate_KeystrokeEx
  AFTime_Format AFTime_Keystroke AFTime_FormatEx AFTime_KeystrokeEx AFSpecial_Format AFSpecial_Keystroke AFSpecial_KeystrokeEx AFSimple
  AFSimple_Calculate AFRange_Validate AFMergeChange AFMakeNumber AFMakeArrayFromList AFExtractNums AFExactMatch AFParseDate AFParseDateEx
  AFParseTime AFSimpleInit isNaN isFinite parseInt parseFloat getField getNthFieldName
  resetForm calculateNow syncAnnotScan Number String Boolean Math Date Array RegExp if for while switch return catch
  typeof function in
`);

/** Names that are allowed behind `new`. */
export const MADE = listOf('Array Date String Number Boolean RegExp Object');

/** The first objects. */
export const OBJECTS = listOf(
  'event app util color display border font style align Math Date Array String Number Boolean RegExp mouseX mouseY xfa_installed xfa_version',
);

export const MEMBERS = listOf(`
  getField value valueAsString rc change changeEx target targetName willCommit name type commitKey keyDown modifier shift selStart selEnd source
  fillColor textColor strokeColor bgColor fgColor borderColor borderStyle borderWidth lineWidth lineHeight display hidden readonly required setFocus
  textSize textFont alignment charLimit comb multiline password page rect rotation userName defaultValue
  exportValues currentValueIndices isBoxChecked checkThisBox defaultIsChecked isDefaultChecked items setItems getItemAt numItems insertItemAt
  deleteItemAt clearItems calcOrderIndex getArray buttonGetCaption buttonSetCaption
  buttonAlignX buttonAlignY buttonFitBounds buttonPosition buttonScaleHow buttonScaleWhen buttonGetIcon buttonSetIcon
  getAnnot getAnnots syncAnnotScan popupOpen mouseX mouseY external dataObjects doc focusRect
  resetForm calculate calculateNow dirty delay numFields getNthFieldName numPages pageNum zoom zoomType layout documentFileName print
  alert beep popUpMenu response findComponent viewerVersion viewerType viewerVariation platform language formsVersion runtimeHighlight
  printd printf scand printx cMsg cTitle nIcon nType
  visible noView noPrint black white red green blue cyan magenta yellow gray ltGray dkGray transparent RGB CMYK G T equal convert
  length substring substr charAt charCodeAt indexOf lastIndexOf toUpperCase toLowerCase toString toFixed valueOf match test replace split join push
  pop shift unshift slice concat reverse sort search
  floor ceil round abs max min pow sqrt PI random log exp
  getFullYear getYear getMonth getDate getDay getHours getMinutes getSeconds getTime setFullYear setYear setMonth setDate setHours setMinutes setSeconds
  setTime getTimezoneOffset toLocaleString toLocaleDateString parse UTC MAX_VALUE MIN_VALUE
`);

/** Keys of the arguments of a member in braces: `app.alert({ cMsg: 'a' })`. */
export const KEYS = listOf(`
  cMsg cTitle nIcon nType cName cQuestion cDefault cType cDesc cVer aFields nStart nEnd bUI bSilent bShrinkToFit bPrintAsImage bReverse bAnnotations
`);

/** Names of the language and of documents that a script must not declare. Elsewhere in the script, they would have their usual meaning. */
export const REACHING = new RegExp(
  `^(?:${`
    eval Function unescape escape decodeURI\\w* setTimeOut setTimeout setInterval clear(?:TimeOut|Timeout|Interval) constructor prototype __\\w* call apply bind caller callee
    app app\\w+Script util global console security Collab SOAP Net ADBC search spell media identity event execMenuItem trusted\\w+ beginPriv endPriv
    launchURL getURL gotoNamedDest submitForm mail(?:Doc|Form|GetAddrs|Msg) export(?:As\\w+|DataObject|XFAData) import(?:An\\w+|DataObject|Icon|Sound|TextData|XFAData)
    openDoc openDataObject newDoc newCollection createDataObject createTemplate createIcon removeScript removeDataObject saveAs closeDoc
    addScript addWeblinks addMenuItem addToolButton addAnnot addField addLink addIcon addWatermark\\w+ set(?:Action|PageAction|DataObjectContents|PersistentData)
    insertPages replacePages extractPages deletePages embedDocAsDataObject encrypt\\w+ spawnPageFromTemplate baseURL URL path disclosed info metadata external
    hostContainer dataObjects getDataObject\\w* xfa XMLData bookmarkRoot layout templates signature\\w+ flattenPages runtimeHighlight loadPolicy\\w+
  `
    .trim()
    .replace(/\s+/g, '|')})$`,
);
