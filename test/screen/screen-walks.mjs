// The walks of capture-screens.mjs: what a person would do to bring up each screen. A walk opens panes and
// snaps them; the label says what the screen is meant to be, EXPECTED.json says what it is.

import { edgeWalks } from './walk-edges.mjs';
import { questionWalks } from './walk-questions.mjs';
import { sessionWalks } from './walk-sessions.mjs';

export const walks = { ...sessionWalks, ...questionWalks, ...edgeWalks };
