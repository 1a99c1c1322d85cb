/** The files of a user. Scripts count them to notice an emulation, or destroy them as ransomware does. */
import { indexOf, lower, push } from './bridge.js';
import { disk, keyOf } from './disk.js';
import { fileObject, folderObject } from './file-system.js';
import { ENV } from './machine.js';

const files = [
  'Desktop\\Team.lnk',
  'Desktop\\Plan 2026.xlsx',
  'Desktop\\Notes.txt',
  'Documents\\Contract.docx',
  'Documents\\Budget 2026.xlsx',
  'Documents\\Minutes.docx',
  'Documents\\Offer.pdf',
  'Documents\\Customers.xlsx',
  'Pictures\\Holiday.jpg',
  'Pictures\\Team.jpg',
];
for (let i = 1; i <= 24; i++) push(files, 'AppData\\Roaming\\Microsoft\\Windows\\Recent\\Document ' + i + '.lnk');
const spelled = Object.create(null);
for (const name of files) {
  const path = ENV.userprofile + '\\' + name;
  spelled[lower(path)] = path;
  disk[lower(path)] = 'Contents of ' + name;
}
const folders = [
  'C:\\Windows',
  'C:\\Windows\\System32',
  'C:\\Program Files',
  'C:\\ProgramData',
  'C:\\Users',
  'C:\\Users\\Public',
  ENV.userprofile,
];
for (const name of [
  'Desktop',
  'Documents',
  'Downloads',
  'Pictures',
  'AppData',
  'AppData\\Local',
  'AppData\\Roaming',
  'AppData\\Roaming\\Adobe',
  'AppData\\Roaming\\Microsoft',
  'AppData\\Roaming\\Mozilla',
  'AppData\\Roaming\\Microsoft\\Windows',
  'AppData\\Roaming\\Microsoft\\Windows\\Recent',
])
  push(folders, ENV.userprofile + '\\' + name);
const inFolder = (path, names) => {
  const start = keyOf(path) + '\\';
  return names.filter((name) => indexOf(lower(name), start) === 0 && indexOf(name, '\\', start.length) < 0);
};
export const filesIn = (path) => inFolder(path, Object.keys(disk)).map((key) => fileObject(spelled[key] || key));
export const foldersIn = (path) => inFolder(path, folders).map((name) => folderObject(name));
