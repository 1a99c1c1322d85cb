/** Replaces Preact where the script is checked. A browser gets the file of the package itself at this address (live-script.ts). */
export { h, render } from 'preact';
