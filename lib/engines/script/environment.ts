/** The only environment of the sandbox, described so that nobody expects more of it. */

export const SCRIPT_ENVIRONMENT = {
  key: 'script_emulation',
  name: 'Script emulation: JavaScript in QuickJS with an emulated Windows Script Host, browser page and Acrobat. No Windows, no network',
  platform: 'windows',
} as const;
