/** HTML bodies as the programs of this world write them. Texts are ours; each must be delivered byte for byte. */

const TEXT = '<p>Dear Ann, the meeting is on Tuesday at ten. Please bring the <b>figures</b> of the last quarter.</p>';
const lines = (...all: readonly string[]) => all.join('\r\n');

const OUTLOOK_HEAD = lines(
  '<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word" xmlns:m="http://schemas.microsoft.com/office/2004/12/omml" xmlns="http://www.w3.org/TR/REC-html40">',
  '<head><meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=Generator content="Microsoft Word 15 (filtered medium)">',
  '<!--[if !mso]><style>v\\:* {behavior:url(#default#VML);}',
  'o\\:* {behavior:url(#default#VML);}',
  'w\\:* {behavior:url(#default#VML);}',
  '.shape {behavior:url(#default#VML);}',
  '</style><![endif]--><style><!--',
  '/* Font Definitions */',
  '@font-face',
  '\t{font-family:"Cambria Math";',
  '\tpanose-1:2 4 5 3 5 4 6 3 2 4;}',
  '@font-face',
  '\t{font-family:"\\@MS Gothic";',
  '\tpanose-1:2 11 6 9 7 2 5 8 2 4;',
  '\tmso-font-charset:128;mso-generic-font-family:modern;mso-font-pitch:fixed;mso-font-signature:-536870145 1791491579 134217746 0 131231 0;}',
  '/* Style Definitions */',
  'p.MsoNormal, li.MsoNormal, div.MsoNormal',
  '\t{mso-style-unhide:no;mso-style-qformat:yes;mso-style-parent:"";margin:0in;font-size:11.0pt;',
  '\tfont-family:"Calibri",sans-serif;mso-fareast-font-family:Calibri;mso-fareast-theme-font:minor-latin;mso-ligatures:standardcontextual;}',
  'a:link, span.MsoHyperlink',
  '\t{mso-style-priority:99;color:#0563C1;text-decoration:underline;text-underline:single;}',
  'span.EmailStyle17',
  '\t{mso-style-type:personal-compose;font-family:"Calibri",sans-serif;color:windowtext;}',
  '.MsoChpDefault',
  '\t{mso-style-type:export-only;font-size:10.0pt;}',
  '@page WordSection1',
  '\t{size:8.5in 11.0in;margin:1.0in 1.0in 1.0in 1.0in;mso-header-margin:.5in;mso-footer-margin:.5in;mso-paper-source:0;}',
  'div.WordSection1',
  '\t{page:WordSection1;}',
  '/* List Definitions */',
  '@list l0',
  '\t{mso-list-id:1234567;mso-list-type:hybrid;mso-list-template-ids:-12 67698689 67698691;}',
  '@list l0:level1',
  '\t{mso-level-number-format:bullet;mso-level-text:\uf0b7;mso-level-tab-stop:none;mso-level-number-position:left;text-indent:-.25in;font-family:Symbol;}',
  '@list l0:level2',
  '\t{mso-level-number-format:alpha-lower;mso-level-text:"%2\\)";mso-level-tab-stop:none;}',
  'ol {margin-bottom:0in;}',
  '--></style>',
);
const OUTLOOK_SETTINGS =
  '<!--[if gte mso 9]><xml><o:shapedefaults v:ext="edit" spidmax="1026" /></xml><![endif]--><!--[if gte mso 9]><xml>\r\n<o:shapelayout v:ext="edit">\r\n<o:idmap v:ext="edit" data="1" />\r\n</o:shapelayout></xml><![endif]--></head>';
const WORD_SETTINGS = lines(
  '<meta name=ProgId content=Word.Document><meta name=Originator content="Microsoft Word 14">',
  '<link rel=File-List href="cid:filelist.xml@01CB8A4E.C0FFEE00"><link rel=themeData href="~~themedata~~"><link rel=colorSchemeMapping href="~~colorschememapping~~">',
  '<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings></xml><![endif]-->',
  '<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View><w:Zoom>0</w:Zoom><w:TrackMoves/><w:TrackFormatting/><w:EnvelopeVis/><w:ValidateAgainstSchemas/><w:SaveIfXMLInvalid>false</w:SaveIfXMLInvalid><w:IgnoreMixedContent>false</w:IgnoreMixedContent><w:AlwaysShowPlaceholderText>false</w:AlwaysShowPlaceholderText><w:DoNotPromoteQF/><w:LidThemeOther>EN-US</w:LidThemeOther><w:LidThemeAsian>X-NONE</w:LidThemeAsian><w:LidThemeComplexScript>X-NONE</w:LidThemeComplexScript><w:Compatibility><w:DoNotExpandShiftReturn/><w:BreakWrappedTables/><w:SnapToGridInCell/><w:WrapTextWithPunct/><w:UseAsianBreakRules/><w:DontGrowAutofit/><w:SplitPgBreakAndParaMark/><w:EnableOpenTypeKerning/><w:DontFlipMirrorIndents/><w:OverrideTableStyleHps/></w:Compatibility><w:BrowserLevel>MicrosoftInternetExplorer4</w:BrowserLevel><m:mathPr><m:mathFont m:val="Cambria Math"/><m:brkBin m:val="before"/><m:brkBinSub m:val="&#45;-"/><m:smallFrac m:val="off"/><m:dispDef/><m:lMargin m:val="0"/><m:rMargin m:val="0"/><m:defJc m:val="centerGroup"/><m:wrapIndent m:val="1440"/><m:intLim m:val="subSup"/><m:naryLim m:val="undOvr"/></m:mathPr></w:WordDocument></xml><![endif]-->',
  '<!--[if gte mso 9]><xml><w:LatentStyles DefLockedState="false" DefUnhideWhenUsed="true" DefSemiHidden="true" DefQFormat="false" DefPriority="99" LatentStyleCount="267"><w:LsdException Locked="false" Priority="0" SemiHidden="false" UnhideWhenUsed="false" QFormat="true" Name="Normal"/></w:LatentStyles></xml><![endif]-->',
  '<!--[if gte mso 10]><style>/* Style Definitions */ table.MsoNormalTable {mso-style-name:"Table Normal";mso-tstyle-rowband-size:0;mso-tstyle-colband-size:0;mso-style-noshow:yes;mso-style-priority:99;mso-style-parent:"";mso-padding-alt:0in 5.4pt 0in 5.4pt;mso-para-margin:0in;mso-pagination:widow-orphan;font-size:10.0pt;font-family:"Times New Roman","serif";}</style><![endif]-->',
);
const OUTLOOK_BODY = lines(
  `<body lang=EN-US link="#0563C1" vlink="#954F72" style='tab-interval:.5in;word-wrap:break-word'><div class=WordSection1><p class=MsoNormal>${TEXT}<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p>`,
  `<p class=MsoListParagraph style='text-indent:-.25in;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>First point<o:p></o:p></p>`,
  `<div style='mso-element:para-border-div;border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in'><p class=MsoNormal><b>From:</b> Bob<br style='mso-special-character:line-break'><span style='mso-bookmark:_MailOriginal'><span lang=DE style='mso-ansi-language:DE;mso-no-proof:yes'>Hallo</span></span></p></div>`,
  `<table class=MsoNormalTable border=0 cellspacing=0 cellpadding=0 style='border-collapse:collapse;mso-yfti-tbllook:1184;mso-padding-alt:0in 0in 0in 0in'><tr style='mso-yfti-irow:0;mso-yfti-firstrow:yes;height:15.0pt'><td width=64 nowrap valign=bottom style='width:48.0pt;border:solid windowtext 1.0pt;mso-border-alt:solid windowtext .5pt;padding:.75pt .75pt 0in .75pt;mso-number-format:"\\@"' x:num="12">12</td></tr></table>`,
  `<p class=MsoNormal><!--[if gte vml 1]><v:shapetype id="_x0000_t75" coordsize="21600,21600" o:spt="75" o:preferrelative="t" path="m@4@5l@4@11@9@11@9@5xe" filled="f" stroked="f"><v:stroke joinstyle="miter"/><v:formulas><v:f eqn="if lineDrawn pixelLineWidth 0"/><v:f eqn="sum @0 1 0"/></v:formulas><v:path o:extrusionok="f" gradientshapeok="t" o:connecttype="rect"/><o:lock v:ext="edit" aspectratio="t"/></v:shapetype><v:shape id="Picture_x0020_1" o:spid="_x0000_i1025" type="#_x0000_t75" alt="logo" style='width:100pt;height:50pt;visibility:visible;mso-wrap-style:square'><v:imagedata src="cid:image001.png@01D9" o:title="logo"/></v:shape><![endif]--><![if !vml]><img width=133 height=67 src="cid:image001.png@01D9" alt=logo v:shapes="Picture_x0020_1"><![endif]></p>`,
  `<p class=MsoNormal><st1:City w:st="on">Berlin</st1:City> <a href="https://shop.example/a?b=c&amp;d=e f">shop</a> <a href="mailto:ann@shop.example?subject=Hello%20Ann">write</a> <a name="_MailAutoSig"></a></p></div></body></html>`,
);

const BUTTON = lines(
  '<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" xmlns:w="urn:schemas-microsoft-com:office:word" href="https://shop.example/buy" style="height:40px;v-text-anchor:middle;width:200px;" arcsize="10%" strokecolor="#1e3650" fillcolor="#ff0000"><w:anchorlock/><center style="color:#ffffff;font-family:sans-serif;font-size:13px;font-weight:bold;">Buy now</center></v:roundrect><![endif]-->',
  '<![if !mso]><a href="https://shop.example/buy" style="background-color:#ff0000;border-radius:4px;color:#fff;display:inline-block;line-height:40px;text-align:center;text-decoration:none;width:200px;-webkit-text-size-adjust:none;mso-hide:all;">Buy now</a><![endif]>',
);
const BACKGROUND =
  '<!--[if gte mso 9]><v:rect xmlns:v="urn:schemas-microsoft-com:vml" fill="true" stroke="false" style="width:600px;height:300px;"><v:fill type="tile" src="https://shop.example/bg.jpg" color="#7bceeb" /><v:textbox inset="0,0,0,0"><![endif]--><div>Offers</div><!--[if gte mso 9]></v:textbox></v:rect><![endif]-->';

/** By the program or service that writes so. */
export const ORDINARY_BODIES: Readonly<Record<string, string>> = {
  'Outlook with lists, shapes and tables': `${OUTLOOK_HEAD}${OUTLOOK_SETTINGS}${OUTLOOK_BODY}`,
  'an older Outlook with its settings': `${OUTLOOK_HEAD}${WORD_SETTINGS}${OUTLOOK_SETTINGS}${OUTLOOK_BODY}`,
  'Outlook on the web': `<html><head>\r\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8">\r\n<style type="text/css" style="display:none;"> P {margin-top:0;margin-bottom:0;} </style>\r\n</head>\r\n<body dir="ltr"><div class="elementToProof" style="font-family: Aptos, Aptos_EmbeddedFont, Aptos_MSFontService, Calibri, Helvetica, sans-serif; font-size: 12pt; color: rgb(0, 0, 0);">${TEXT}</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000"><b>From:</b> Bob</font><div>&nbsp;</div></div><img data-outlook-trace="F:1|T:1" src="cid:a@b" style="max-width:100%" width="10" height="10"></body></html>`,
  'a newsletter with ghost tables': lines(
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:o="urn:schemas-microsoft-com:office:office" lang="en"><head><meta charset="utf-8"><meta http-equiv="X-UA-Compatible" content="IE=edge"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="x-apple-disable-message-reformatting"><meta name="format-detection" content="telephone=no,date=no,address=no,email=no"><meta name="color-scheme" content="light dark"><title>Autumn</title>',
    '<!--[if mso]><noscript><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml></noscript><![endif]-->'.replace(
      /<\/?noscript>/g,
      '',
    ),
    '<!--[if mso]><style type="text/css">body, table, td {font-family: Arial, Helvetica, sans-serif !important;}</style><![endif]-->',
    '<style>@import url(\'https://fonts.example/css2?family=Lato:wght@400;700&display=swap\'); :root{color-scheme:light dark} #outlook a{padding:0} .ExternalClass *{line-height:100%} table,td{mso-table-lspace:0pt;mso-table-rspace:0pt} img{-ms-interpolation-mode:bicubic} a[x-apple-data-detectors]{color:inherit !important} u + #body a{color:inherit} div[style*="margin: 16px 0"]{margin:0 !important} @media only screen and (max-width:600px){.w{width:100% !important}} @media (prefers-color-scheme:dark){.d{background:#000 !important}} [data-ogsc] .d{color:#fff}</style></head>',
    '<body id="body" style="margin:0;padding:0;word-spacing:normal;background-color:#f4f4f4" bgcolor="#f4f4f4"><div style="display:none;max-height:0;overflow:hidden;mso-hide:all">Preview&#847;&zwnj;&nbsp;</div><div role="article" aria-roledescription="email" lang="en" style="text-size-adjust:100%;-webkit-text-size-adjust:100%">',
    '<!--[if mso | IE]><table align="center" border="0" cellpadding="0" cellspacing="0" class="" role="presentation" style="width:600px;" width="600" bgcolor="#ffffff" ><tr><td style="line-height:0px;font-size:0px;mso-line-height-rule:exactly;"><![endif]-->',
    `<!-- Hero -->${TEXT}${BUTTON}${BACKGROUND}<!--[if mso | IE]></td></tr></table><![endif]-->`,
    '<!--[if !mso]><!--><img src="https://shop.example/hero.gif" alt="Hero" width="600" style="width:100%;height:auto;display:block;border:0"><!--<![endif]--><!--[if mso]><i style="letter-spacing:25px;mso-font-width:-100%;mso-text-raise:30pt">&nbsp;</i><![endif]-->',
    '<a href="https://shop.example/unsubscribe?u=1&amp;id=%7Babc%7D" target="_blank" rel="noopener" data-saferedirecturl="https://shop.example/r">Unsubscribe</a><img src="https://shop.example/open.gif?u=1" width="1" height="1" alt="" border="0"></div></body></html>',
  ),
  Gmail: `<div dir="ltr"><div class="gmail_default" style="font-family:arial,helvetica,sans-serif">${TEXT}<u></u><wbr></div><br clear="all"><div><div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature"><div dir="ltr">Jo</div></div></div></div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Fri, Bob &lt;<a href="mailto:bob@shop.example">bob@shop.example</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">Hi</blockquote></div>`,
  'Apple Mail': `<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">${TEXT}<div apple-content-edited="true"><span style="caret-color: rgb(0, 0, 0); orphans: 2; widows: 2; -webkit-tap-highlight-color: rgba(26, 26, 26, 0.3); -webkit-text-stroke-width: 0px; float: none; display: inline !important;">Jo</span></div><div><br><blockquote type="cite"><div>On 20 Nov</div><br class="Apple-interchange-newline"></blockquote></div></body></html>`,
  Thunderbird: `<!DOCTYPE html><html><head><meta http-equiv="content-type" content="text/html; charset=UTF-8"></head><body text="#000000" bgcolor="#FFFFFF">${TEXT}<div class="moz-cite-prefix">On 20.11.2026, Bob wrote:<br></div><blockquote type="cite" cite="mid:4711@shop.example"><a class="moz-txt-link-freetext" href="https://shop.example/" moz-do-not-send="true">https://shop.example/</a></blockquote><pre class="moz-signature" cols="72">-- \r\nJo</pre></body></html>`,
  'a shop by hand': `<html><body><center><table width=600 padding=0 aling="center" style="font:bold 12px/1.5 Verdana,Geneva,sans-serif;;*zoom:1"><tr><td background="https://shop.example/b.gif" height="30px" style="background:#fff url(https://shop.example/b.gif) no-repeat 0 0;filter:alpha(opacity=90)">${TEXT}</td></tr></table><!-- end of letter --><a href="">top</a> <a href=" https://shop.example/x ">shop</a> <a href="tel:+49 30 123456">call</a></center></body></html>`,
};
