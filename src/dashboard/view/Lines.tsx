// Lines that are already as wide as they may be, one under the other. One node a line: Ink then rewrites only the
// lines that changed.

import { Box, Text } from 'ink';
import { memo } from 'react';

const Line = memo(({ text }: { text: string }) => <Text wrap="truncate">{text === '' ? ' ' : text}</Text>);

export function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <Box flexDirection="column" height={lines.length}>
      {lines.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place on the screen
        <Line key={at} text={text} />
      ))}
    </Box>
  );
}
