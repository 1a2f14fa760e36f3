// Writes docs/protocol.md anew: node src/protocol/write-docs.ts

import { writeFileSync } from 'node:fs';
import { protocolPage } from './describe.ts';

writeFileSync(new URL('../../docs/protocol.md', import.meta.url), protocolPage());
