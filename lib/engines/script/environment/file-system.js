/** Scripting.FileSystemObject with its files, folders and drives. */
import { com, listing } from './automation.js';
import { floor, Num, rec, replaceText, Str, slice } from './bridge.js';
import { START } from './clock.js';
import { baseOf, copyFile, deleteFile, disk, fileExists, folderExists, keyOf, pathOf } from './disk.js';
import { asked, ENV, expand } from './machine.js';
import { RealDate } from './script-global.js';
import { textOut } from './shell.js';
import { textStream } from './text-stream.js';
import { filesIn, foldersIn } from './used-machine.js';

export const fileObject = (path) =>
  com(
    'File',
    {
      get name() {
        return baseOf(path);
      },
      get path() {
        return pathOf(path);
      },
      get shortpath() {
        return pathOf(path);
      },
      get size() {
        return Str(disk[keyOf(path)] || '').length;
      },
      get attributes() {
        return 32;
      },
      set attributes(v) {},
      get type() {
        return 'File';
      },
      get parentfolder() {
        return folderObject(parentOf(path));
      },
      get datecreated() {
        return new RealDate(START - 864e5);
      },
      get datelastmodified() {
        return new RealDate(START - 864e5);
      },
      delete: () => deleteFile(path),
      copy: (to) => copyFile(path, to, 'file-copy'),
      move: (to) => copyFile(path, to, 'file-move'),
      openastextstream: (mode) => textStream(path, mode || 1, 'FileSystemObject'),
    },
    undefined,
    () => pathOf(path),
  );
const parentOf = (path) => replaceText(pathOf(path), /\\[^\\]*$/, '');
export const folderObject = (path) =>
  com(
    'Folder',
    {
      get path() {
        return pathOf(path);
      },
      get name() {
        return baseOf(path);
      },
      get files() {
        rec('asked', 'files in ' + pathOf(path));
        return listing(filesIn(path));
      },
      get subfolders() {
        rec('asked', 'folders in ' + pathOf(path));
        return listing(foldersIn(path));
      },
      get parentfolder() {
        return folderObject(parentOf(path));
      },
      get size() {
        return 48120;
      },
      get shortpath() {
        return pathOf(path);
      },
      get attributes() {
        return 16;
      },
      set attributes(v) {},
      get isrootfolder() {
        return /^[a-z]:\\?$/i.test(Str(path));
      },
      createtextfile: (name) => textStream(pathOf(path) + '\\' + name, 2, 'FileSystemObject'),
      delete: () => deleteFile(path),
    },
    undefined,
    () => pathOf(path),
  );
const drive = (letter) =>
  com(
    'Drive',
    {
      driveletter: letter,
      path: letter + ':',
      drivetype: 2,
      isready: true,
      filesystem: 'NTFS',
      serialnumber: 1184302741,
      volumename: 'OS',
      totalsize: 511101108224,
      freespace: 231928233984,
      availablespace: 231928233984,
      sharename: '',
      rootfolder: letter + ':\\',
    },
    undefined,
    () => letter + ':',
  );
export const fileSystem = () =>
  com('Scripting.FileSystemObject', {
    createtextfile: (path) => textStream(expand(path), 2, 'FileSystemObject'),
    opentextfile: (path, mode) => textStream(expand(path), mode || 1, 'FileSystemObject'),
    fileexists: fileExists,
    folderexists: folderExists,
    driveexists: (l) => asked('drive ' + l, /^c/i.test(Str(l))),
    getfile: (p) => fileObject(p),
    getfolder: (p) => folderObject(p),
    getdrive: (l) => {
      rec('asked', 'drive ' + l, 'fixed, NTFS');
      return drive(slice(Str(l), 0, 1));
    },
    getdrivename: (p) => slice(pathOf(p), 0, 2),
    get drives() {
      rec('asked', 'drives', 'C:');
      return listing([drive('C')]);
    },
    getspecialfolder: (n) =>
      folderObject(asked('special folder ' + n, [ENV.windir, ENV.windir + '\\System32', ENV.temp][Num(n)] || ENV.temp)),
    gettempname: () => 'rad' + slice(Str(floor(Math.random() * 1e9) + 1e9), 1, 6) + '.tmp',
    deletefile: deleteFile,
    deletefolder: deleteFile,
    copyfile: (a, b) => copyFile(a, b, 'file-copy'),
    movefile: (a, b) => copyFile(a, b, 'file-move'),
    createfolder: (p) => {
      disk['folder ' + keyOf(p)] = true;
      rec('folder-create', pathOf(p));
      return folderObject(p);
    },
    buildpath: (a, b) => replaceText(Str(a), /\\+$/, '') + '\\' + b,
    getextensionname: (p) => {
      const m = /\.([^.\\]*)$/.exec(Str(p));
      return m ? m[1] : '';
    },
    getbasename: (p) => replaceText(baseOf(p), /\.[^.]*$/, ''),
    getfilename: baseOf,
    getparentfoldername: parentOf,
    getabsolutepathname: pathOf,
    getfileversion: () => '10.0.19041.4046',
    copyfolder: (a, b) => copyFile(a, b, 'file-copy'),
    movefolder: (a, b) => copyFile(a, b, 'file-move'),
    getstandardstream: () => textOut(),
  });
