/** Makes a self-signed certificate (RFC 5280), so that the repository holds no private key. */
import { generateKeyPairSync, sign } from 'node:crypto';

const der = (tag: number, ...contents: Buffer[]): Buffer => {
  const body = Buffer.concat(contents);
  const { length } = body;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
};
const sequence = (...contents: Buffer[]) => der(0x30, ...contents);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = '550403';

/** Key and certificate in PEM for the name `localhost`. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from('localhost')))));
  const validity = sequence(...['200101000000Z', '491231000000Z'].map((time) => der(0x17, Buffer.from(time))));
  const serial = der(0x02, Buffer.from([1]));
  const keyInfo = publicKey.export({ type: 'spki', format: 'der' });
  const body = sequence(serial, ECDSA_WITH_SHA256, name, validity, name, keyInfo);
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const base64 = sequence(body, ECDSA_WITH_SHA256, signature).toString('base64');
  const cert = `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`;
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
