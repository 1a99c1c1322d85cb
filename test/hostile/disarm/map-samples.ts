/** Maps that load, fly, or show a page of their own. */
import { buildKml, buildKmz, placemark } from '../../fixtures/build-map.ts';
import type { Format } from './row.ts';
import { type Draft, type Generator, KEEP, LIVE, LIVE_URL } from './sample.ts';

const place = placemark(`${KEEP} place`);

async function drafts(format: Format, ways: Readonly<Record<string, string>>): Promise<Draft[]> {
  const kept: Draft[] = [];
  for (const [encoding, kml] of Object.entries(ways))
    kept.push({ encoding, content: format === 'kml' ? kml : await buildKmz(kml) });
  return kept;
}

/** An element in the places where programs look for it, and under other prefixes. */
function everywhere(markup: string): Record<string, string> {
  const prefixed = markup
    .replace(/<(\/?)(?=[A-Z])/g, '<$1zz:')
    .replace('<zz:', '<zz:')
    .replace(/^<(zz:\w+)/, '<$1 xmlns:zz="http://www.opengis.net/kml/2.2"');
  return {
    plain: buildKml(place + markup),
    'in a folder': buildKml(`<Folder>${markup}</Folder>${place}`),
    'in a place': buildKml(placemark(`${KEEP} place`, '', markup)),
    'under a prefix': buildKml(place + prefixed),
    'of an old version': buildKml(place + markup).replace(
      'http://www.opengis.net/kml/2.2',
      'http://earth.google.com/kml/2.1',
    ),
    'without a name space': buildKml(place + markup).replace(' xmlns="http://www.opengis.net/kml/2.2"', ''),
    'in another name space': buildKml(`${place}<a:x xmlns:a="urn:x">${markup}</a:x>`),
  };
}

const ELEMENTS: Readonly<Record<string, string>> = {
  NetworkLink: `<NetworkLink><name>${LIVE}</name><flyToView>1</flyToView><Link><href>${LIVE_URL}</href><refreshMode>onInterval</refreshMode></Link></NetworkLink>`,
  NetworkLinkControl: `<NetworkLinkControl><message>${LIVE}</message><Update><targetHref>${LIVE_URL}</targetHref></Update></NetworkLinkControl>`,
  Url: `<Url><href>${LIVE_URL}</href></Url>`,
  Model: `<Model id="m"><Link><href>${LIVE_URL}</href></Link></Model>`,
  PhotoOverlay: `<PhotoOverlay><Icon><href>${LIVE_URL}</href></Icon><shape>rectangle</shape></PhotoOverlay>`,
  'gx:Tour': `<gx:Tour xmlns:gx="http://www.google.com/kml/ext/2.2"><gx:Playlist><gx:SoundCue><href>${LIVE_URL}</href></gx:SoundCue></gx:Playlist></gx:Tour>`,
  'atom:link': `<atom:link xmlns:atom="http://www.w3.org/2005/Atom" href="${LIVE_URL}"/>`,
  'BalloonStyle/text': `<Style id="s"><BalloonStyle><text><![CDATA[<script src="${LIVE_URL}"></script>$[name]]]></text></BalloonStyle></Style>`,
  'h:script': `<h:script xmlns:h="http://www.w3.org/1999/xhtml">${LIVE}</h:script>`,
  'xi:include': `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${LIVE_URL}"/>`,
};

const elements: Generator = (line, format) => drafts(format, everywhere(ELEMENTS[line] ?? ''));

const REFERENCES: Readonly<Record<string, (address: string) => string>> = {
  Icon: (address) => `<Style id="s"><IconStyle><Icon><href>${address}</href></Icon></IconStyle></Style>`,
  GroundOverlay: (address) => `<GroundOverlay><Icon><href>${address}</href></Icon></GroundOverlay>`,
  styleUrl: (address) => `<Placemark><styleUrl>${address}#s</styleUrl></Placemark>`,
  schemaUrl: (address) => `<Placemark><ExtendedData><SchemaData schemaUrl="${address}#s"/></ExtendedData></Placemark>`,
  ItemIcon: (address) =>
    `<Style id="s"><ListStyle><ItemIcon><state>open</state><href>${address}</href></ItemIcon></ListStyle></Style>`,
};
const ADDRESSES = [
  LIVE_URL,
  `//${LIVE}.example/x`,
  `\\\\${LIVE}\\x.png`,
  `file:///${LIVE}/x.png`,
  `../${LIVE}/x.png`,
  `/${LIVE}/x.png`,
  `javascript:${LIVE}`,
  `\t${LIVE_URL}`,
];
const references: Generator = (line, format) =>
  drafts(
    format,
    Object.fromEntries(ADDRESSES.map((address) => [address, buildKml(place + (REFERENCES[line]?.(address) ?? ''))])),
  );

const PAGES = {
  script: `<script>${LIVE}</script>`,
  handler: `<img src="x" onerror="${LIVE}">`,
  frame: `<iframe src="${LIVE_URL}"></iframe>`,
  picture: `<img src="${LIVE_URL}">`,
  link: `<a href="javascript:${LIVE}">x</a>`,
  style: `<b style="background:url(${LIVE_URL})">x</b>`,
  comment: `<!--${LIVE}-->`,
};
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const numbered = (text: string) => [...text].map((letter) => `&#${letter.codePointAt(0)};`).join('');
const WRAPS: Readonly<Record<string, (page: string) => string>> = {
  CDATA: (page) => `<![CDATA[${page}]]>`,
  escaped,
  numbered,
  'in two sections': (page) => `<![CDATA[${page.slice(0, 3)}]]><![CDATA[${page.slice(3)}]]>`,
};
const words: Generator = (line, format) => {
  const ways = Object.entries(WRAPS).flatMap(([wrap, wrapped]) =>
    Object.entries(PAGES).map(([kind, page]): [string, string] => {
      const text = wrapped(page);
      const data = `<ExtendedData><Data name="a"><${line}>${text}</${line}></Data></ExtendedData>`;
      return [
        `${kind}, ${wrap}`,
        buildKml(place + placemark('x', '', line === 'value' ? data : `<${line}>${text}</${line}>`)),
      ];
    }),
  );
  return drafts(format, Object.fromEntries(ways));
};

const FILES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  program: [['setup.exe', `MZ\x90\0${LIVE}`]],
  script: [['files/run.js', `// ${LIVE}`]],
  'other map': [['files/more.kml', buildKml(placemark(LIVE))]],
  model: [['models/house.dae', `<COLLADA>${LIVE}</COLLADA>`]],
  page: [['files/index.html', `<script>${LIVE}</script>`]],
  'false picture': [['files/a.png', `<html><script>${LIVE}</script>`]],
  archive: [['files/a.zip', `PK\x03\x04${LIVE}`]],
};
const files: Generator = async (line) => {
  const [file = ['', '']] = FILES[line] ?? [];
  const icon = `<Style id="s"><IconStyle><Icon><href>${file[0]}</href></Icon></IconStyle></Style>`;
  return [
    { encoding: 'that nothing names', content: await buildKmz(buildKml(place), [file]) },
    { encoding: 'that an icon names', content: await buildKmz(buildKml(icon + place), [file]) },
    {
      encoding: 'with a comment behind',
      content: Buffer.concat([await buildKmz(buildKml(place), [file]), Buffer.from(LIVE)]),
    },
  ];
};

const frame: Generator = (line, format) =>
  drafts(format, {
    doctype:
      {
        doctype: buildKml(place).replace('<kml', `<!DOCTYPE kml SYSTEM "${LIVE_URL}"><kml`),
        instruction: buildKml(place).replace('<kml', `<?xml-stylesheet href="${LIVE_URL}"?><kml`),
        comment: buildKml(`${place}<!--${LIVE}-->`),
        attribute: buildKml(place, ` hint="${LIVE}" xmlns:x="urn:x" x:onload="${LIVE}"`),
        schema: buildKml(
          place,
          ` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a ${LIVE_URL}"`,
        ),
        text: buildKml(`${LIVE}${place}`),
        value: buildKml(`${place}<Placemark><Point><coordinates>1,2 ${LIVE}</coordinates></Point></Placemark>`),
      }[line] ?? '',
  });

export const mapSamples: Readonly<Record<string, Generator>> = {
  'map/element': elements,
  'map/reference': references,
  'map/words': words,
  'map/frame': frame,
  'map/file': files,
};
