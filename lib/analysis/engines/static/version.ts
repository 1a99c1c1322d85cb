/** Which rules, modules and scoring made a static report. Whoever keeps a verdict keeps this with it: it is void under another. */

/** Names the modules and the scoring. Raise it with every change that can change a level. */
export const STATIC_ENGINE_VERSION = 'static-3.1.0';
