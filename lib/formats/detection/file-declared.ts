/** Judges a file by its declared type. Programs open a file by it when there is no name, or when they trust the sender. */
import type { FileGroup } from '../file-groups.ts';

const words = (list: string) => list.trim().split(/\s+/);
const types = (family: string, list: string) => words(list).map((subtype) => `${family}/${subtype}`);

const SCRIPTS = new Set([
  ...['application', 'text'].flatMap((family) =>
    types(
      family,
      `
        hta x-hta javascript x-javascript javascript1.0 javascript1.1 javascript1.2 javascript1.3 javascript1.4
        javascript1.5 ecmascript x-ecmascript jscript x-jscript jscript.encode livescript x-livescript node typescript
        vbs x-vbs vbscript x-vbscript vbscript.encode bat x-bat cmd x-cmd x-msdos-batch x-powershell powershell
        sh x-sh x-csh x-ksh x-zsh x-bash x-shellscript x-script x-scriptlet scriptlet x-wsf wsf x-wsh x-ms-wsf
        x-python x-python-code x-python-script python x-perl perl x-ruby ruby x-php php x-httpd-php x-httpd-php-source x-lua x-tcl
        x-applescript applescript x-component x-autohotkey x-java-jnlp-file x-ms-regedit x-reg
      `,
    ),
  ),
]);
const PROGRAMS = new Set(
  types(
    'application',
    `
      x-msdos-program x-dosexec x-ms-dos-executable x-exe exe x-winexe x-msi x-ms-installer x-ms-shortcut-exe msix appx
      vnd.microsoft.portable-executable java-archive x-java-archive java-vm x-java-applet x-java-class java x-java-vm
      x-executable x-sharedlib x-elf x-mach-binary x-pie-executable vnd.android.package-archive vnd.android.dex wasm
      x-debian-package vnd.debian.binary-package x-rpm x-redhat-package-manager x-ms-application x-xpinstall x-chrome-extension
    `,
  ),
);
const OTHERS = new Set([
  ...types(
    'application',
    `
      xhtml+xml vnd.wap.xhtml+xml svg xslt+xml mathml+xml rss+xml atom+xml x-mimearchive x-mht x-webarchive x-mswinurl
      internet-shortcut x-internet-shortcut x-url x-ms-shortcut x-ms-library x-desktop x-apple-diskimage x-iso9660-image
      x-shockwave-flash x-silverlight-app x-ms-xbap x-sylk x-ms-iqy vnd.ms-htmlhelp onenote x-rdp x-ole-storage
    `,
  ),
  ...types('image', 'svg+xml svg svg-xml x-svg'),
  ...types(
    'text',
    'x-component xsl x-server-parsed-html x-amp-html watch-html mathml calendar x-vcalendar uri-list x-uri',
  ),
]);

/** Types without a meaning, so that programs open a file by its name. */
const GENERIC = new Set([
  ...types(
    'application',
    'octet-stream x-octet-stream download x-download force-download x-force-download binary unknown',
  ),
  'binary/octet-stream',
]);
/** Texts that programs only show. Reports, signatures and keys of ordinary mail are among them. */
const PLAIN = new Set([
  ...types('text', 'plain rfc822-headers markdown x-markdown x-log'),
  ...types('application', 'pgp-signature pgp-encrypted pgp-keys'),
  ...types('message', 'delivery-status disposition-notification feedback-report tracking-status'),
]);

/** Types under which mail programs send data, settings and source code. Some are of another format with the same extension. */
const SOURCES = new Set([
  ...types(
    'application',
    `
      json x-json ld+json geo+json vnd.geo+json x-ndjson jsonl x-ipynb+json yaml x-yaml vnd.yaml toml x-toml sql x-sql x-tex x-latex
      x-bibtex x-texinfo graphql x-diff x-patch x-subrip rls-services+xml x-wine-extension-ini x-protobuf
    `,
  ),
  ...types(
    'text',
    `
      yaml x-yaml toml x-toml x-ini x-properties x-java-properties x-config json css x-scss x-sass x-less sql x-sql x-diff x-patch
      x-tex x-latex tex x-bibtex x-rst x-asciidoc x-org x-gettext-translation vtt srt c x-c x-csrc x-chdr x-c++ x-c++src x-c++hdr
      x-h x-csharp x-java x-java-source x-kotlin x-scala x-go x-rust rust x-rustsrc x-swift x-objc x-objective-c x-dart x-pascal
      x-fortran x-asm x-typescript typescript jsx tsx x-vue x-cmake x-makefile x-clojure x-erlang x-ocaml x-verilog x-d x-r x-julia
      x-haskell x-groovy x-awk x-tcl
    `,
  ),
  ...types('video', 'mp2t vnd.dlna.mpeg-tts x-mpegts'),
]);

/** Returns the group of a file with a dangerous declared type, for any bytes. Returns null for any other type. */
export function dangerOfDeclared(declaredType: string): FileGroup | null {
  if (PROGRAMS.has(declaredType)) return 'executable';
  if (SCRIPTS.has(declaredType)) return 'script';
  return OTHERS.has(declaredType) ? 'other' : null;
}

/** Apple Mail gives a file the rights in its header, and a click runs an executable file. */
const EXECUTABLE_MODE = /x-unix-mode[^=\r\n]{0,20}=\s{0,9}["']?[0-7]{0,8}[1357]/i;

/** Returns the group of a file with a dangerous header, for any type. Returns null for any other header. */
export function dangerOfHeader(untrustedHeader: string): FileGroup | null {
  return EXECUTABLE_MODE.test(untrustedHeader) ? 'script' : null;
}

/** Returns true for types without a meaning, so that the name decides. A bare file has no declared type. */
export function saysNothing(declaredType: string): boolean {
  return declaredType === '' || GENERIC.has(declaredType);
}

/** Returns true for types of text that is only shown. The list is closed, because an unknown type belongs to an unknown program. */
export function isDeclaredPlain(declaredType: string): boolean {
  return PLAIN.has(declaredType);
}

/** Returns true for types of data, settings and source code. They count only together with a name of the same meaning. */
export function isDeclaredSource(declaredType: string): boolean {
  return SOURCES.has(declaredType);
}

/** Returns true for types that a mail program opens as a message. */
export function isDeclaredMessage(declaredType: string): boolean {
  return declaredType.startsWith('message/') && !PLAIN.has(declaredType);
}
