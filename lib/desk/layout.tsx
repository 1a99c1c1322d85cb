/** @jsxRuntime automatic @jsxImportSource #markup */
/** The frame of every page of the desk. It looks like the report of the analysis service, and makes its words inert in the same place. */
import { documentText, type Markup, NOTHING, ownStyle } from '../service/server/markup/jsx-runtime.ts';
import { ownAddress, ownText, titleText, toPage } from '../service/server/markup/values.ts';
import type { DeskLanguage, DeskWords } from './desk-words.ts';
import { secretField } from './page-elements.tsx';
import { DESK_STYLE } from './style.ts';

const TITLE_CHARS = 200;
export const STYLE_PATH = '/style.css';
/** The policy of a page that is a file. Its style is ours and its pictures are inside; nothing else may do anything. */
const FILE_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The context of every page. */
export interface PageContext {
  readonly language: DeskLanguage;
  readonly words: DeskWords;
  /** Null for a page that is a file: it has its style inside, no forms, and leads nowhere. */
  readonly desk: {
    /** The person at this desk; null when nobody is named. */
    readonly person: string | null;
    /** The existing pages; none before a person has signed in. */
    readonly pages: 'all' | 'cloud' | 'none';
    /** Part of every form. */
    readonly csrf: string;
  } | null;
  /** The content of a page's head beside the style. @default nothing */
  readonly head?: Markup;
}

/** Returns the text of a page. */
export function pageText(
  { language, words, desk, head = NOTHING }: PageContext,
  title: string,
  ...content: readonly Markup[]
): string {
  return documentText(
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content={ownText('width=device-width, initial-scale=1')} />
        <title>{titleText(title, TITLE_CHARS)}</title>
        {desk === null ? FILE_STYLE : <link rel="stylesheet" href={ownAddress(STYLE_PATH)} />}
        {head}
      </head>
      <body>
        <main>
          {desk === null || desk.pages === 'none' ? NOTHING : navigation(words, desk)}
          {content}
        </main>
      </body>
    </html>,
  );
}

const FILE_STYLE = (
  <>
    <meta http-equiv="Content-Security-Policy" content={ownText(FILE_POLICY)} />
    <meta name="referrer" content={ownText('no-referrer')} />
    {ownStyle(DESK_STYLE)}
  </>
);

function navigation(words: DeskWords, desk: NonNullable<PageContext['desk']>): Markup {
  const { person, pages } = desk;
  const isCloud = pages === 'cloud';
  const links: readonly (readonly [path: string, word: string])[] = [
    ['/mails', words.held],
    ['/mails?state=', words.all],
    ...(isCloud || person !== null ? [['/drop', words.drop] as const] : []),
    ['/overview', words.overview],
    ['/asks', words.asks],
    ['/recall', words.recall],
    ['/blocks', words.blocks],
    ['/audit', words.audit],
    ['/policy', words.policy],
  ];
  const signOut = (
    <form method="post" action={toPage`/sign-out`}>
      {secretField({ desk })}
      <button>{words.signOut}</button>
    </form>
  );
  return (
    <nav>
      <b>Mail Airlock</b>{' '}
      {links.map(([path, word]) => (
        <a href={ownAddress(path)}>{word}</a>
      ))}
      <div class="who">
        {person === null ? NOTHING : <span>{person}</span>} {signOut}
      </div>
    </nav>
  );
}

/** Returns the text of a page for people who may only read. */
export const readOnlyText = ({ words, desk }: PageContext): string =>
  desk?.pages === 'cloud' ? words.readerRole : words.readOnly;
