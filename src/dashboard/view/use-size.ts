// The size of the terminal, now.

import { useStdout } from 'ink';
import { useEffect, useState } from 'react';

const LEAST = { width: 20, height: 5 };

export function useSize(): { width: number; height: number } {
  const { stdout } = useStdout();
  const [size, setSize] = useState(() => sizeOf(stdout as NodeJS.WriteStream));
  useEffect(() => {
    const resized = () => setSize(sizeOf(stdout as NodeJS.WriteStream));
    stdout.on('resize', resized);
    return () => void stdout.off('resize', resized);
  }, [stdout]);
  return size;
}

const sizeOf = (stdout: { columns?: number; rows?: number }) => ({
  width: Math.max(LEAST.width, stdout.columns ?? 80),
  height: Math.max(LEAST.height, stdout.rows ?? 24),
});
