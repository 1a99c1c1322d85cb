/** The files of the emulated machine: a tree in memory, of which nothing is on a real disk. */
import { lower, rec, replaceText, Str, split } from './bridge.js';
import { ENV, expand } from './machine.js';

export const disk = Object.create(null);
const KNOWN_FOLDERS = /^[a-z]:\\?$|^c:\\(windows|users|program files( \(x86\))?|programdata)(\\|$)/i;
export const SCRIPT = {
  name: '',
  get path() {
    return ENV.userprofile + '\\Downloads\\' + this.name;
  },
};
export const pathOf = (path) => {
  let text = replaceText(Str(path), /\//g, '\\');
  if (!/^([a-z]:|\\\\)/i.test(text)) text = ENV.userprofile + '\\Downloads\\' + replaceText(text, /^\\+/, '');
  return text;
};
export const keyOf = (path) => lower(replaceText(pathOf(path), /\\+$/, ''));
export const putScript = () => {
  SCRIPT.name = rec('script-name');
  disk[keyOf(SCRIPT.path)] = rec('script-text');
};
export const writeFile = (path, data, how) => {
  disk[keyOf(path)] = data;
  rec('file-write', pathOf(path), data, how);
};
export const readFile = (path) => {
  const data = disk[keyOf(path)];
  rec('file-read', pathOf(path), data === undefined ? 'not there' : 'there');
  if (data === undefined) throw new Error('File not found');
  return data;
};
export const fileExists = (path) => {
  const key = keyOf(path);
  const found =
    key in disk ||
    /^c:\\windows\\(system32|syswow64)\\(cmd|wscript|cscript|mshta|rundll32|regsvr32|certutil|bitsadmin|windowspowershell\\v1\.0\\powershell)\.exe$/.test(
      key,
    );
  rec('asked', 'file exists ' + pathOf(path), found);
  return found;
};
export const folderExists = (path) => {
  const found = KNOWN_FOLDERS.test(keyOf(path)) || 'folder ' + keyOf(path) in disk;
  rec('asked', 'folder exists ' + pathOf(path), found);
  return found;
};
export const deleteFile = (path) => {
  rec('file-delete', pathOf(path));
  delete disk[keyOf(path)];
};
export const copyFile = (from, to, how) => {
  const source = keyOf(from);
  let target = Str(to);
  if (/[\\/]$/.test(target)) target += baseOf(from);
  rec(how, pathOf(from), pathOf(target));
  if (source in disk) {
    writeFile(target, disk[source], how);
    if (how === 'file-move') delete disk[source];
  }
};
export const baseOf = (path) => {
  const parts = split(pathOf(path), '\\');
  return parts[parts.length - 1];
};
export const started = (command, args, how) => {
  rec('process', expand(command), args === undefined ? '' : expand(args), how);
  return 0;
};
