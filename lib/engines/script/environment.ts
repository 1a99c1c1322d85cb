/** The one environment of the sandbox: what it is, said so that nobody takes it for more. */

export const SCRIPT_ENVIRONMENT = {
  key: 'script_emulation',
  name: 'Script emulation: JavaScript in QuickJS with an emulated Windows Script Host, browser page and Acrobat. No Windows, no network',
  platform: 'windows',
} as const;
