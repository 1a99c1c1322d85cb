/** Names the rules, modules and scoring that made a static report. Raise it with every change that can change a level. */
export const STATIC_ENGINE_VERSION = 'static-1.0.0';
