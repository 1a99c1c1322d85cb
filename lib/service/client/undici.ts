/**
 * The functions of undici that the client uses. The first request loads it. A bundler sees the names of our own module that is loaded
 * later, but not the names of a package.
 */
export { Agent, request } from 'undici';
