/** Decodes the output of Windows Script Encoder (.jse, .vbe, `JScript.Encode`), which uses three substitutions in a fixed order of 64. */

/** The substitutes of the characters from 32 on, three for each, as hexadecimal digits. */
const SUBSTITUTES =
  '2e2d324775307a522156602942715b6a5e382f4933265c3d496258417d3a3429353236655b2039767c5c727a56437f73' +
  '386b6639634e703345452b6b6868627151594f667809765e62317d44644a23546d7543714a4c417e3a604a4c415e7e53' +
  '404c407745424a2c27612a485d74722227754b37316f44374e794d3b59524c2f22506f5467266a2a72477d6a6474392d' +
  '547b202b3f7f2d382e2c774c30675d6e537e6b476c66346f357879255d742130436423264d5a76525b25636c243f482b' +
  '7b5528787023296941282e34734c0959212a3324447f4e3f6d507755093b5356557c73693a35615f6163654b50465867' +
  '583b5131574969224f6c6d465a4d6848257c2728365c46703d4a6e24327a79412f373d5f605f4b514f5a20422c366557';
const TAB = '576e7b';
const ORDER = '0120121221210212021200122102122100212120200120210212001220012021';

const TABLE = Buffer.from(SUBSTITUTES, 'hex').toString('latin1');
const TAB_ROW = Buffer.from(TAB, 'hex').toString('latin1');
const ESCAPES: Readonly<Record<string, string>> = { '@&': '\n', '@#': '\r', '@*': '>', '@!': '<', '@$': '@' };

/** Returns the text with every encoded piece decoded. Returns null when it has none. */
export function decodeScript(text: string): string | null {
  const start = text.indexOf('#@~^');
  if (start === -1) return null;
  const out: string[] = [];
  let from = 0;
  for (let at = start; at !== -1; at = text.indexOf('#@~^', from)) {
    out.push(text.slice(from, at));
    const begin = at + 12;
    const end = text.indexOf('^#~@', begin);
    const stop = end === -1 ? text.length : end;
    // Six digits of a checksum and `==` come before the end.
    out.push(decodePiece(text.slice(begin, end === -1 ? stop : Math.max(begin, stop - 8))));
    from = end === -1 ? stop : end + 4;
  }
  out.push(text.slice(from));
  return out.join('');
}

function decodePiece(piece: string): string {
  const plain = piece.replace(/@[&#*!$]/g, (found) => ESCAPES[found] ?? found);
  let index = -1;
  let out = '';
  for (const char of plain) {
    const code = char.charCodeAt(0);
    if (code < 128) index++;
    const row = Number(ORDER[index % 64]);
    const isCoded = code === 9 || (code >= 32 && code < 128 && code !== 60 && code !== 62 && code !== 64);
    out += !isCoded ? char : code === 9 ? TAB_ROW.charAt(row) : TABLE.charAt((code - 32) * 3 + row);
  }
  return out;
}
