/**
 * The functions of undici that the client uses. Loaded with the first request: a bundle sees the names of a module of ours that it loads
 * later, and not those of a package.
 */
export { Agent, request } from 'undici';
