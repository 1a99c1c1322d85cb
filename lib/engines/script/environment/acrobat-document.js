/** The document of Acrobat's JavaScript, whose members are global. */
import { abuse, option } from './acrobat-app.js';
import { blank, com } from './automation.js';
import { layer, lower, rec, Str } from './bridge.js';
import { SCRIPT } from './disk.js';
import { realEval, scriptGlobal } from './script-global.js';

const fieldNames = Object.create(null);
export const useAcrobatDocument = (facts) => {
  const doc = scriptGlobal;
  const info = Object.create(null);
  for (const name in facts.info) info[lower(name)] = facts.info[name];
  const field = (name) => {
    fieldNames[name] ||= {
      name,
      value: facts.fields[name] || '',
      rawValue: facts.fields[name] || '',
      type: 'text',
      display: 0,
      readonly: false,
      page: 0,
      rect: [0, 0, 100, 20],
      buttonImportIcon: () => {
        rec('asked', 'import of a picture', name);
      },
      setAction: (t, code) => {
        realEval(layer(Str(code), 'setAction'));
      },
      setFocus: () => {},
      getArray: () => [],
      checkThisBox: () => {},
      isBoxChecked: () => false,
      valueAsString: facts.fields[name] || '',
    };
    return fieldNames[name];
  };
  const members = {
    info: com('info', info),
    title: facts.info.Title || '',
    subject: facts.info.Subject || '',
    author: facts.info.Author || '',
    creator: facts.info.Creator || '',
    producer: facts.info.Producer || '',
    keywords: facts.info.Keywords || '',
    numPages: 1,
    pageNum: 0,
    numFields: 0,
    path: '/C/Users/m.keller/Downloads/' + SCRIPT.name,
    URL: 'file:///C|/Users/m.keller/Downloads/' + SCRIPT.name,
    documentFileName: SCRIPT.name,
    external: false,
    filesize: 48211,
    dirty: false,
    hidden: false,
    dataObjects: facts.attachments.map((name) => ({
      name,
      path: name,
      size: 1024,
      MIMEType: 'application/octet-stream',
    })),
    zoom: 100,
    layout: 'SinglePage',
    bookmarkRoot: blank('bookmarkRoot'),
    securityHandler: null,
    metadata: '',
    xfa: blank('xfa'),
    getURL: (...args) => {
      rec('launch-url', option(args, 'cURL', 0), 'getURL');
    },
    exportDataObject: (...args) => {
      rec('export', option(args, 'cName', 0), option(args, 'nLaunch', 4) || 0);
    },
    importDataObject: (...args) => {
      rec('file-read', option(args, 'cDIPath', 1) || '', 'importDataObject');
      return true;
    },
    openDataObject: (name) => {
      rec('launch-url', name, 'openDataObject');
      return doc;
    },
    getDataObject: (name) => ({ name, path: name, size: 1024 }),
    getDataObjectContents: () => blank('contents'),
    createDataObject: (...args) => {
      rec('download', option(args, 'cName', 0), option(args, 'cValue', 1), 'createDataObject');
    },
    submitForm: (...args) => {
      rec('form', option(args, 'cURL', 0), Object.keys(fieldNames).join('&'));
    },
    mailDoc: (...args) => {
      rec('mail', option(args, 'cTo', 1), option(args, 'cMsg', 5));
    },
    mailForm: (...args) => {
      rec('mail', option(args, 'cTo', 1), option(args, 'cMsg', 5));
    },
    getField: field,
    getNthFieldName: () => '',
    addField: (name) => field(name),
    removeField: () => {},
    resetForm: () => {},
    calculateNow: () => {},
    addScript: (name, code) => {
      realEval(layer(Str(code), 'addScript'));
    },
    setAction: (t, code) => {
      realEval(layer(Str(code), 'setAction'));
    },
    setPageAction: (n, t, code) => {
      realEval(layer(Str(code), 'setPageAction'));
    },
    getAnnots: (...args) => {
      if (args.some((a) => typeof a === 'number' && a < 0)) abuse('getAnnots', args);
      return [];
    },
    getAnnot: (...args) => {
      if (args.length > 2) abuse('getAnnot', '');
      return blank('annotation');
    },
    syncAnnotScan: () => {},
    addAnnot: () => blank('annotation'),
    getPageNthWord: () => '',
    getPageNumWords: () => 0,
    getPageBox: () => [0, 792, 612, 0],
    getPageRotation: () => 0,
    gotoNamedDest: () => {},
    saveAs: (...args) => {
      rec('file-write', Str(option(args, 'cPath', 0)), '', 'saveAs');
    },
    print: () => {},
    closeDoc: () => {},
    flattenPages: () => {},
    bringToFront: () => {},
    selectPageNthWord: () => {},
    printSeps: () => {
      abuse('printSeps');
    },
    exportAsFDF: () => {},
    exportAsText: () => {},
    insertPages: () => {},
    extractPages: () => {},
    replacePages: () => {},
    newDoc: () => doc,
    getIcon: () => null,
    getTemplate: () => null,
    spawnPageFromTemplate: () => {},
    getOCGs: () => null,
    getPrintParams: () => blank('printParams'),
    getLegalWarnings: () => blank('warnings'),
    disclosed: false,
  };
  for (const name in members) scriptGlobal[name] = members[name];
};
