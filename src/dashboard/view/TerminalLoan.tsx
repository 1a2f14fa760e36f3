// Hands out Ink's way of lending the terminal, which only components are given.

import { useApp } from 'ink';
import { type ReactNode, useEffect } from 'react';

export type Lender = (use: () => Promise<void>) => Promise<void>;

export function TerminalLoan({ take, children }: { take: (lend: Lender) => void; children: ReactNode }) {
  const { suspendTerminal } = useApp();
  useEffect(() => take(async use => void (await suspendTerminal(use))), [suspendTerminal, take]);
  return <>{children}</>;
}
