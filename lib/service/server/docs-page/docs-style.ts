/** The style of the documentation page. It loads nothing. */
export const DOCS_STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; display: grid; grid-template-columns: 16rem minmax(0, 1fr); gap: 0 2rem; }
header { grid-column: 1 / -1; }
nav { font-size: 0.875rem; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; }
nav h2 { font-size: 1rem; }
nav ul { list-style: none; padding: 0; }
article { border-top: 1px solid #8886; padding: 0.5rem 0 1rem; }
h3 { font-weight: normal; overflow-wrap: anywhere; }
h3 b { font-size: 0.875rem; padding: 0.1rem 0.5rem; border: 1px solid; border-radius: 0.25rem; }
h4 { margin: 0.75rem 0 0.25rem; font-size: 0.875rem; }
table { border-collapse: collapse; font-size: 0.875rem; width: 100%; margin: 0.5rem 0; }
th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.75rem 0.2rem 0; border-bottom: 1px solid #8883; overflow-wrap: anywhere; }
pre { overflow: auto; padding: 0.75rem; background: #8882; border-radius: 0.25rem; font-size: 0.8125rem; }
em { font-size: 0.75rem; }
@media (max-width: 50rem) { body { display: block; } nav { position: static; max-height: none; } }
`;
