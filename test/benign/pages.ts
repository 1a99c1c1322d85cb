/** Ordinary web pages, drawings, mail, documents and texts, generated. */
import { deflateSync } from 'node:zlib';
import { zipOf } from '../engines/zip-fixture.ts';
import { type BenignFile, numbers, prose } from './file.ts';

const file = (kind: string, name: string, content: string | Uint8Array): BenignFile => ({
  kind,
  name,
  bytes: typeof content === 'string' ? Buffer.from(content) : content,
});

const SCRIPTS = [
  'window.dataLayer=window.dataLayer||[];function gtag(){dataLayer.push(arguments)}gtag("js",new Date());',
  'document.querySelectorAll("a").forEach(function(a){a.addEventListener("click",function(e){e.preventDefault();history.back()})});',
  'fetch("/api/items?page=1").then(r=>r.json()).then(d=>{document.getElementById("list").innerHTML=d.map(x=>"<li>"+x.name+"</li>").join("")});',
  '!function(e,t){"use strict";var n=e.location.href;t.cookie="a="+encodeURIComponent(n)+";path=/";var r=atob("aGVsbG8gd29ybGQ=")}(window,document);',
  'var s=document.createElement("script");s.async=true;s.src="https://cdn.example.org/lib.js";document.head.appendChild(s);',
  'function exportCsv(rows){var b=new Blob([rows.join("\\n")],{type:"text/csv"});var a=document.createElement("a");a.href=URL.createObjectURL(b);a.download="table.csv";a.click()}',
];

/** Web pages as people save them, with scripts, forms and pictures in them. */
export function benignPages(count: number): BenignFile[] {
  return Array.from({ length: count }, (_, index) => {
    const random = numbers(index + 11);
    const picture = Buffer.from(Array.from({ length: 300 }, () => Math.floor(random() * 256))).toString('base64');
    const form =
      index % 4 === 0
        ? '<form action="/login" method="post"><input name="u"><input type="password" name="p"></form>'
        : '';
    const body = Array.from(
      { length: 3 + Math.floor(random() * 20) },
      () => `<p>${prose(random, 60)} <a href="https://www.example.org/${index}">more</a></p>`,
    ).join('\n');
    const head = `<title>${prose(random, 4)}</title><meta charset="utf-8"><style>body{margin:0}</style><script>${SCRIPTS[index % SCRIPTS.length]}</script>`;
    return file(
      'page',
      `page-${index}.html`,
      `<!doctype html><html><head>${head}</head><body onload="init()">${body}${form}<img src="data:image/png;base64,${picture}"><a href="javascript:void(0)">top</a></body></html>`,
    );
  });
}

/** PDF files as printers and word processors write them. */
export function benignPdfs(count: number): BenignFile[] {
  return Array.from({ length: count }, (_, index) => {
    const random = numbers(index + 23);
    const content = deflateSync(`BT /F1 12 Tf 50 700 Td (${prose(random, 200)}) Tj ET`);
    const extras = ['', '/OpenAction [3 0 R /FitH 800]', '/PageMode /UseOutlines', '/AcroForm <</Fields [6 0 R]>>'][
      index % 4
    ];
    const form =
      index % 4 === 3
        ? '6 0 obj <</FT /Tx /T (sum) /AA <</F <</S /JavaScript /JS (AFNumber_Format\\(2, 0, 0, 0, "", true\\);)>>>>>> endobj\n'
        : '';
    const parts = [
      Buffer.from(
        `%PDF-1.7\n1 0 obj <</Type /Catalog /Pages 2 0 R ${extras}>> endobj\n2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n3 0 obj <</Type /Page /Parent 2 0 R /Contents 4 0 R /Annots [5 0 R]>> endobj\n5 0 obj <</Type /Annot /Subtype /Link /A <</S /URI /URI (https://www.example.org/${index})>>>> endobj\n${form}4 0 obj <</Length ${content.length} /Filter /FlateDecode>>\nstream\n`,
      ),
      content,
      Buffer.from('\nendstream endobj\n'),
    ];
    const start = parts.reduce((sum, part) => sum + part.length, 0);
    parts.push(
      Buffer.from(`xref\n0 1\n0000000000 65535 f \ntrailer <</Size 7 /Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`),
    );
    return file('pdf', `paper-${index}.pdf`, Buffer.concat(parts));
  });
}

/** Messages with a page and a document in them. */
export function benignMail(count: number, attachments: readonly BenignFile[]): BenignFile[] {
  return Array.from({ length: count }, (_, index) => {
    const random = numbers(index + 37);
    const attached = attachments[index % attachments.length];
    const body =
      attached === undefined || index % 3 === 0
        ? ''
        : `--b\r\nContent-Type: application/octet-stream; name="${attached.name}"\r\nContent-Disposition: attachment; filename="${attached.name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(attached.bytes).toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n`;
    return file(
      'mail',
      `mail-${index}.eml`,
      `From: Ann <ann@example.org>\r\nTo: Bob <bob@example.org>\r\nSubject: ${prose(random, 5)}\r\nDate: Fri, 20 Nov 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html><body><p>${prose(random, 120)}</p><a href="https://www.example.org">site</a></body></html>\r\n${body}--b--\r\n`,
    );
  });
}

/** Texts, tables, calendar entries, contact cards, data, rich text, drawings, and archives of them. */
export function benignTexts(count: number): BenignFile[] {
  return Array.from({ length: count }, (_, index) => {
    const random = numbers(index + 53);
    const text = prose(random, 150);
    const name = `text-${index}`;
    switch (index % 9) {
      case 0:
        return file(
          'text',
          `${name}.csv`,
          `name,amount,change\r\n${Array.from({ length: 30 }, () => `${prose(random, 2)},${Math.floor(random() * 1e4)},-${Math.floor(random() * 100)}.5%`).join('\r\n')}`,
        );
      case 1:
        return file(
          'text',
          `${name}.ics`,
          `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nSUMMARY:${prose(random, 5)}\r\nDTSTART:20261120T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
        );
      case 2:
        return file(
          'text',
          `${name}.vcf`,
          `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nEMAIL:ann@example.org\r\nTEL:+44 20 7946 0000\r\nEND:VCARD\r\n`,
        );
      case 3:
        return file(
          'text',
          `${name}.json`,
          JSON.stringify({ text, values: Array.from({ length: 50 }, () => random()) }),
        );
      case 4:
        return file(
          'text',
          `${name}.rtf`,
          `{\\rtf1\\ansi{\\fonttbl\\f0 Arial;}\\f0 ${text}\\par {\\field{\\*\\fldinst HYPERLINK "https://www.example.org"}{\\fldrslt site}}}`,
        );
      case 5:
        return file(
          'text',
          `${name}.svg`,
          `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><title>${prose(random, 3)}</title><path d="M0 0L${Math.floor(random() * 10)} 10"/></svg>`,
        );
      case 6:
        return file('text', `${name}.xml`, `<?xml version="1.0"?><invoice><line>${text}</line></invoice>`);
      case 7:
        return file(
          'archive',
          `${name}.zip`,
          zipOf({
            'readme.txt': text,
            'data/table.csv': 'a,b\r\n1,2\r\n',
            'page.html': `<html><body>${text}</body></html>`,
          }),
        );
      default:
        return file('text', `${name}.txt`, `${text}\n\nhttps://www.example.org/${index} ${text}`);
    }
  });
}
