/** The texts for people in one language. All of them are ours. Text of a sender comes in as a variable, already made safe. */

/** The languages that come with the airlock. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'tr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The changes of a delivered message, each with a count. */
export const CHANGES = [
  'filesMadeSafe',
  'filesAsPreview',
  'textsMadeSafe',
  'linksOff',
  'filesWithheld',
  'textsWithheld',
  /** Files that are still being analysed, and follow. */
  'filesLater',
  /** The message takes the place of an earlier one without its files. */
  'isWhole',
] as const;
export type Change = (typeof CHANGES)[number];
export type Counts = Readonly<Record<Change, number>>;

/** The reasons why something is missing, one sentence each. The pipeline maps each of its codes to a reason. */
export const WHYS = [
  'timeout',
  'fault',
  'encrypted',
  'unsupported',
  'tooLarge',
  'damaged',
  'notMadeSafe',
  'malicious',
  'suspicious',
  'unknown',
  'kindNotAllowed',
  'inside',
  'blockedLink',
  'readDifferently',
  'nothingLeft',
  'elsewhere',
  'falseName',
  'falseLink',
  'linksUnchecked',
  'hiddenFile',
  'blockedHere',
  'stillExamined',
  'notAsked',
] as const;
export type Why = (typeof WHYS)[number];

/** The name of a kind of file for a layman. */
export const KINDS_OF_FILE = [
  'text',
  'html',
  'image',
  'media',
  'pdf',
  'office',
  'data',
  'archive',
  'email',
  'script',
  'executable',
  'other',
] as const;
export type KindOfFile = (typeof KINDS_OF_FILE)[number];

/** Words for one thing, and words for several with `{n}`. */
export type Plural = readonly [one: string, several: string];

/** Every sentence of a language. Variables are in braces. */
export interface Words {
  readonly language: Language;
  /** Whom to ask when the operator named nobody. It is used in the middle of a sentence. */
  readonly contact: string;
  readonly banner: {
    readonly lead: string;
    readonly changes: Readonly<Record<Change, Plural>>;
    /** `{contact}` and `{reference}`. */
    readonly ask: string;
    /** Replaces our sign in a text that is not ours. */
    readonly notOurs: string;
    /** The words beside a link without its address: `{url}`. */
    readonly linkOff: string;
    /** The words behind an address that no longer has a link. */
    readonly linkOffHere: string;
    /** The words in the place of a picture. */
    readonly pictureOff: string;
  };
  /** The word for `{it}` in the sentences below. */
  readonly subject: { readonly file: string; readonly message: string };
  readonly why: Readonly<Record<Why, string>>;
  readonly page: {
    readonly fileTitle: string;
    readonly textTitle: string;
    /** About a file that follows: the title, the words behind its name, and the advice. */
    readonly laterTitle: string;
    readonly laterSuffix: string;
    readonly laterAdvice: string;
    /** The words behind the name of a missing file. */
    readonly suffix: string;
    readonly noName: string;
    readonly labels: { readonly name: string; readonly what: string; readonly why: string; readonly whatToDo: string };
    readonly kinds: Readonly<Record<KindOfFile, string>>;
    readonly asPdf: string;
    readonly asPicture: string;
    readonly asFilm: string;
    readonly unpacked: string;
    readonly withoutPassword: string;
    /** `{contact}` and `{reference}`. */
    readonly release: string;
    /** `{desk}`. */
    readonly desk: string;
  };
  readonly notice: {
    readonly recipientSubject: string;
    readonly adminSubject: string;
    readonly recipientLead: string;
    readonly adminLead: string;
    readonly labels: {
      readonly from: string;
      readonly to: string;
      readonly subject: string;
      readonly date: string;
      readonly why: string;
    };
    /** `{contact}` and `{reference}`. */
    readonly ask: string;
    /** `{reference}` of the other message. */
    readonly otherMail: string;
    readonly automatic: string;
  };
  /** About a message whose text people received before its files. */
  readonly second: {
    /** In front of the subject of the whole message. */
    readonly whole: string;
    /** Subject and lead of the note that no file follows. */
    readonly withheldSubject: string;
    readonly withheldLead: string;
  };
  /** The daily mail that says what was held. */
  readonly digest: {
    readonly subject: Plural;
    /** `{day}`. */
    readonly lead: string;
    /** `{link}`. */
    readonly open: string;
    /** `{contact}` and `{reference}`: instead of a link, for mail that is not listed. */
    readonly more: Plural;
    /** `{day}`. */
    readonly until: string;
  };
  /** The mail that says that a delivered message has a harmful file. */
  readonly recall: {
    readonly subject: string;
    readonly lead: string;
    /** `{subject}`: its sender wrote it. */
    readonly quoted: string;
    /** `{contact}` and `{reference}`. */
    readonly opened: string;
  };
  /** The page on which a recipient reads how his mail was changed. */
  readonly own: {
    readonly title: string;
    readonly held: string;
    readonly delivered: string;
    readonly deleted: string;
    readonly running: string;
    readonly content: string;
    readonly becomes: string;
    readonly kept: string;
    readonly madeSafe: string;
    readonly withheld: string;
    readonly askTitle: string;
    readonly askText: string;
    readonly askWhy: string;
    readonly askButton: string;
    /** `{day}`. */
    readonly asked: string;
    readonly invalid: string;
    readonly expired: string;
  };
}
