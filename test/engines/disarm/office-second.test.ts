/** A disarmed document comes out of a second disarm as it went in, however large it is, and the gate sees to it. */
import { describe, expect, test } from 'vitest';
import { disarmFile } from '../../../lib/engines/disarm/disarm.ts';
import { checkOutput } from '../../../lib/engines/disarm/gate.ts';
import { openNested } from '../../../lib/engines/disarm/nested.ts';
import * as office from '../../../lib/engines/disarm/office/office.ts';
import { UnchangedParts } from '../../../lib/engines/disarm/office/package/unchanged-parts.ts';
import { packPart } from '../../../lib/engines/disarm/office/package/zip-write.ts';
import { checkXml } from '../../../lib/engines/disarm/office/xml/parse.ts';
import { DEFAULT_ENGINE_LIMITS as LIMITS } from '../../../lib/engines/engine.ts';
import { detectType } from '../../../lib/formats/detection/detect.ts';
import { buildDocx } from '../../fixtures/build-office.ts';

/** What does not get below this size is large. */
const LARGE_BYTES = 2 * 1024 * 1024;

/** Paragraphs that hardly pack (xorshift), more than two megabytes of them. */
function largeBody(): string {
  let state = 1;
  const word = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0).toString(36);
  };
  const paragraph = () => `<w:p><w:r><w:t>${Array.from({ length: 40 }, word).join(' ')}</w:t></w:r></w:p>`;
  return Array.from({ length: 16_000 }, paragraph).join('');
}

const MACRO = 'application/vnd.ms-word.document.macroEnabled.main+xml';
const LIVE_FIELD = '<w:p><w:fldSimple w:instr="DDEAUTO a b"><w:r><w:t>field</w:t></w:r></w:fldSimple></w:p>';

async function disarm(bytes: Uint8Array) {
  const report = await disarmFile({ bytes, untrustedName: 'a.docm', password: null }, LIMITS);
  return report.outcome === 'failed' ? expect.fail(report.failure.message) : report;
}

describe('a large document', () => {
  test.each([
    ['whose text stays as it is', ''],
    ['whose text changes', LIVE_FIELD],
  ])('%s is looked at twice', async (_, live) => {
    const first = await disarm(await buildDocx({ mainType: MACRO, body: live + largeBody() }));
    expect(first.bytes.length).toBeGreaterThan(LARGE_BYTES);
    expect(first.quality.checks).toContain('second pass');
    const second = await disarm(first.bytes);
    expect(second.outcome).toBe('already_safe');
    expect(Buffer.compare(second.bytes, first.bytes)).toBe(0);
  });
});

test('a result is refused when its second look gives something else', async () => {
  const input = { bytes: await buildDocx({ mainType: MACRO }), untrustedName: 'a.docm', password: null };
  const type = await detectType(input.bytes, 'a.docm');
  const disarmed = await office.disarm(input, type, LIMITS);
  const strategy = { name: 'rebuild', keepsText: true };
  const nested = openNested(() => expect.fail('there is nothing inside'), LIMITS);
  const context = { input, type, module: office, strategy, limits: LIMITS, nested };
  expect((await checkOutput(disarmed, context)).quality.checks).toContain('second pass');
  const again = async () => ({ ...disarmed, bytes: input.bytes });
  await expect(checkOutput({ ...disarmed, again }, context)).rejects.toMatchObject({ finding: { id: 'second-pass' } });
});

describe('a part is known as unchanged', () => {
  const part = packPart(Buffer.from('<a/>'));
  const unchanged = new UnchangedParts();
  unchanged.remember('a.xml', part, '["rId1"]');

  test('with the same bytes under the same name, judged by the same', () => {
    expect(unchanged.isUnchanged('a.xml', packPart(Buffer.from('<a/>')), '["rId1"]')).toBe(true);
  });

  test.each([
    ['name', 'b.xml', part, '["rId1"]'],
    ['bytes', 'a.xml', packPart(Buffer.from('<b/>')), '["rId1"]'],
    ['packed bytes', 'a.xml', { ...part, data: Buffer.from('<b/>') }, '["rId1"]'],
    ['relationships', 'a.xml', part, '[]'],
  ])('and not with other %s', (_, name, other, judgedBy) => {
    expect(unchanged.isUnchanged(name, other, judgedBy)).toBe(false);
  });
});

/** Names that were met before are read in a quicker way, which must not be a more tolerant one. */
describe('markup whose names are known is read as strictly as the first', () => {
  const check = (markup: string) => checkXml(Buffer.from(`<a><b c="1"><d/></b>${markup}`), LIMITS);

  test('well-formed', () => {
    expect(() => check('<b c="2">t<d></d><d/></b><b></b></a>')).not.toThrow();
  });

  test.each([
    ['an attribute twice', '<b c="1" c="2"/></a>'],
    ['crossed elements', '<b><d></b></d></a>'],
    ['a closing tag of a longer name', '<b></bb></a>'],
    ['a closing tag of a shorter name', '<d><bb></b></d></a>'],
    ['no end of a name', '<b'],
    ['no end of an attribute', '<b c'],
    ['no end of a value', '<b c="1'],
    ['no end of a tag', '<b c="1"'],
    ['no closing tag', '<b></b'],
    ['a bracket in a value', '<b c="<"/></a>'],
    ['a control character in a value', '<b c="\u0001"/></a>'],
    ['a control character in text', '<b>\u0001</b></a>'],
    ['attributes without space between', '<b c="1"c="1"/></a>'],
    ['a slash and no end', '<b c="1"/ ></a>'],
  ])('%s', (_, markup) => {
    expect(() => check(markup)).toThrow();
  });
});
