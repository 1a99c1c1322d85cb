/**
 * Bodies in the shapes of public templates and of what programs of mail write. All of them are written here, from a small grammar:
 * a head, a frame for the columns, blocks in them, and a foot.
 */

export interface Template {
  readonly name: string;
  readonly html: string;
}

const SITE = 'https://news.example';
const picture = (name: string, width: number, height: number, style = 'display:block;border:0') =>
  `<img src="${SITE}/${name}.png" width="${width}" height="${height}" alt="${name}" style="${style}">`;
const link = (path: string, text: string, style = 'color:#1a73e8;text-decoration:underline') =>
  `<a href="${SITE}/${path}" style="${style}">${text}</a>`;

const RESET = `
  body,table,td,a{-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%}
  table,td{mso-table-lspace:0pt;mso-table-rspace:0pt} img{-ms-interpolation-mode:bicubic;border:0;height:auto;line-height:100%}
  #outlook a{padding:0} .ExternalClass *{line-height:100%} a[x-apple-data-detectors]{color:inherit!important;text-decoration:none!important}
  u + #body a{color:inherit} @-ms-viewport{width:device-width}`;

/** What the head of a page holds beside its title. */
const HEADS: Readonly<Record<string, string>> = {
  'with media queries': `<meta name="viewport" content="width=device-width,initial-scale=1"><style type="text/css">${RESET}
    .card{background:#ffffff;border-radius:6px} .h1{font:700 28px/34px Georgia,serif;color:#14213d}
    @media only screen and (max-width:600px){.full{width:100%!important;max-width:100%!important}.stack{display:block!important;width:100%!important}.hide{display:none!important}.h1{font-size:22px!important;line-height:28px!important}}</style>`,
  'with dark mode': `<meta name="color-scheme" content="light dark"><style>${RESET} :root{color-scheme:light dark;supported-color-schemes:light dark}
    .card{background-color:#fafafa}.h1{font-size:26px;line-height:32px;color:#222}
    @media (prefers-color-scheme:dark){.card{background:#111!important}.h1{color:#fff!important}} [data-ogsc] .h1{color:#fff!important}</style>`,
  'with web fonts': `<link href="https://fonts.example/css2?family=Lato:wght@400;700" rel="stylesheet"><style>@import url('https://fonts.example/css?family=Lato');
    @font-face{font-family:Lato;src:url(https://fonts.example/lato.woff2) format("woff2")} ${RESET}
    .card{border:1px solid #dddddd}.h1{font-family:Lato,"Helvetica Neue",Arial,sans-serif;font-size:30px;letter-spacing:-.5px}</style>`,
  'for Outlook': `<!--[if mso]><xml><o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><style>table{border-collapse:collapse}td,th,div,p,a{font-family:Segoe UI,Arial,sans-serif!important}</style><![endif]-->
    <style>${RESET} .card{box-shadow:0 1px 3px rgba(0,0,0,.2)}.h1{font-size:24px;font-weight:bold}.hover:hover{background:#0b57d0!important}</style>`,
  plain: `<base target="_blank"><style>${RESET} .h1{font-size:24px;color:#7a1f3d;text-transform:uppercase}.card{background:#fff8e7;padding:8px}</style>`,
};

const HEADINGS = ['What is new this month', 'Your order is on its way', 'Three ideas for the weekend'];
const WORDS =
  'We read through all of your letters and picked the questions that came up most. Here are the answers, with pictures and a few tips.';

type Block = (at: number) => string;

/** A button whose whole area is a link, with the shape that Outlook draws in its place. */
const button: Block = (at) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" align="center"><tr><td align="center" bgcolor="#0a7d4f" style="border-radius:4px"><!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="${SITE}/go${at}" style="height:44px;v-text-anchor:middle;width:200px" arcsize="9%" strokecolor="#0a7d4f" fillcolor="#0a7d4f"><w:anchorlock/><center style="color:#fff">Read on</center></v:roundrect><![endif]--><!--[if !mso]><!-->${link(`go${at}`, 'Read on', 'background:#0a7d4f;border:1px solid #0a7d4f;border-radius:4px;color:#ffffff;display:inline-block;font:bold 15px/44px Arial,sans-serif;text-align:center;text-decoration:none;width:200px;-webkit-text-size-adjust:none;mso-hide:all')}<!--<![endif]--></td></tr></table>`;
const hero: Block = () =>
  `<table width="100%" cellpadding="0" cellspacing="0" background="${SITE}/hero.png" bgcolor="#23395d"><tr><td align="center" style="padding:48px 24px;background-position:center;background-size:cover"><h1 class="h1" style="margin:0;color:#ffffff">${HEADINGS[0]}</h1><p style="color:#dfe7f3;margin:12px 0 0">${WORDS}</p></td></tr></table>`;
const article: Block = (at) =>
  `<div class="card" style="padding:20px 24px"><h2 class="h1" style="margin:0 0 12px">${HEADINGS[at % 3]}</h2><p style="margin:0 0 12px;font:16px/24px Arial,Helvetica,sans-serif;color:#444">${WORDS} ${link(`a${at}`, 'Read more')}</p>${picture(`photo${at}`, 240, 120)}</div>`;
const columns: Block = (at) =>
  `<div style="font-size:0;text-align:center"><!--[if mso]><table role="presentation" width="100%"><tr><td width="50%" valign="top"><![endif]-->${[
    0, 1,
  ]
    .map(
      (column) =>
        `<div class="stack" style="display:inline-block;width:100%;max-width:280px;vertical-align:top;font-size:14px;line-height:20px"><table width="100%"><tr><td style="padding:10px;font-family:Verdana,sans-serif">${picture(`col${at}${column}`, 120, 80, 'width:100%;max-width:260px;height:auto')}<p style="margin:8px 0">${WORDS.slice(0, 70)}.</p></td></tr></table></div>`,
    )
    .join(
      '<!--[if mso]></td><td width="50%" valign="top"><![endif]-->',
    )}<!--[if mso]></td></tr></table><![endif]--></div>`;
const list: Block = () =>
  `<ul style="padding:0 0 0 28px;margin:12px 0;font:15px/22px Tahoma,sans-serif"><li>First of all, the date</li><li style="margin-top:6px"><b>Then</b> the place</li><li>And ${link('c', 'a map', 'color:#b3261e')}</li></ul>`;
const prices: Block = (at) =>
  `<table width="100%" cellpadding="8" cellspacing="0" style="border-collapse:collapse;font:14px Arial">${[1, 2, 3].map((row) => `<tr><td style="border-bottom:1px solid #e0e0e0">Article ${row + at}</td><td align="right" style="border-bottom:1px solid #e0e0e0;white-space:nowrap">${row * 12}.50 EUR</td></tr>`).join('')}<tr><th align="left">Total</th><th align="right">75.00 EUR</th></tr></table>`;
const spacer: Block = () =>
  '<div style="line-height:24px;height:24px;font-size:1px">&#8202;</div><hr style="border:0;border-top:1px dashed #bbb">';

/** A background that stands in style alone, and something that is moved out of its place: neither is written anew. */
const cssHero: Block = () =>
  `<div style="background:#23395d url(${SITE}/hero.png) no-repeat center;padding:48px 24px;text-align:center"><h1 class="h1" style="margin:0;color:#ffffff">${HEADINGS[1]}</h1></div>`;
const badge: Block = () =>
  '<div style="position:relative;height:40px"><span style="position:absolute;right:12px;top:-14px;background:#b3261e;color:#ffffff;padding:6px 10px;font:bold 13px Arial">New</span></div>';

const BLOCKS: readonly (readonly [string, readonly Block[]])[] = [
  ['a story', [article, button]],
  ['a hero', [hero, article, spacer, button]],
  ['two columns', [columns, spacer, button]],
  ['an order', [article, prices, button]],
  ['a digest', [hero, columns, article, list]],
];

const PREHEADER =
  '<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">A first look at what is inside&#847;&zwnj;&nbsp;&#847;&zwnj;&nbsp;</div>';
const FOOT = `<p style="font:12px/18px Arial;color:#777777;text-align:center;margin:20px 0">You get this mail because you asked for it. ${link('off', 'Unsubscribe', 'color:#777777')}</p><img src="${SITE}/open.gif" width="1" height="1" alt="">`;

function newsletter(head: string, blocks: readonly Block[], at: number): string {
  const content = blocks.map((block, index) => block(at + index)).join('\n');
  return `<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" lang="en"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><title>News</title>${head}</head>
<body id="body" class="body" bgcolor="#eef1f5" style="margin:0;padding:0;background-color:#eef1f5">${PREHEADER}<center style="width:100%"><!--[if (gte mso 9)|(IE)]><table width="600" align="center"><tr><td><![endif]-->
<table class="full" role="presentation" align="center" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:600px;margin:0 auto;background:#ffffff"><tr><td style="padding:16px">${content}</td></tr></table>
<!--[if (gte mso 9)|(IE)]></td></tr></table><![endif]-->${FOOT}</center></body></html>`;
}

/** What programs write for a person's own words. */
const LETTERS: readonly Template[] = [1, 2, 3, 4, 5].flatMap((lines) => {
  const words = (open: string, close: string) =>
    Array.from({ length: lines * 2 }, (_, at) => `${open}${at + 1}. ${WORDS}${close}`).join('\n');
  return [
    {
      name: `Outlook, ${lines * 2} paragraphs`,
      html: `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"><meta name="Generator" content="Microsoft Word 15 (filtered medium)"><!--[if !mso]><style>v\\:* {behavior:url(#default#VML);} o\\:* {behavior:url(#default#VML);}</style><![endif]--><style><!-- @font-face {font-family:Calibri; panose-1:2 15 5 2 2 2 4 3 2 4;} p.MsoNormal, li.MsoNormal {margin:0cm; font-size:11.0pt; font-family:"Calibri",sans-serif; mso-fareast-language:EN-US;} a:link {mso-style-priority:99; color:#0563C1; text-decoration:underline;} span.EmailStyle17 {mso-style-type:personal-compose; color:windowtext;} @page WordSection1 {size:612.0pt 792.0pt; margin:70.85pt;} div.WordSection1 {page:WordSection1;} --></style></head><body lang="EN-GB" link="#0563C1" vlink="#954F72" style="word-wrap:break-word"><div class="WordSection1">${words('<p class="MsoNormal"><span style=\'mso-fareast-language:EN-US\'>', '<o:p></o:p></span></p>')}<table class="MsoTableGrid" border="1" cellspacing="0" cellpadding="0" style="border-collapse:collapse;border:none;mso-border-alt:solid windowtext .5pt"><tr><td width="200" valign="top" style="width:150.0pt;border:solid windowtext 1.0pt;padding:0cm 5.4pt"><p class="MsoNormal"><b>Cell</b></p></td><td width="200" style="border:solid windowtext 1.0pt;border-left:none;background:#FFF2CC"><p class="MsoNormal"><i>Next</i></p></td></tr></table><p class="MsoNormal"><o:p>&nbsp;</o:p></p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal"><b>From:</b> Ana</p></div></div></body></html>`,
    },
    {
      name: `Gmail, ${lines * 2} lines`,
      html: `<div dir="ltr">${words('<div>', '</div>')}<div><br></div><div class="gmail_default" style="font-family:georgia,serif;color:#0b5394">Kind regards</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Friday Ana wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"><div style="background-color:rgb(255,242,204)">${WORDS}</div></blockquote></div></div>`,
    },
    {
      name: `Apple Mail, ${lines * 2} lines`,
      html: `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">${words('<div style="caret-color: rgb(0, 0, 0); font-family: Helvetica; font-size: 14px; letter-spacing: normal; text-indent: 0px; white-space: normal; -webkit-text-stroke-width: 0px;">', '</div>')}<br class="Apple-interchange-newline"><blockquote type="cite"><div>${WORDS}</div></blockquote></body></html>`,
    },
    {
      name: `Mailchimp-like, ${lines} blocks`,
      html: `<!doctype html><html xmlns="http://www.w3.org/1999/xhtml"><head><meta charset="UTF-8"><meta http-equiv="X-UA-Compatible" content="IE=edge"><title>*|MC:SUBJECT|*</title><style type="text/css">p{margin:10px 0;padding:0}table{border-collapse:collapse}h1,h2{display:block;margin:0;padding:0}#bodyTable{height:100%;margin:0;padding:0;width:100%}.mcnTextContent{word-break:break-word;color:#202020;font-family:Helvetica;font-size:16px;line-height:150%}/*@tab Page @section style*/ #templateHeader{/*@editable*/background-color:#F7F7F7;/*@editable*/border-top:0;/*@editable*/padding-top:9px}@media only screen and (min-width:768px){.templateContainer{width:600px!important}}@media only screen and (max-width:480px){body,table,td,p{-webkit-text-size-adjust:none!important}.mcnImage{width:100%!important}}</style></head><body style="height:100%;margin:0;background-color:#FAFAFA"><!--*|IF:MC_PREVIEW_TEXT|*--><!--[if !gte mso 9]><!----><span class="mcnPreviewText" style="display:none;font-size:0px;line-height:0px;max-height:0px;opacity:0;overflow:hidden;visibility:hidden;mso-hide:all">Preview</span><!--<![endif]--><!--*|END:IF|*--><center><table align="center" border="0" cellpadding="0" cellspacing="0" height="100%" width="100%" id="bodyTable"><tr><td align="center" valign="top" id="templateHeader"><table class="templateContainer" border="0" width="100%" style="max-width:600px">${words('<tr><td class="mcnTextContent" valign="top" style="padding:0 18px 9px"><h2>Idea</h2><p>', '</p></td></tr>')}<tr><td>${picture('banner', 564, 100, 'max-width:1200px;padding-bottom:0;vertical-align:bottom')}</td></tr></table></td></tr></table></center></body></html>`,
    },
    {
      name: `with a form, ${lines} questions`,
      html: `<html><head><base href="${SITE}/news/"><meta charset="utf-8"><style>.q{background:#eef;margin:6px 0;padding:8px;border-left:4px solid #36c}</style></head><body>${words('<div class="q">', '</div>')}<p><a href="more.html" style="color:#36c">More</a> ${picture('poll', 200, 60)}</p></body></html>`,
    },
  ];
});

/** Fifty bodies. */
export function templates(): Template[] {
  const newsletters = Object.entries(HEADS).flatMap(([head, markup], row) =>
    BLOCKS.map(([kind, blocks], column) => ({
      name: `${kind} ${head}`,
      html: newsletter(markup, blocks, row * 5 + column),
    })),
  );
  const [first = '', second = ''] = [HEADS['with media queries'], HEADS['with dark mode']];
  const styled = [
    { name: 'a background in style', html: newsletter(first, [cssHero, article, button], 3) },
    { name: 'a badge out of its place', html: newsletter(second, [article, badge, button], 4) },
  ];
  return [...newsletters.slice(0, -styled.length), ...styled, ...LETTERS];
}
