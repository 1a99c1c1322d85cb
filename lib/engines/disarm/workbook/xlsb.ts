/**
 * Binary workbooks (.xlsb, [MS-XLSB]). The sheets, texts and formats are read record by record and written as xlsx, with the values that
 * the formulas last had. Drawings, charts and pictures of the package are already XML. They are kept, and the whole is disarmed as xlsx.
 */
import type { DetectedType } from '../../../formats/detection/detected-type.ts';
import { type Biff12Record, recordsOf, wideString } from '../../../formats/office/biff12-records.ts';
import { EngineError, type EngineLimits, type FileInput, type Removal } from '../../engine.ts';
import type { Disarmed } from '../disarm-module.ts';
import { disarmContainer } from '../office/office.ts';
import { openContainer, type PackageContainer } from '../office/package/container.ts';
import {
  type ContentTypes,
  type Relationship,
  readContentTypes,
  readRelationships,
  relationshipsPartOf,
  resolveTarget,
} from '../office/package/relationships.ts';
import { type PackagePart, partsContainer } from '../office-xml/parts-container.ts';
import { CellCount, type Sheet, type Styles } from './book.ts';
import { bookParts, type SheetExtras } from './write-book.ts';
import { readSheet } from './xlsb-sheet.ts';
import { readStyles } from './xlsb-styles.ts';

const MAIN = 'application/vnd.ms-excel.sheet.binary.macroenabled.main';
/** Records of the workbook and of its texts ([MS-XLSB] 2.3.1). */
const RECORD = { text: 19, settings: 153, sheet: 156 };
const STATES = ['visible', 'hidden', 'veryHidden'] as const;
/** Parts of these relationships are made anew from the records. The disarm of xlsx judges all others. */
const REWRITTEN = /\/(?:worksheet|styles|sharedStrings|calcChain)$/;
const WORKSHEET = /\/(?:worksheet)$/;
const KEPT_OF_SHEETS = /\/drawing$/;
/**
 * Other parts of sheets, and their names in the report. Old drawings only show comments and controls. Tables and settings show no content.
 */
const LOST_OF_SHEETS: readonly (readonly [RegExp, string])[] = [
  [/\/(?:comments|threadedComment)$/, 'comment'],
  [/\/(?:oleObject|package)$/, 'embedded object'],
  [/\/(?:control|activeXControlBinary|ctrlProp)$/, 'ActiveX control'],
  [/\/queryTable$/, 'query'],
  [/\/pivotTable$/, 'pivot data'],
  [/\/image$/, 'picture'],
];

/** Converts and disarms the workbook. Throws EngineError `encrypted`, `unreadable`, `oversize`, like the disarm of a package. */
export async function disarm(input: FileInput, _type: DetectedType, limits: EngineLimits): Promise<Disarmed> {
  const container = await openContainer(input.bytes, limits);
  const types = await readContentTypes(container, limits);
  const root = await readRelationships(container, '', limits);
  const mains = root.filter(({ type, external }) => /\/officeDocument$/.test(type) && !external);
  const name = mains.length === 1 ? resolveTarget('', mains[0]?.target ?? '') : null;
  if (name === null || types.of(name).toLowerCase() !== MAIN)
    throw new EngineError('unreadable', 'the package does not name one binary workbook');
  const reader = new PackageReader(container, types, limits, name);
  const { parts, form } = await reader.read();
  return disarmContainer(partsContainer(parts), limits, input.keepMetadata === true, form);
}

class PackageReader {
  private readonly parts: PackagePart[] = [];
  private readonly taken = new Set<string>();
  private readonly count = new CellCount();
  private readonly gone: Removal[] = [];
  private hasFormulas = false;

  constructor(
    private readonly container: PackageContainer,
    private readonly types: ContentTypes,
    private readonly limits: EngineLimits,
    private readonly book: string,
  ) {}

  async read(): Promise<{ readonly parts: readonly PackagePart[]; readonly form: readonly Removal[] }> {
    const relationships = await this.relationshipsOf(this.book);
    const records = await this.recordsOf(this.book);
    const texts = await this.textsOf(relationships);
    const sheets: Sheet[] = [];
    const extras: SheetExtras[] = [];
    const listed = new Set<string>();
    for (const { type, data } of records) {
      if (type !== RECORD.sheet) continue;
      const row = sheetRow(data);
      const relationship = relationships.find(({ id }) => id === row.id);
      const target = relationship === undefined ? null : resolveTarget(this.book, relationship.target);
      if (relationship === undefined || target === null || !WORKSHEET.test(relationship.type)) {
        this.gone.push({
          kind: /macrosheet/i.test(relationship?.type ?? '') ? 'macro sheet' : 'unknown part',
          action: 'removed',
          where: row.name,
        });
        continue;
      }
      if (listed.has(target.toLowerCase()))
        throw new EngineError('unreadable', 'two sheets of the workbook share a part');
      listed.add(target.toLowerCase());
      const { sheet, extra } = await this.sheetOf(target, row, texts);
      sheets.push(sheet);
      extras.push(extra);
    }
    const is1904 = records.some(({ type, data }) => type === RECORD.settings && ((data[0] ?? 0) & 1) === 1);
    const others = relationships
      .filter(({ type }) => !REWRITTEN.test(type))
      .map((each) => this.absolute(this.book, each));
    await this.takeOthers(others);
    const styles = await this.stylesOf(relationships);
    const written = bookParts({ sheets, styles, is1904 }, this.limits, extras, others);
    const form: Removal[] = [{ kind: 'binary workbook', action: 'sanitized', where: 'workbook' }, ...this.gone];
    if (this.hasFormulas) form.push({ kind: 'formula', action: 'removed', where: 'workbook' });
    return { parts: [...written, ...this.parts], form };
  }

  private async sheetOf(part: string, { name, state }: SheetRow, texts: readonly string[]) {
    const content = readSheet(await this.streamOf(part), texts, this.count);
    this.hasFormulas ||= content.hasFormulas;
    const relationships = await this.relationshipsOf(part);
    const links = content.links.flatMap((link, index) => {
      const id = content.linkIds[index] ?? null;
      const found = id === null ? undefined : relationships.find((each) => each.id === id && each.external);
      // A link without a target leads into the workbook.
      if (found === undefined) return link.location === null ? [] : [link];
      return [{ ...link, target: found.target }];
    });
    const kept = relationships
      .filter(({ type, external }) => KEPT_OF_SHEETS.test(type) && !external)
      .map((each) => this.absolute(part, each));
    this.noteLost(name, relationships);
    const isKept = kept.some(({ id }) => id === content.drawing);
    await this.takeOthers(kept);
    const sheet: Sheet = {
      ...content,
      name,
      state,
      columns: content.columns,
      rows: content.rows,
      merges: content.merges,
      frozen: content.frozen,
      links,
    };
    return { sheet, extra: { relationships: kept, drawing: isKept ? content.drawing : null } };
  }

  private async stylesOf(relationships: readonly Relationship[]): Promise<Styles> {
    const part = this.targetOf(relationships, /\/styles$/);
    return readStyles(part === null ? [] : await this.recordsOf(part));
  }

  private async textsOf(relationships: readonly Relationship[]): Promise<string[]> {
    const part = this.targetOf(relationships, /\/sharedStrings$/);
    if (part === null) return [];
    return (await this.recordsOf(part)).flatMap(({ type, data }) =>
      type === RECORD.text ? [wideString(data, 1)?.text ?? ''] : [],
    );
  }

  private targetOf(relationships: readonly Relationship[], type: RegExp): string | null {
    const found = relationships.find((each) => type.test(each.type) && !each.external);
    return found === undefined ? null : resolveTarget(this.book, found.target);
  }

  private relationshipsOf(part: string): Promise<readonly Relationship[]> {
    return readRelationships(this.container, part, this.limits);
  }

  /** Returns the same relationship from anywhere in the package. */
  private absolute(part: string, relationship: Relationship): Relationship {
    const target = relationship.external ? null : resolveTarget(part, relationship.target);
    return target === null ? relationship : { ...relationship, target: `/${target}` };
  }

  private async recordsOf(part: string): Promise<readonly Biff12Record[]> {
    return [...(await this.streamOf(part))];
  }

  /** Reads records one by one, because a sheet has millions. Throws EngineError `unreadable` at the end of a part that is cut off. */
  private async streamOf(part: string): Promise<Iterable<Biff12Record>> {
    const entry = this.container.entries.get(part.toLowerCase());
    if (entry === undefined) throw new EngineError('unreadable', 'a part of the workbook is missing');
    return wholeRecords(await entry.read());
  }

  /** Notes the parts of a sheet that the new sheet does not have. */
  private noteLost(sheet: string, relationships: readonly Relationship[]): void {
    const kinds = relationships.flatMap(
      ({ type }) => LOST_OF_SHEETS.find(([pattern]) => pattern.test(type))?.[1] ?? [],
    );
    for (const kind of new Set(kinds)) this.gone.push({ kind, action: 'removed', where: sheet });
  }

  /** Copies the parts at which these relationships point, and the parts at which those point in turn, unchanged. */
  private async takeOthers(relationships: readonly Relationship[]): Promise<void> {
    const waiting = [...relationships];
    for (const each of waiting) {
      const name = each.external ? null : resolveTarget('', each.target);
      const entry = name === null ? undefined : this.container.entries.get(name.toLowerCase());
      if (entry === undefined || this.taken.has(entry.name)) continue;
      this.taken.add(entry.name);
      this.parts.push({ name: entry.name, contentType: this.types.of(entry.name), bytes: await entry.read() });
      const inner = (await this.relationshipsOf(entry.name)).map((next) => this.absolute(entry.name, next));
      const list = this.container.entries.get(relationshipsPartOf(entry.name).toLowerCase());
      if (list !== undefined)
        this.parts.push({ name: list.name, contentType: this.types.of(list.name), bytes: await list.read() });
      waiting.push(...inner);
    }
  }
}

function* wholeRecords(bytes: Uint8Array): Generator<Biff12Record> {
  const isWhole = yield* recordsOf(bytes);
  if (!isWhole) throw new EngineError('unreadable', 'a part of the workbook is cut off');
}

interface SheetRow {
  readonly id: string;
  readonly name: string;
  readonly state: Sheet['state'];
}

/** Reads a sheet of the list ([MS-XLSB] 2.4.311): state, number, relationship, name. */
function sheetRow(data: Uint8Array): SheetRow {
  const id = wideString(data, 8);
  const name = id === null ? null : wideString(data, id.end);
  if (id === null || name === null) throw new EngineError('unreadable', 'the list of sheets is damaged');
  return { id: id.text, name: name.text, state: STATES[data[0] ?? 0] ?? 'hidden' };
}
