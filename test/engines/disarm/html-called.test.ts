/** Runs pages through the whole engine. What a browser would show as a page counts as one. */
import { expect, test } from 'vitest';
import { disarmed } from './run-disarm.ts';

test.each('main section article center object embed meta span p'.split(' '))(
  'a page that starts with an XML declaration and <%s> is a page',
  async (name) => {
    const page = `<?xml version="1.0"?><${name}><a onclick="LIVE()">KEEP</a><script>LIVE()</script></${name}>`;
    for (const file of ['a.html', 'a', 'a.bin']) {
      const { outcome, text, extension } = await disarmed(page, file);
      expect({ outcome, extension, isLive: text.includes('LIVE') }).toEqual({
        outcome: 'disarmed',
        extension: 'html',
        isLive: false,
      });
    }
  },
);

test('addresses that are told of clicks are removed', async () => {
  const { outcome, text } = await disarmed(
    '<p><a href="https://a.example/" ping="https://LIVE.example/">x</a></p>',
    'a.html',
  );
  expect(outcome).toBe('disarmed');
  expect(text).toContain('<a href="https://a.example/">x</a>');
});
