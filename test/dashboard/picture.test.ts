// The pictures of the docs are drawn from what tmux captured.

import { expect, test } from 'vitest';
import { screenPicture } from '../../src/dashboard/picture.ts';

test('a colour goes on over the end of a line, in all tones, and nothing of a text is markup', () => {
  const svg = screenPicture(
    '\u001b[38;2;1;2;3mone\ntwo\u001b[39m<b>\n\u001b[91mred\u001b[0m & \u001b[7minverse',
    20,
    'a "title"',
  );
  expect(svg).toMatch(/fill="rgb\(1,2,3\)"[^>]*>one</);
  expect(svg).toMatch(/fill="rgb\(1,2,3\)"[^>]*>two</);
  expect(svg).toMatch(/fill="#d6d9e0"[^>]*>&lt;b&gt;</);
  expect(svg).toMatch(/fill="#ff0000"[^>]*>red</);
  expect(svg).toContain('aria-label="a &quot;title&quot;"');
  expect(screenPicture('x', 20, 't', 'light')).toContain('fill="#ffffff"');
});
