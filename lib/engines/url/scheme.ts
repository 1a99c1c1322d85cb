/** Findings about the scheme of a URL: what happens on a click. */

import { oneOf } from '../../formats/patterns.ts';
import type { Finding } from '../engine.ts';
import { urlFinding } from './findings.ts';

const SCRIPT_SCHEMES = new Set(['javascript:', 'vbscript:', 'livescript:', 'mocha:', 'jscript:']);
const SHARE_SCHEMES = new Set(['file:', 'smb:', 'nfs:', 'mhtml:', 'res:', 'mk:', 'ms-its:', 'jar:']);
const WEB_SCHEMES = new Set(['http:', 'https:', 'ftp:', 'ftps:', 'ws:', 'wss:']);
/** Schemes that open a program but give it nothing to run. */
const HARMLESS_SCHEMES = new Set(
  'mailto: tel: sms: cid: mid: webcal: geo: xmpp: sip: sips: urn: news: callto: facetime: matrix: maps: market: about:'.split(
    ' ',
  ),
);
/** An address of a chat without an action: `skype:ana.example`. A path or a parameter makes it an order to the program. */
const CHAT_ADDRESS =
  /^(?:skype|aim|ymsgr|msnim|gtalk|icq|x-icq|xmpp|jabber|sgnl|threema|viber|weixin|wechat|groupme|facetime-audio|whatsapp|telegram|irc|invalid|x-apple):[\w.+@%-]+$/i;
/**
 * Schemes that programs on servers use for their connections and stores. No desktop program registers them, and logs and code are full of
 * them.
 */
const CONNECTION = new RegExp(
  `^${oneOf(String.raw`
    jdbc odbc s3[an]? gs abfss? wasbs? hdfs dbfs adl amqps? kafka nats mqtts? tcp udp unix grpc oci docker pkg ipc inproc
    sqlite postgres(?:ql)? mysql mariadb mongodb(?:\+srv)? rediss? memcached zookeeper consul etcd bolt neo4j cassandra
    clickhouse sqlserver classpath git(?:\+https)? arn
  `)}:`,
  'i',
);
/** A file in a mail link: some programs attach it without asking (`mailto:…?attach=`). */
const ATTACHES = /[?&;][^=]{0,3}attach(?:ments?)?[^=]{0,3}=/i;
const PICTURE_OR_FONT = /^data:(?:image\/(?:png|jpe?g|gif|webp|bmp|avif|x-icon)|font\/|application\/(?:x-)?font)/i;
/** Links of ordinary pages whose script is empty. */
const IDLE_SCRIPT =
  /^(?:\s|%20|;|\/\/|void(?:\s|%20){0,9}\(?(?:\s|%20){0,9}0(?:\s|%20){0,9}\)?|undefined|null|false|return(?:\s|%20){1,9}false){0,4}$/i;
/** Signs that a page runs a script or asks for input. */
const LIVE_MARKUP =
  /<(?:script|form|input|iframe|object|embed|meta[^>]{0,200}refresh|svg[^>]{0,200}onload)|\son[a-z]{4,20}\s*=|javascript:/i;
/** The number of characters of a page in a URL that are read. */
const READ_CHARACTERS = 65_536;

export const isWebUrl = (url: URL): boolean => WEB_SCHEMES.has(url.protocol);
/** Returns whether a URL may be long, because it holds a picture. */
export const isPictureUrl = (text: string): boolean => PICTURE_OR_FONT.test(text);

/** Returns the findings of the scheme by itself. */
export function checkScheme(url: URL): Finding[] {
  const scheme = url.protocol;
  if (SCRIPT_SCHEMES.has(scheme))
    return [urlFinding(IDLE_SCRIPT.test(url.pathname) ? 'idle-script-url' : 'script-url', 'scheme', url.href)];
  if (SHARE_SCHEMES.has(scheme)) return [urlFinding('file-share', 'scheme', url.href)];
  if (scheme === 'data:') return checkData(url.href);
  // A page makes such a URL for its own bytes. It is useless in a mail; only smuggled pages use it.
  if (scheme === 'blob:') return [urlFinding('data-document', 'scheme', url.href)];
  if (scheme === 'mailto:' && ATTACHES.test(decodedTwice(url.href)))
    return [urlFinding('attaches-a-file', 'scheme', url.href)];
  const isHarmless = HARMLESS_SCHEMES.has(scheme) || CHAT_ADDRESS.test(url.href) || CONNECTION.test(url.href);
  return WEB_SCHEMES.has(scheme) || isHarmless ? [] : [urlFinding('program-scheme', 'scheme', scheme)];
}

function checkData(href: string): Finding[] {
  if (isPictureUrl(href)) return [];
  const comma = href.indexOf(',');
  const [head, body] = [href.slice(0, comma), href.slice(comma + 1, comma + 1 + READ_CHARACTERS)];
  const isLive = /html|xml|svg/i.test(head) && LIVE_MARKUP.test(textOf(body, /;\s*base64\s*$/i.test(head)));
  return [urlFinding(isLive ? 'scripted-document' : 'data-document', 'scheme', href)];
}

function decodedTwice(text: string): string {
  const once = (encoded: string) =>
    encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return once(once(text)).replaceAll('\0', '');
}

function textOf(body: string, isBase64: boolean): string {
  const text = body.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return isBase64 ? Buffer.from(text, 'base64').toString('latin1') : text;
}
