/** Mails that are too large, and disarmed files that are not what they should be. */
import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { buildPdf } from '../../fixtures/build-pdf.ts';
import { crowdedMail, type Mail, mailWithFile, mailWithPdf, plainMail } from '../run/mails.ts';
import type { ServiceAnswer } from '../service/service.ts';
import type { Fault, FaultGroup } from './fault.ts';

const MIB = 1024 * 1024;

const large: Fault = {
  name: 'large-object',
  says: 'an object of 200 MB is quarantined, and the mails beside it go on',
  async run(twin) {
    const mail = plainMail();
    const bytes = Buffer.concat([mail.bytes, Buffer.alloc(200 * MIB, 'x')]);
    await twin.send({ ...mail, bytes, must: 'quarantined' });
    await twin.send(plainMail());
  },
};

const largest: Fault = {
  name: 'largest-mails',
  says: 'mails just below the limit of 42 MiB, with a text, a table or nothing readable in them, end like small ones',
  async run(twin) {
    const line = 'The quick brown fox, 12345, jumps over the lazy dog\r\n';
    const text = Buffer.from(line.repeat(Math.floor((29 * MIB) / line.length)));
    await twin.send(mailWithFile('log.txt', 'text/plain', text, 'either'));
    await twin.send(mailWithFile('table.csv', 'text/csv', text, 'either'));
    await twin.send(mailWithFile('data.bin', 'application/octet-stream', randomBytes(29 * MIB), 'either'));
    await twin.send(plainMail());
  },
};

/** Letters of one to four bytes, that join, that are read from the right, and that JSON writes as escapes. */
const ALPHABETS = ['a', 'ß', 'ж', '字', 'ا', 'ก', '😀', '"', '\\'] as const;

const crowded: Fault = {
  name: 'crowded-mails',
  says: 'mails with 1,000 links or long names of every alphabet are delivered; 900 files or 10,000 recipients are over a limit and held',
  async run(twin) {
    await twin.send(crowdedMail({ files: 900, links: 1, recipients: 0 }, 'a', 'quarantined'));
    await twin.send(crowdedMail({ files: 1, links: 1_000, recipients: 0 }, 'b'));
    await twin.send(crowdedMail({ files: 1, links: 1, recipients: 10_000 }, 'c', 'quarantined'));
    for (const letter of ALPHABETS) await twin.send(crowdedMail({ files: 5, links: 5, recipients: 100 }, letter));
    await twin.send(plainMail());
  },
};

const bomb: Fault = {
  name: 'zip-bomb',
  says: 'a zip of 1 MB that unpacks to 1 GB is not delivered, and the mails beside it go on',
  async run(twin) {
    const bytes = zipOf('zeros.txt', 1024 * MIB);
    const mail = mailWithFile('archive.zip', 'application/zip', bytes, 'either');
    await twin.send({ ...mail, forbiddenFiles: [Buffer.from(bytes)] });
    await twin.send(plainMail());
  },
};

/** A zip with one member of so many zeros. */
function zipOf(name: string, size: number): Uint8Array {
  const zeros = Buffer.alloc(size);
  const packed = deflateRawSync(zeros, { level: 9 });
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(crc32(zeros), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(size, 18);
  fields.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), fields, Buffer.from(name), packed]);
  const central = Buffer.concat([
    Buffer.from('PK\u0001\u0002'),
    Buffer.from([20, 0]),
    fields,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

/** The service gives back other bytes than the disarmed PDF. None of them may be delivered. */
function disarmed(name: string, says: string, change: (pdf: Buffer) => Buffer): Fault {
  return {
    name,
    says,
    analyst: 'service',
    async run(twin, mails) {
      const given: Buffer[] = [];
      twin.service.fault = {
        after(_, answer: ServiceAnswer) {
          if (answer.body.toString('latin1', 0, 5) !== '%PDF-') return answer;
          const body = change(answer.body);
          given.push(body);
          return { ...answer, body };
        },
      };
      for (let index = 0; index < mails; index += 1) {
        const mail: Mail = mailWithPdf();
        await twin.send({ ...mail, must: 'either', forbiddenFiles: given });
      }
    },
  };
}

const foreign = Buffer.from(buildPdf({ text: 'the invoice of somebody else' }));

export const CONTENT_FAULTS: FaultGroup = [
  large,
  largest,
  crowded,
  bomb,
  disarmed('empty-disarmed', 'the service gives back empty files', () => Buffer.alloc(0)),
  disarmed('cut-disarmed', 'the service gives back half of each file', (pdf) => pdf.subarray(0, pdf.length / 2)),
  disarmed('foreign-disarmed', 'the service gives back the file of somebody else', () => foreign),
];
