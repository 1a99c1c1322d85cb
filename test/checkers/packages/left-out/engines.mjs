// What the engines say of files that need a package which is not installed, and of a file that needs none.
import { disarm } from '@mail-airlock/engines';

const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEUlEQVQImWP4z8AARwgWXg4ArpMP8bh5W0YAAAAASUVORK5CYII=',
  'base64',
);
const archive = Buffer.from(
  'N3q8ryccAAT7OqHMCQAAAAAAAABSAAAAAAAAADSgz0EBAARoZWxsbwABBAYAAQkJAAcLAQABISEBAAwFAAgKAYamEDYAAAUBGQwAAAAAAAAAAAAAAAARDQBhAC4AdAB4AHQAAAAUCgEAYJlsjY573QEVBgEAIIC2gQAA',
  'base64',
);
const reports = [
  await disarm(Buffer.from('<p>Hello</p><script></script>'), { name: 'a.html' }),
  await disarm(picture, { name: 'a.png' }),
  await disarm(archive, { name: 'a.7z' }),
];
for (const { outcome, failure } of reports) console.log(outcome, failure?.code, failure?.message);
