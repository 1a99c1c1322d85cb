/** Archives: for zip, what its directory says and what the rules see in the members that fit the budget. */

import { extensionOf } from '../detect.ts';
import type { Finding } from '../engine.ts';
import { readZipMember, type ZipMember } from '../zip-directory.ts';
import { isProgram } from './executable.ts';
import { finding } from './findings.ts';
import type { ModuleResult, StaticFile, StaticModule, View } from './module.ts';
import { openZip } from './zip-integrity.ts';

/** Names that Windows, macOS or Linux run, or follow, on a double click. */
export const RUNS = new Set(
  (
    'exe com scr pif cpl dll sys ocx msi msp mst msix appx xll wll jar class apk dmg pkg app deb rpm elf ' +
    'js jse vbs vbe ps1 psm1 bat cmd hta wsf wsh wsc sct sh command py pyw lnk url scf inf reg iqy slk chm hlp ' +
    'iso img vhd vhdx one library-ms search-ms searchconnector-ms settingcontent-ms appref-ms application rdp desktop jnlp gadget'
  ).split(' '),
);
/** Longest member handed to the rules: programs hide in the first megabytes, and the budget is shared. */
const MAX_VIEW_BYTES = 8 * 1024 * 1024;
/** Bytes inflated for the rules out of one archive. */
const MAX_VIEWS_BYTES = 64 * 1024 * 1024;
const MAX_VIEWS = 200;
/** Characters that turn the order of a name around: `cod.exe` shows as `exe.doc`. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/;

export const archiveModule: StaticModule = {
  name: 'archive',
  accepts: (type) => type === 'application/zip',
  run: (file) => {
    const { members, findings } = openZip(file);
    const views = memberViews(file, members);
    return { findings: [...findings, ...suspectMembers(members, views)], views, understood: false };
  },
};

/** Java archives and Android packages: programs in a zip. */
export const javaModule: StaticModule = {
  name: 'java',
  accepts: (type) => type === 'application/java-archive' || type === 'application/vnd.android.package-archive',
  run: (file): ModuleResult => {
    const { members, findings } = openZip(file);
    return { findings: [...findings, finding('program')], views: memberViews(file, members), understood: false };
  },
};

function memberViews({ bytes, limits }: StaticFile, members: readonly ZipMember[]): View[] {
  const views: View[] = [];
  let left = Math.min(MAX_VIEWS_BYTES, limits.inflatedBytes);
  for (const member of members) {
    if (views.length >= MAX_VIEWS || left <= 0) break;
    const content = readZipMember(bytes, member, Math.min(left, MAX_VIEW_BYTES));
    if (content === null || content.length === 0) continue;
    left -= content.length;
    views.push({ where: member.untrustedName, bytes: content });
  }
  return views;
}

function suspectMembers(members: readonly ZipMember[], views: readonly View[]): Finding[] {
  const byName = members.find(({ untrustedName }) => RUNS.has(extensionOf(untrustedName)));
  const byContent = views.find(({ bytes }) => isProgram(bytes));
  const suspect = byName?.untrustedName ?? byContent?.where;
  const turned = members.find(({ untrustedName }) => BIDI_CONTROLS.test(untrustedName));
  return [
    ...(suspect === undefined ? [] : [finding('archive-executable', suspect)]),
    ...(turned === undefined ? [] : [finding('bidi-control', turned.untrustedName)]),
  ];
}
