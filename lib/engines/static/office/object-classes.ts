/**
 * Classes of objects and controls, by which Windows and LibreOffice choose the program. The lists are closed: a class that is on none of
 * them may be any program, such as a browser, a script or a player.
 */

/**
 * Documents, charts, drawings and pictures of Office, Visio, Project, LibreOffice and StarOffice, Photo Editor, CorelDRAW, and pictures of
 * the system.
 */
const DOCUMENT_CLASSES = `
  00020810-0000-0000-C000-000000000046 00020811-0000-0000-C000-000000000046 00020820-0000-0000-C000-000000000046
  00020821-0000-0000-C000-000000000046 00020830-0000-0000-C000-000000000046 00020832-0000-0000-C000-000000000046
  00020833-0000-0000-C000-000000000046 00020803-0000-0000-C000-000000000046 00020801-0000-0000-C000-000000000046
  00020900-0000-0000-C000-000000000046 00020906-0000-0000-C000-000000000046 00020907-0000-0000-C000-000000000046
  F4754C9B-64F5-4B40-8AF4-679732AC0607 18A06B6B-2F3F-4E2B-A611-52BE631B2D22
  64818D10-4F9B-11CF-86EA-00AA00B929E8 64818D11-4F9B-11CF-86EA-00AA00B929E8 EA7BAE70-FB3B-11CD-A903-00AA00510EA3
  EA7BAE71-FB3B-11CD-A903-00AA00510EA3
  CF4F55F4-8F87-4D47-80BB-5808164BB3F8 048EB43E-2059-422F-95E0-557DA96038AF
  00021A14-0000-0000-C000-000000000046 00021A15-0000-0000-C000-000000000046
  D3E34B21-9D75-101A-8C3D-00AA001A1652 11943940-36DE-11CF-953E-00C0A84029E9 1933A000-1F48-11D3-B198-00A0C9E8A79C
  00000315-0000-0000-C000-000000000046 00000316-0000-0000-C000-000000000046 00000319-0000-0000-C000-000000000046
  8BC6B165-B1B2-4EDD-AA47-DAE2EE689DD6 47BBB4CB-CE4C-4E80-A591-42D9AE74950F 9176E48A-637A-4D1F-803B-99D9BFAC1047
  4BAB8970-8A3B-45B3-991C-CBEEAC6BD5E3 078B7ABA-54FC-457F-8551-6147E776A997 12DCAE26-281F-416F-A234-C3086127382E
  3EAB3858-A0E0-4A3B-A405-F4D525E85265
  30A2652A-DDF7-45E7-ACA6-3EAB26FC8A4E F616B81F-7BB8-4F22-B8A5-47428D59F8AD 7B342DC4-139A-4A46-8A93-DB0827CCEE9C
  7FA8AE11-B3E3-4D88-AABF-255526CD1CE8 E5A0B632-DFBA-4549-9346-E414DA06E6F8 EE5D1EA4-D445-4289-B2FC-55FC93693917
  41662FC2-0D57-4AFF-AB27-AD2E12E7C273 448BB771-CFE2-47C4-BCDF-1FBF378E202C D415CD93-35C4-4C6F-819D-A664A1C813AE
  0DD0A57F-CF3B-4FD2-BDA4-9442719B2A73 D0484DE6-AAEE-468A-991F-8D4B0737B57A D2D59CD1-0A6A-4D36-AE20-47817077D57C
`;
/**
 * The controls of Microsoft Forms that hold a state and nothing else. Frames and pages, which contain other controls ([MS-OFORMS] 2.2), are
 * not on the list.
 */
const FORM_CLASSES = `
  D7053240-CE69-11CD-A777-00DD01143C57 8BD21D10-EC42-11CE-9E0D-00AA006002F3 8BD21D20-EC42-11CE-9E0D-00AA006002F3
  8BD21D30-EC42-11CE-9E0D-00AA006002F3 8BD21D40-EC42-11CE-9E0D-00AA006002F3 8BD21D50-EC42-11CE-9E0D-00AA006002F3
  8BD21D60-EC42-11CE-9E0D-00AA006002F3 978C9E23-D4B0-11CE-BF2D-00AA003F40D0 4C599241-6926-101B-9992-00000B65C6F9
  DFD181E0-5E2F-11CE-A449-00AA004A803D 79176FB0-B7F2-11CE-97EF-00AA006D2776
`;
const CLASS_ID = /[\dA-F]{8}(?:-[\dA-F]{4}){3}-[\dA-F]{12}/g;

const listOf = (classes: string): readonly string[] => classes.match(CLASS_ID) ?? [];

/** Returns a class id as the directory of a compound file holds it: the first three groups with the lowest byte first. */
export function inFileOrder(classId: string): string {
  const [first = '', second = '', third = '', ...rest] = classId.toLowerCase().split('-');
  const turned = [first, second, third].map((group) => (group.match(/../g) ?? []).reverse().join(''));
  return [...turned, ...rest].join('');
}

const CONTROLS = new Set(listOf(FORM_CLASSES));
const FORMS_IN_FILE = new Set(listOf(FORM_CLASSES).map(inFileOrder));
const DOCUMENTS_IN_FILE = new Set(listOf(DOCUMENT_CLASSES).map(inFileOrder));

export const NO_CLASS = '0'.repeat(32);

/**
 * Classes that are judged by their data: pictures of Paint and Draw, packaged files, formulas, documents of Acrobat and Photoshop, charts
 * of Org Plus.
 */
export const CLASS = {
  paint: inFileOrder('0003000A-0000-0000-C000-000000000046'),
  draw: inFileOrder('00030007-0000-0000-C000-000000000046'),
  package: inFileOrder('0003000C-0000-0000-C000-000000000046'),
  equation: inFileOrder('0002CE02-0000-0000-C000-000000000046'),
  mathType: inFileOrder('0002CE03-0000-0000-C000-000000000046'),
  acrobat: inFileOrder('B801CA65-A1FC-11D0-85AD-444553540000'),
  photoshop: inFileOrder('3FD07B5F-B17A-4243-949B-94C5A9D2E465'),
  chartOfPeople: inFileOrder('E4C18D40-1CD5-101C-B325-00AA001F3168'),
} as const;

/** Returns true for the class of a control that only holds a state, as XML writes it: `{8BD21D40-EC42-11CE-9E0D-00AA006002F3}`. */
export function isFormClass(untrustedClassId: string): boolean {
  return CONTROLS.has(
    untrustedClassId
      .trim()
      .replace(/^\{|\}$/g, '')
      .toUpperCase(),
  );
}

/** Does the same for a class id in the order of a file, in hex digits. */
export const isFormClassInFile = (classId: string): boolean => FORMS_IN_FILE.has(classId);

/** Returns true for the class of a document or of a control that only holds a state, in the order of a file. */
export const isPlainClass = (classId: string): boolean => DOCUMENTS_IN_FILE.has(classId) || FORMS_IN_FILE.has(classId);
