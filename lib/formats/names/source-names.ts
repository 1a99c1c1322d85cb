/** Lists extensions of texts that people write for programs: data, settings, patches and source code. */

const words = (list: string): readonly string[] => list.trim().split(/\s+/);

/** Names that open an editor on Windows, macOS and Linux. A double click starts no program, so such a text keeps its name. */
export const EDITED_NAMES: ReadonlySet<string> = new Set(
  words(`
    json geojson jsonl ndjson ipynb yaml yml toml ini cnf env properties editorconfig gitignore gitattributes lock
    diff patch sql tex bib sty rst adoc org po pot srt vtt csl
    c h cc cpp cxx hh hpp hxx ino cs java kt scala go rs swift m mm d dart zig pas f90 f95 for v sv vhdl asm
    ts tsx jsx mts cts css scss sass less styl vue svelte proto graphql gql tf cmake mk gradle clj cljs erl ml mli
  `),
);

/** Names that start a program by a double click on some system. Such a text is delivered under another name, such as `build.sh.txt`. */
export const STARTED_NAMES: ReadonlySet<string> = new Set(
  words(`
    js mjs cjs vbs vb bas ps1 psm1 psd1 bat cmd sh bash zsh csh ksh command py pyw php pl rb lua applescript ahk au3
    r jl hs tcl groovy kts csx fsx exs awk
  `),
);

/** Settings by which some program connects or runs a command after an import. They get another name, too. */
export const SETTINGS_NAMES: ReadonlySet<string> = new Set(words('cfg conf'));

/** Returns true for the extension of a source text, in lower case and without the dot. */
export function isSourceName(extension: string): boolean {
  return EDITED_NAMES.has(extension) || STARTED_NAMES.has(extension) || SETTINGS_NAMES.has(extension);
}

/** Returns true for the extension of a text that opens in an editor on every system. */
export function isEditedText(extension: string): boolean {
  return extension === 'log' || extension === 'md' || EDITED_NAMES.has(extension);
}
