/**
 * The names that a body may contain besides those that a rebuild writes, because no program acts on them. These are closed lists of names
 * in lower case. A body stays byte for byte only when everything in it is on one of them.
 */
import { oneOf } from '../../../formats/patterns.ts';
import { ALLOWED_ATTRIBUTES, names } from './rules.ts';

/** Elements of HTML that group, name or decorate their content. */
export const PLAIN_ELEMENTS = names(
  'style link meta base xml label legend fieldset picture progress meter output basefont blink rb rtc custom',
);

/**
 * Elements in the name spaces of Office, without their prefixes: paragraphs, the settings that mail programs write, and old smart tags.
 * No element that embeds, loads, merges or calculates is on the list.
 */
export const OFFICE_SETTINGS = names(`
  p officedocumentsettings allowpng pixelsperinch targetscreensize relyonvml donotrelyoncss shapedefaults shapelayout idmap
  regrouptable entry rules lock anchorlock wrap worddocument view zoom trackmoves trackformatting envelopevis punctuationkerning
  validateagainstschemas saveifxmlinvalid ignoremixedcontent alwaysshowplaceholdertext donotpromoteqf lidthemeother
  lidthemeasian lidthemecomplexscript compatibility breakwrappedtables snaptogridincell wraptextwithpunct useasianbreakrules
  usefelayout dontgrowautofit splitpgbreakandparamark dontvertaligncellwithsp dontbreakconstrainedforcedtables
  dontvertalignintxbx donotexpandshiftreturn noleading usefelinebreak felinebreak11 growautofit donotshadeformdata
  notabhangind footnotelayoutlikeww8 shapelayoutlikeww8 aligntablesrowbyrow forgetlasttabalignment layoutrawtablewidth
  layouttablerowsapart useword97linebreakingrules useword2002tablestylerules usenormalstyleforlist underlinetabinnumlist
  dontuseindentasnumberingtabstop allowspaceofsamestyleintable autofitlikeww11 hangulwidthlikeww11 ww11indentrules
  dontautofitconstrainedtables applybreakingrules dontallowfieldendselect selectfldwithfirstorlastchar convmailmergeesc
  word11kerningpairs cachedcolbalance enableopentypekerning dontflipmirrorindents overridetablestylehps
  browserlevel hyphenationzone donothyphenatecaps drawinggridhorizontalspacing drawinggridverticalspacing
  displayhorizontaldrawinggridevery displayverticaldrawinggridevery spellingstate grammarstate latentstyles lsdexception
  mathpr mathfont brkbin brkbinsub smallfrac dispdef lmargin rmargin defjc wrapindent intlim narylim
  documentproperties author lastauthor revision totaltime created lastsaved pages words characters lines paragraphs
  characterswithspaces company version
`);
/** Marks that old versions of Word put around names of places and people. Another element gives the address from which such a tag loads. */
export const SMART_TAGS = names(
  'place city state country-region placename placetype street address personname date time',
);

/** Shapes of VML, with which Outlook draws the buttons, backgrounds and pictures of a body. */
export const VML_SHAPES = names(`
  shape shapetype group rect roundrect oval line polyline arc curve image background fill stroke shadow textbox textpath path
  formulas f handles h imagedata
`);

/** Attributes of any element whose value is a plain word, a number, a name or a text. */
export const PLAIN_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...ALLOWED_ATTRIBUTES,
  ...names(`
    tabindex hidden media sizes loading decoding fetchpriority referrerpolicy crossorigin integrity nonce label for accesskey
    autocapitalize autocorrect spellcheck contenteditable translate draggable unselectable hreflang itemscope itemprop itemref
    property content http-equiv charset language editable padding margin border-radius text-align max-width bordercolorlight
    bordercolordark frameborder scrolling rowheight rules alias moz-do-not-send nosend bottommargin rightmargin cols gutter
    http mc:edit mc:label mc:repeatable mc:variant mc:hideable mc:disable-tracking mc:allowdesigner mc:allowtext
  `),
  // Attributes of shapes, of the pictures in their place, and of settings of Word.
  ...names(`
    v:ext v:shapes v:dpi v:shape o:spid o:spt o:title o:allowincell o:allowoverlap o:preferrelative o:connecttype o:hr o:hrstd
    o:hrnoshade o:hralign o:hrpct o:bullet o:insetmode o:gfxanchor o:button o:detectmouseclick o:extrusionok o:master
    o:borderbottomcolor o:bordertopcolor o:borderleftcolor o:borderrightcolor o:cliptowrap o:oned o:targetscreensize
    o:singleclick o:forcedash o:relativesize o:opacity2 o:lockaspectratio
    arcsize adj adjustments alignshape angle aspect aspectratio blacklevel chromakey color2 coordorigin coordsize cropbottom cropleft
    cropright croptop dashstyle endangle endarrow endarrowlength endarrowwidth endcap eqn fill fillcolor filled fillok
    filltype focus focusposition focussize from to gain gamma gradientshapeok grouping inset insetpen insetpenok islocked joinstyle limo
    linestyle matrix method miterlimit obscured offset offset2 on opacity opacity2 origin path points position polar print
    recolor rotate shadowok stroke strokecolor stroked strokeok strokeweight startangle startarrow
    startarrowlength startarrowwidth string switch text textboxrect textpathok trim v weight wrapcoords xrange yrange xscale
    spidmax on anchorx anchory side fitpath fitshape
    m:val w:val w:st defunhidewhenused defsemihidden defqformat deflockedstate defpriority latentstylecount locked priority name
    semihidden unhidewhenused qformat
  `),
]);
/** Attributes that only scripts and screen readers read. There are too many names to list. */
export const PLAIN_FAMILIES = /^(?:data|aria)-[\w.:-]{1,80}$/;

/** Names of a meta element under which nothing acts. */
export const META_NAMES = new RegExp(
  `^${oneOf(`
    viewport generator originator description keywords robots googlebot language title subject author creator owner reply-to
    copyright publisher date revised rating distribution format-detection x-apple-disable-message-reformatting
    color-scheme supported-color-schemes theme-color apple-mobile-web-app-[a-z-]+ mobile-web-app-capable handheldfriendly
    mobileoptimized application-name csrf-[a-z-]+ created changed changedby eventid x-[a-z-]{1,40}
    (?:twitter|og|fb|article):[a-z:_-]{1,40}
  `)}$`,
  'i',
);
/** The value with which Outlook names the program that wrote a body. With any other value, that program would open the page. */
export const WORD_PROGRAM = /^word\.document(?:\.\d+)?$/i;
/** Header fields that a meta element may replace. */
export const META_FIELDS = new RegExp(
  `^${oneOf(`
    content-type content-language content-style-type content-script-type x-ua-compatible imagetoolbar cleartype pragma
    cache-control expires last-modified
  `)}$`,
  'i',
);

/** Relations of a link element to an address of the web. They make programs load at most a picture or a style sheet. */
export const LINK_RELATIONS = new RegExp(
  `^${oneOf(String.raw`
    (?:alternate\s+)?stylesheet (?:shortcut\s+)?icon apple-touch-icon(?:-precomposed)? mask-icon image_src canonical alternate
    shortlink preconnect dns-prefetch author license publisher me next prev search pingback profile
  `)}$`,
  'i',
);
/** The parts that Word names in its own mails. The first lists the pictures of the message, and the others have no content. */
export const WORD_RELATIONS = /^(?:file-list|themedata|colorschememapping)$/i;
export const WORD_PARTS = /^(?:cid:[\w.@$%+-]{1,200}|~~themedata~~|~~colorschememapping~~)$/i;
