/** The text of a page is what a person reads in it, whatever its tree is like. */
import { expect, test } from 'vitest';
import { textOfPage } from '../../../lib/formats/drawn/page-text.ts';

test.each([
  ['<p>One  two</p><p>three<br>four</p>', 'One two\nthree\nfour'],
  ['<table><tr><td>a<td>b<tr><td>c</table>', 'a\nb\nc'],
  ['a<script>b</script><style>c</style><template>d</template><noscript>e</noscript>f', 'af'],
  ['<a href="https://a.example/x">here</a>', 'here [https://a.example/x]'],
  ['<img src="http://evil.example/x.png" alt="a logo"><img src=x>', '[picture: a logo][picture]'],
  ['<title>x</title>&lt;b&gt;', '<b>'],
  ['', ''],
])('of %j is %j', (html, text) => {
  expect(textOfPage(html)).toBe(text);
});

test('of a page that is nested without end is its text', () => {
  expect(textOfPage(`${'<div>'.repeat(50_000)}deep`)).toBe('deep');
});
